// SPDX-License-Identifier: Apache-2.0
#include "server/listener.hpp"

#include <fmt/format.h>
#include <netinet/tcp.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <mutex>

#include "server/log.hpp"

namespace pawl::server {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

namespace {

constexpr Millis first_bytes_within{10'000};
constexpr Millis pause_when_full{100};

std::string address_of(const tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  if (endpoint.address().is_v6()) return fmt::format("[{}]:{}", host, endpoint.port());
  return fmt::format("{}:{}", host, endpoint.port());
}

// A dead peer is noticed by the kernel in about a minute, also if nobody writes.
void set_up(tcp::socket& socket) {
  ErrorCode ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  const int handle = socket.native_handle();
  const int idle = 30, interval = 10, count = 3;
  ::setsockopt(handle, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  ::setsockopt(handle, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  ::setsockopt(handle, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  socket.non_blocking(true, ignored);
}

// How many connections are open. Outlives the listener: the last connection may end later.
struct Places {
  std::atomic<std::size_t> taken{0};
};

// --- plain --------------------------------------------------------------------------------------

class PlainTransport final : public Transport, public std::enable_shared_from_this<PlainTransport> {
 public:
  PlainTransport(Loop& loop, tcp::socket socket, std::shared_ptr<Places> places)
      : loop_(loop), socket_(std::move(socket)), places_(std::move(places)) {
    ErrorCode ignored;
    peer_ = address_of(socket_.remote_endpoint(ignored));
    local_ = address_of(socket_.local_endpoint(ignored));
  }
  ~PlainTransport() override { --places_->taken; }

  // Waits without a buffer; what came goes through one that all connections of the thread share.
  void read(std::function<void(std::string_view)> arrived) override {
    socket_.async_wait(
        tcp::socket::wait_read,
        [self = shared_from_this(), arrived = std::move(arrived)](ErrorCode error) mutable {
          if (error) return arrived({});
          static thread_local std::vector<char> shared(64u << 10);
          const std::size_t count = self->socket_.read_some(asio::buffer(shared), error);
          if (error == asio::error::would_block) return self->read(std::move(arrived));
          arrived(error ? std::string_view() : std::string_view(shared.data(), count));
        });
  }

  void write(std::string_view bytes, std::function<void(bool)> sent) override {
    // Mostly it fits: then there is nothing to wait for.
    ErrorCode error;
    const std::size_t count = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    if (!error && count == bytes.size()) {
      return loop_.at_end([sent = std::move(sent)] { sent(true); });
    }
    if (error && error != asio::error::would_block) {
      return loop_.at_end([sent = std::move(sent)] { sent(false); });
    }
    asio::async_write(socket_, asio::buffer(bytes.data() + count, bytes.size() - count),
                      [self = shared_from_this(), sent = std::move(sent)](
                          ErrorCode failure, std::size_t) { sent(!failure); });
  }

  void close() override {
    ErrorCode ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }
  const std::string& peer() const override { return peer_; }
  const std::string& local() const override { return local_; }
  Loop& loop() override { return loop_; }

 private:
  Loop& loop_;
  tcp::socket socket_;
  std::shared_ptr<Places> places_;
  std::string peer_;
  std::string local_;
};

// --- TLS ----------------------------------------------------------------------------------------

class TlsTransport final : public Transport, public std::enable_shared_from_this<TlsTransport> {
 public:
  TlsTransport(Loop& loop, tcp::socket socket, asio::ssl::context& context,
               std::shared_ptr<Places> places)
      : loop_(loop), stream_(std::move(socket), context), places_(std::move(places)) {
    ErrorCode ignored;
    peer_ = address_of(stream_.next_layer().remote_endpoint(ignored));
    local_ = address_of(stream_.next_layer().local_endpoint(ignored));
  }
  ~TlsTransport() override { --places_->taken; }

  void handshake(std::function<void(bool)> done) {
    stream_.async_handshake(
        asio::ssl::stream_base::server,
        [self = shared_from_this(), done = std::move(done)](ErrorCode error) { done(!error); });
  }
  void read(std::function<void(std::string_view)> arrived) override {
    if (buffer_.empty()) buffer_.resize(16u << 10);
    stream_.async_read_some(
        asio::buffer(buffer_), [self = shared_from_this(), arrived = std::move(arrived)](
                                   ErrorCode error, std::size_t count) {
          arrived(error ? std::string_view() : std::string_view(self->buffer_.data(), count));
        });
  }
  void write(std::string_view bytes, std::function<void(bool)> sent) override {
    asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()),
                      [self = shared_from_this(), sent = std::move(sent)](
                          ErrorCode error, std::size_t) { sent(!error); });
  }
  void close() override {
    ErrorCode ignored;
    stream_.next_layer().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.next_layer().close(ignored);
  }
  const std::string& peer() const override { return peer_; }
  const std::string& local() const override { return local_; }
  Loop& loop() override { return loop_; }

 private:
  Loop& loop_;
  asio::ssl::stream<tcp::socket> stream_;
  std::shared_ptr<Places> places_;
  std::string peer_;
  std::string local_;
  std::vector<char> buffer_;
};

// Both ports speak both versions of HTTP. Clients of gRPC insist on HTTP/2, others prefer it or do
// not ask at all.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* length,
                    const unsigned char* offered, unsigned int offered_length, void*) {
  static constexpr unsigned char ours[] = "\x02h2\x08http/1.1";
  const int chosen = SSL_select_next_proto(const_cast<unsigned char**>(out), length, ours,
                                           sizeof ours - 1, offered, offered_length);
  return chosen == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

class Tls {
 public:
  asio::ssl::context context{asio::ssl::context::tls_server};
};

Result<std::shared_ptr<Tls>> read_tls(const TlsFiles& files) {
  auto tls = std::make_shared<Tls>();
  const auto refused = [](const std::string& what, const std::string& file, const ErrorCode& why) {
    return fail(Whose::caller, Code::bad_file,
                fmt::format("the {} \"{}\" cannot be used: {}", what, file, why.message()));
  };
  ErrorCode error;
  tls->context.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                           asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                           asio::ssl::context::no_tlsv1_1);
  tls->context.use_certificate_chain_file(files.certificate, error);
  if (error) return refused("TLS certificate", files.certificate, error);
  tls->context.use_private_key_file(files.key, asio::ssl::context::pem, error);
  if (error) return refused("TLS key", files.key, error);
  SSL_CTX_set_options(tls->context.native_handle(), SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_alpn_select_cb(tls->context.native_handle(), choose_protocol, nullptr);
  return tls;
}

// --- addresses ----------------------------------------------------------------------------------

Result<Address> parse_address(std::string_view text) {
  const auto wrong = [&] {
    return fail(
        Whose::caller, Code::invalid_argument,
        fmt::format("\"{}\" is no address; write HOST:PORT, for example 127.0.0.1:26500", text));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return wrong();
  Address address{.host = std::string(text.substr(0, colon))};
  const std::string_view port = text.substr(colon + 1);
  const auto end = port.data() + port.size();
  const auto read = std::from_chars(port.data(), end, address.port);
  if (read.ec != std::errc() || read.ptr != end) return wrong();
  if (address.host.front() == '[' && address.host.back() == ']') {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  if (address.host.empty()) return wrong();
  return address;
}

bool is_loopback(const Address& address) {
  if (address.host == "localhost") return true;
  ErrorCode error;
  const auto host = asio::ip::make_address(address.host, error);
  return !error && host.is_loopback();
}

bool is_any(const Address& address) {
  ErrorCode error;
  const auto host = asio::ip::make_address(address.host, error);
  return !error && host.is_unspecified();
}

std::string to_text(const Address& address) {
  if (address.host.find(':') != std::string::npos) {
    return fmt::format("[{}]:{}", address.host, address.port);
  }
  return fmt::format("{}:{}", address.host, address.port);
}

// --- accepting ----------------------------------------------------------------------------------

namespace {

class AsioListener final : public Listener {
 public:
  AsioListener(const Options& options, std::vector<Loop*> loops, Accepted accepted)
      : options_(options),
        loops_(std::move(loops)),
        accepted_(std::make_shared<Accepted>(std::move(accepted))),
        acceptor_(loops_[0]->context()) {}
  ~AsioListener() override {
    ErrorCode ignored;
    acceptor_.close(ignored);
  }

  Result<void> bind() {
    ErrorCode error;
    tcp::resolver resolver(loops_[0]->context());
    const auto found =
        resolver.resolve(options_.address.host, std::to_string(options_.address.port), error);
    if (error) return refused(error);
    const tcp::endpoint endpoint = *found.begin();
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(1'024, error);
    if (error) return refused(error);
    const tcp::endpoint bound = acceptor_.local_endpoint(error);
    address_ = {options_.address.host, bound.port()};
    loops_[0]->post([this] { accept(); });
    return {};
  }

  Address address() const override { return address_; }
  void close() override {
    loops_[0]->post([this] {
      ErrorCode ignored;
      acceptor_.close(ignored);
    });
  }

 private:
  Error refused(const ErrorCode& error) const {
    return fail(Whose::machine, Code::store_unavailable,
                fmt::format("cannot listen on {}: {}", to_text(options_.address), error.message()));
  }

  void accept() {
    if (!acceptor_.is_open()) return;
    if (places_->taken >= options_.most_connections) return pause();
    Loop& loop = *loops_[next_++ % loops_.size()];
    acceptor_.async_accept(loop.context(), [this, &loop](ErrorCode error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return pause();  // out of handles, perhaps: others may end
      ++places_->taken;
      set_up(socket);
      begin(loop, std::make_shared<tcp::socket>(std::move(socket)));
      accept();
    });
  }

  void pause() {
    loops_[0]->after(pause_when_full, [this] { accept(); });
  }

  // The socket belongs to `loop`, which may be another thread.
  void begin(Loop& loop, std::shared_ptr<tcp::socket> socket) {
    loop.post([&loop, socket, tls = options_.tls, places = places_, accepted = accepted_] {
      if (!tls) {
        auto plain = std::make_shared<PlainTransport>(loop, std::move(*socket), places);
        return await_first_bytes(plain, accepted);
      }
      auto secure = std::make_shared<TlsTransport>(loop, std::move(*socket), tls->context, places);
      const auto timer = loop.after(first_bytes_within, [secure] { secure->close(); });
      secure->handshake([secure, accepted, timer, tls](bool done) {
        secure->loop().cancel(timer);
        if (done) await_first_bytes(secure, accepted);
      });
    });
  }

  static void await_first_bytes(const TransportPtr& transport,
                                const std::shared_ptr<Accepted>& accepted) {
    const auto timer =
        transport->loop().after(first_bytes_within, [transport] { transport->close(); });
    transport->read([transport, accepted, timer](std::string_view bytes) {
      transport->loop().cancel(timer);
      if (!bytes.empty()) (*accepted)(transport, std::string(bytes));
    });
  }

  Options options_;
  std::vector<Loop*> loops_;
  std::shared_ptr<Accepted> accepted_;
  tcp::acceptor acceptor_;
  std::shared_ptr<Places> places_{std::make_shared<Places>()};
  Address address_;
  std::size_t next_{0};
};

}  // namespace

Result<std::unique_ptr<Listener>> Listener::open(const Options& options, std::vector<Loop*> loops,
                                                 Accepted accepted) {
  auto listener = std::make_unique<AsioListener>(options, std::move(loops), std::move(accepted));
  PAWL_CHECK(listener->bind());
  return std::unique_ptr<Listener>(std::move(listener));
}

}  // namespace pawl::server

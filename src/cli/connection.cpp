// SPDX-License-Identifier: Apache-2.0
#include "cli/connection.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <functional>
#include <optional>

namespace pawl::cli {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

namespace {

Error not_reached(const ErrorCode& error) {
  return fail(Whose::machine, Code::store_unavailable, error.message());
}

}  // namespace

struct Connection::Inside {
  // The one type of handler: each would be another instance of everything beneath it.
  using Done = std::function<void(ErrorCode, std::size_t)>;

  // Only asynchronous calls can be given up: each is begun and run to its end, or to the deadline.
  ErrorCode run(Deadline until, const std::function<void(const Done& done)>& begin) {
    ErrorCode result = asio::error::would_block;
    moved = 0;
    begin([&](ErrorCode error, std::size_t count) {
      result = error;
      moved = count;
    });
    context.restart();
    context.run_until(until);
    if (context.stopped()) return result;
    ErrorCode ignored;
    socket().close(ignored);
    context.run();
    return asio::error::timed_out;
  }
  tcp::socket& socket() { return secure ? secure->next_layer() : plain; }

  ErrorCode trust(const server::Address& address, const std::string& authorities) {
    ErrorCode error;
    security.set_default_verify_paths(error);
    if (!authorities.empty()) {
      security.load_verify_file(authorities, error);
      if (error) return error;
    }
    secure.emplace(context, security);
    secure->set_verify_mode(asio::ssl::verify_peer);
    secure->set_verify_callback(asio::ssl::host_name_verification(address.host));
    SSL_set_tlsext_host_name(secure->native_handle(), address.host.c_str());
    return {};
  }

  ErrorCode connect(const server::Address& address, Deadline until) {
    tcp::resolver resolver(context);
    ErrorCode error;
    const auto found = resolver.resolve(address.host, std::to_string(address.port), error);
    if (error) return error;
    return run(until, [&](const Done& done) {
      asio::async_connect(socket(), found,
                          [done](ErrorCode failed, const tcp::endpoint&) { done(failed, 0); });
    });
  }

  asio::io_context context{1};
  asio::ssl::context security{asio::ssl::context::tls_client};
  tcp::socket plain{context};
  std::optional<asio::ssl::stream<tcp::socket>> secure{};
  std::size_t moved{0};  // bytes, by the last call
};

Connection::Connection(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;

Result<Connection> Connection::open(const server::Address& address, const Security& security,
                                    Deadline until) {
  auto made = std::make_unique<Inside>();
  ErrorCode error;
  if (security.tls) error = made->trust(address, security.authorities);
  if (!error) error = made->connect(address, until);
  if (!error && security.tls) {
    error = made->run(until, [&](const Inside::Done& done) {
      made->secure->async_handshake(asio::ssl::stream_base::client,
                                    [done](ErrorCode failed) { done(failed, 0); });
    });
  }
  if (error) return not_reached(error);
  return Connection(std::move(made));
}

Result<void> Connection::write(std::string_view bytes, Deadline until) {
  while (!bytes.empty()) {
    const ErrorCode error = inside_->run(until, [&](const Inside::Done& done) {
      const asio::const_buffer left(bytes.data(), bytes.size());
      if (inside_->secure) return inside_->secure->async_write_some(left, done);
      inside_->plain.async_write_some(left, done);
    });
    if (error) return not_reached(error);
    bytes.remove_prefix(inside_->moved);
  }
  return {};
}

Result<std::size_t> Connection::read_some(std::span<char> bytes, Deadline until) {
  const ErrorCode error = inside_->run(until, [&](const Inside::Done& done) {
    const asio::mutable_buffer room(bytes.data(), bytes.size());
    if (inside_->secure) return inside_->secure->async_read_some(room, done);
    inside_->plain.async_read_some(room, done);
  });
  if (error == asio::error::eof) return std::size_t{0};
  if (error) return not_reached(error);
  return inside_->moved;
}

}  // namespace pawl::cli

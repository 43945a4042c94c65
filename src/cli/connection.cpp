// SPDX-License-Identifier: Apache-2.0
#include "cli/connection.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <cerrno>
#include <cstring>
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

Error bad_authorities(const std::string& file, std::string_view why) {
  return fail(Whose::caller, Code::bad_file,
              fmt::format("PAWL_CA names the file \"{}\", which cannot be used: {}; name a file "
                          "with certificates (PEM), or unset it",
                          file, why));
}

// `verified`: what became of the certificate.
Error no_tls(const ErrorCode& error, long verified, const server::Address& address) {
  const auto text = [&]() -> std::string {
    if (verified == X509_V_ERR_UNSPECIFIED || verified == X509_V_ERR_HOSTNAME_MISMATCH) {
      return fmt::format(
          "its certificate is for another name than \"{}\"; ask for the server by "
          "a name that is in the certificate",
          address.host);
    }
    if (verified != X509_V_OK) {
      return fmt::format(
          "its certificate is not trusted ({}); set PAWL_CA to the file of a "
          "certificate (PEM) that signed it, or to its own if it signed itself",
          X509_verify_cert_error_string(verified));
    }
    return fmt::format("it agrees to no TLS ({}); if it speaks none, write http://{}",
                       error.message(), server::to_text(address));
  };
  return fail(Whose::machine, Code::store_unavailable, text());
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

  Result<void> trust(const server::Address& address, const std::string& authorities) {
    ErrorCode error;
    security.set_default_verify_paths(error);
    if (!authorities.empty()) {
      if (::access(authorities.c_str(), R_OK) != 0) {
        return bad_authorities(authorities, std::strerror(errno));
      }
      security.load_verify_file(authorities, error);
      if (error) return bad_authorities(authorities, "it holds no certificate");
    }
    secure.emplace(context, security);
    secure->set_verify_mode(asio::ssl::verify_peer);
    secure->set_verify_callback(asio::ssl::host_name_verification(address.host));
    SSL_set_tlsext_host_name(secure->native_handle(), address.host.c_str());
    return {};
  }

  Result<void> agree_on_tls(const server::Address& address, Deadline until) {
    const ErrorCode error = run(until, [&](const Done& done) {
      secure->async_handshake(asio::ssl::stream_base::client,
                              [done](ErrorCode failed) { done(failed, 0); });
    });
    if (!error) return {};
    return no_tls(error, SSL_get_verify_result(secure->native_handle()), address);
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
  if (security.tls) PAWL_CHECK(made->trust(address, security.authorities));
  if (const ErrorCode error = made->connect(address, until)) {
    return fail(Whose::machine, Code::store_unavailable,
                error.message() + "; is `pawl serve` running there?");
  }
  if (security.tls) PAWL_CHECK(made->agree_on_tls(address, until));
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

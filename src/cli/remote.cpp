// SPDX-License-Identifier: Apache-2.0
#include "cli/remote.hpp"

#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <cstdlib>

#include "cli/data.hpp"
#include "cli/report.hpp"
#include "server/auth.hpp"
#include "server/listener.hpp"
#include "value/json.hpp"

namespace pawl::cli {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using ErrorCode = boost::system::error_code;

namespace {

constexpr std::uint64_t answer_bytes = 256u << 20;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string authorization() {
  if (const std::string token = environment("PAWL_TOKEN"); !token.empty()) return "Bearer " + token;
  const std::string user = environment("PAWL_USER");
  if (user.empty()) return "";
  return server::basic_authorization(user, environment("PAWL_PASSWORD"));
}

http::verb verb_of(std::string_view method) {
  return http::string_to_verb({method.data(), method.size()});
}

// What a problem body says, or the status alone.
Error refusal_of(int status, const std::string& body) {
  std::string text = fmt::format("the server answered {}", status);
  if (const auto problem = parse_json(body); problem && problem->is_context()) {
    const std::string detail = text_of(*problem, "detail");
    if (!detail.empty()) text = detail;
  }
  if (status == 401) text = "sign in: set PAWL_TOKEN, or PAWL_USER and PAWL_PASSWORD; " + text;
  if (status == 404) return fail(Whose::caller, Code::not_found, text);
  if (status == 503) return fail(Whose::machine, Code::store_unavailable, text);
  return fail(Whose::caller, status >= 500 ? Code::invalid_state : Code::invalid_argument, text);
}

}  // namespace

struct Remote::Inside {
  std::string text{};  // as it was given
  server::Address address{};
  bool tls{false};
  Millis most{30'000};
  int status{0};
  asio::io_context context{1};
  asio::ssl::context security{asio::ssl::context::tls_client};
  std::unique_ptr<beast::tcp_stream> plain{};
  std::unique_ptr<beast::ssl_stream<beast::tcp_stream>> secure{};

  // Beast's time limits hold for asynchronous calls only: each call is begun and run to its end.
  template <class Begin>
  ErrorCode run(Begin begin) {
    ErrorCode result = asio::error::would_block;
    begin([&](ErrorCode error, auto&&...) { result = error; });
    context.restart();
    context.run();
    return result;
  }
  beast::tcp_stream& lowest() { return secure ? secure->next_layer() : *plain; }

  ErrorCode connect() {
    asio::ip::tcp::resolver resolver(context);
    ErrorCode error;
    const auto found = resolver.resolve(address.host, std::to_string(address.port), error);
    if (error) return error;
    if (tls) {
      security.set_default_verify_paths(error);
      if (const std::string file = environment("PAWL_CA"); !file.empty()) {
        security.load_verify_file(file, error);
        if (error) return error;
      }
      secure = std::make_unique<beast::ssl_stream<beast::tcp_stream>>(context, security);
      secure->set_verify_mode(asio::ssl::verify_peer);
      secure->set_verify_callback(asio::ssl::host_name_verification(address.host));
      SSL_set_tlsext_host_name(secure->native_handle(), address.host.c_str());
    } else {
      plain = std::make_unique<beast::tcp_stream>(context);
    }
    lowest().expires_after(std::chrono::seconds(10));
    error = run([&](auto done) {
      lowest().async_connect(found,
                             [done](ErrorCode failed, const auto&) mutable { done(failed); });
    });
    if (error || !tls) return error;
    return run([&](auto done) { secure->async_handshake(asio::ssl::stream_base::client, done); });
  }

  ErrorCode exchange(const http::request<http::string_body>& request,
                     http::response_parser<http::string_body>& answer) {
    if (!plain && !secure) {
      if (const ErrorCode error = connect(); error) return error;
    }
    beast::flat_buffer buffer;
    const auto both = [&](auto& stream) {
      lowest().expires_after(most);
      ErrorCode error = run([&](auto done) { http::async_write(stream, request, done); });
      if (error) return error;
      return run([&](auto done) { http::async_read(stream, buffer, answer, done); });
    };
    return secure ? both(*secure) : both(*plain);
  }

  void disconnect() {
    plain.reset();
    secure.reset();
  }
};

Remote::Remote(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Remote::~Remote() = default;
Remote::Remote(Remote&&) noexcept = default;
Remote& Remote::operator=(Remote&&) noexcept = default;

Result<Remote> Remote::of(const Arguments& arguments) {
  std::string text = arguments.value("--server").value_or(environment("PAWL_SERVER"));
  if (text.empty()) text = "127.0.0.1:26500";
  auto inside = std::make_unique<Inside>();
  inside->text = text;
  inside->tls = text.starts_with("https://");
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (text.starts_with(scheme)) text.erase(0, scheme.size());
  }
  while (text.ends_with('/')) text.pop_back();
  PAWL_TRY(address, server::parse_address(text));
  inside->address = address;
  return Remote(std::move(inside));
}

const std::string& Remote::address() const { return inside_->text; }
int Remote::status() const { return inside_->status; }
void Remote::wait_for(Millis most) { inside_->most = most; }

Result<Value> Remote::send(std::string_view method, const std::string& path,
                           const std::string& body, const std::string& content_type) {
  http::request<http::string_body> request{verb_of(method), path, 11};
  request.set(http::field::host, server::to_text(inside_->address));
  request.set(http::field::accept, "application/json");
  if (const std::string secret = authorization(); !secret.empty()) {
    request.set(http::field::authorization, secret);
  }
  if (!content_type.empty()) request.set(http::field::content_type, content_type);
  request.body() = body;
  request.prepare_payload();

  // A connection that was kept may have been closed meanwhile; a fresh one may not fail.
  const bool kept = inside_->plain || inside_->secure;
  auto answer = std::make_unique<http::response_parser<http::string_body>>();
  answer->body_limit(answer_bytes);
  ErrorCode error = inside_->exchange(request, *answer);
  if (error && kept && !answer->is_header_done()) {
    inside_->disconnect();
    answer = std::make_unique<http::response_parser<http::string_body>>();
    answer->body_limit(answer_bytes);
    error = inside_->exchange(request, *answer);
  }
  if (error) {
    inside_->disconnect();
    return fail(
        Whose::machine, Code::store_unavailable,
        fmt::format("the server at {} cannot be reached: {}; is `pawl serve` running there?",
                    inside_->text, error.message()));
  }
  const auto& response = answer->get();
  if (!response.keep_alive()) inside_->disconnect();
  const int status = static_cast<int>(response.result_int());
  inside_->status = status;
  if (status >= 400) return refusal_of(status, response.body());
  if (response.body().empty()) return Value();
  if (response[http::field::content_type].starts_with("application/json")) {
    return parse_json(response.body());
  }
  return Value(response.body());
}

Result<Value> Remote::get(const std::string& path) { return send("GET", path, "", ""); }
Result<Value> Remote::post(const std::string& path, const Value& body) {
  return send("POST", path, body.is_null() ? "" : to_json(body), "application/json");
}
Result<Value> Remote::put(const std::string& path, const Value& body) {
  return send("PUT", path, to_json(body), "application/json");
}
Result<Value> Remote::patch(const std::string& path, const Value& body) {
  return send("PATCH", path, to_json(body), "application/json");
}
Result<std::string> Remote::get_text(const std::string& path) {
  PAWL_TRY(answer, get(path));
  return std::string(answer.is_string() ? answer.as_string() : "");
}

std::string text_of(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  if (!member || member->is_null()) return "";
  if (member->is_string()) return std::string(member->as_string());
  return to_json(*member);
}

Result<void> search_all(Remote& remote, const std::string& path, const Value& filter,
                        const std::function<void(const Value& item)>& each) {
  constexpr int page_size = 500;
  Value after;
  for (;;) {
    std::vector<Entry> page{{"limit", page_size}};
    if (!after.is_null()) page.push_back({"after", after});
    PAWL_TRY(
        answer,
        remote.post(path, object({{"filter", filter}, {"page", Value::context(std::move(page))}})));
    const Value* items = answer.find("items");
    const Value* about = answer.find("page");
    if (!items || !items->is_list() || !about) {
      return fail(Whose::machine, Code::store_unavailable,
                  fmt::format("{} answers as no Pawl server does", remote.address()));
    }
    for (const Value& item : items->as_list()) each(item);
    const Value* end = about->find("endCursor");
    if (items->as_list().size() < page_size || !end || end->is_null()) return {};
    after = *end;
  }
}

Exit finish(const Arguments& arguments, const Result<Value>& answer, const std::string& done) {
  if (!answer) return refuse(answer.error());
  if (arguments.has("--json")) {
    fmt::print("{}\n", to_json(answer->is_null() ? Value::context({}) : *answer));
  } else if (!done.empty()) {
    fmt::print("{}\n", done);
  }
  return Exit::done;
}

}  // namespace pawl::cli

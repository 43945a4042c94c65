// SPDX-License-Identifier: Apache-2.0
#include "cli/remote.hpp"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdlib>
#include <optional>
#include <vector>

#include "cli/connection.hpp"
#include "cli/data.hpp"
#include "cli/report.hpp"
#include "server/auth.hpp"
#include "server/listener.hpp"
#include "value/json.hpp"

namespace pawl::cli {

namespace http = boost::beast::http;
using ErrorCode = boost::system::error_code;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t answer_bytes = 256u << 20;
constexpr std::size_t read_bytes = 64u << 10;
constexpr std::size_t large_body = 1u << 20;
constexpr std::chrono::seconds longest_connecting{10};

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

struct HttpRequest {
  std::string_view method{};
  const std::string& path;
  const std::string& body;
  const std::string& content_type;
};

// A large body is sent when the server wants it: one that it refuses would be cut off on its way,
// and the refusal with it.
bool asks_first(const HttpRequest& request) { return request.body.size() > large_body; }

std::string head_to_send(const HttpRequest& request, const server::Address& address) {
  std::string out = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nAccept: application/json\r\n",
                                request.method, request.path, server::to_text(address));
  const std::string secret = authorization();
  if (!secret.empty()) out += fmt::format("Authorization: {}\r\n", secret);
  if (!request.content_type.empty()) {
    out += fmt::format("Content-Type: {}\r\n", request.content_type);
  }
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
    out += fmt::format("Content-Length: {}\r\n", request.body.size());
  }
  if (asks_first(request)) out += "Expect: 100-continue\r\n";
  return out + "\r\n";
}

std::string not_signed_in(const std::string& said) {
  constexpr std::string_view to_do = "use one of those in the file that the server has with --auth";
  if (!environment("PAWL_TOKEN").empty()) {
    return fmt::format("cannot sign in: the server does not know the token in PAWL_TOKEN; {}",
                       to_do);
  }
  if (!environment("PAWL_USER").empty()) {
    return fmt::format(
        "cannot sign in: the server does not know the user \"{}\" in PAWL_USER with "
        "the password in PAWL_PASSWORD; {}",
        environment("PAWL_USER"), to_do);
  }
  return fmt::format("sign in: {}; set PAWL_TOKEN, or PAWL_USER and PAWL_PASSWORD", said);
}

// What a problem body says, or the status alone.
Error refusal_of(int status, const std::string& body) {
  std::string text = fmt::format("the server answered {}", status);
  if (const auto problem = parse_json(body); problem && problem->is_context()) {
    const std::string detail = text_of(*problem, "detail");
    if (!detail.empty()) text = detail;
  }
  if (status == 401) text = not_signed_in(text);
  if (status == 413) text += "; send less, or start the server with a larger --max-message";
  if (status == 404) return fail(Whose::caller, Code::not_found, text);
  const bool not_supported = status == 501;
  if (status >= 500 && !not_supported) {
    return fail(Whose::machine, Code::store_unavailable, text);
  }
  return fail(Whose::caller, not_supported ? Code::not_supported : Code::invalid_argument, text);
}

}  // namespace

struct Remote::Inside {
  using Answer = http::response_parser<http::string_body>;

  static std::unique_ptr<Answer> new_answer() {
    auto made = std::make_unique<Answer>();
    made->body_limit(answer_bytes);
    made->eager(true);
    return made;
  }

  Result<void> exchange(const HttpRequest& request, std::unique_ptr<Answer>& answer) {
    answer = new_answer();
    if (!connection) {
      const Connection::Deadline soon = Clock::now() + longest_connecting;
      PAWL_TRY(made, Connection::open(address, {.tls = tls, .authorities = environment("PAWL_CA")},
                                      soon));
      connection = std::move(made);
    }
    const auto done = talk(request, answer);
    if (done) return {};
    std::string text = done.error().text + "; is `pawl serve` running there?";
    if (!tls) text += fmt::format(" If it speaks TLS, write https://{}", server::to_text(address));
    return fail(Whose::machine, Code::store_unavailable, text);
  }

  Result<void> talk(const HttpRequest& request, std::unique_ptr<Answer>& answer) {
    const Connection::Deadline until = Clock::now() + most;
    const std::string head = head_to_send(request, address);
    if (!asks_first(request)) {
      PAWL_CHECK(connection->write(head + request.body, until));
      return read(*answer, until);
    }
    PAWL_CHECK(connection->write(head, until));
    PAWL_CHECK(read(*answer, until));
    if (answer->get().result() != http::status::continue_) return {};
    answer = new_answer();
    PAWL_CHECK(connection->write(request.body, until));
    return read(*answer, until);
  }

  Result<void> read(Answer& answer, Connection::Deadline until) {
    std::string come;  // and not understood yet
    std::vector<char> room(read_bytes);
    ErrorCode error;
    while (!answer.is_done()) {
      PAWL_TRY(count, connection->read_some(room, until));
      if (count == 0 && !answer.got_some()) {
        error = http::error::end_of_stream;
      } else if (count == 0) {
        answer.put_eof(error);
      } else {
        come.append(room.data(), count);
        come.erase(0, answer.put(boost::asio::buffer(come), error));
        if (error == http::error::need_more) error = {};
      }
      if (error) break;
    }
    if (!error) return {};
    const bool alert = come.starts_with('\x15');  // as TLS begins one
    return fail(Whose::machine, Code::store_unavailable,
                alert ? "it does not answer in plain HTTP" : error.message());
  }

  std::string text{};  // as it was given
  server::Address address{};
  bool tls{false};
  Millis most{30'000};
  int status{0};
  std::optional<Connection> connection{};
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
  const HttpRequest request{
      .method = method, .path = path, .body = body, .content_type = content_type};
  inside_->status = 0;

  // A connection that was kept may have been closed meanwhile; a fresh one may not fail.
  const bool kept = inside_->connection.has_value();
  std::unique_ptr<Inside::Answer> answer;
  auto done = inside_->exchange(request, answer);
  if (!done && kept && !answer->is_header_done()) {
    inside_->connection.reset();
    done = inside_->exchange(request, answer);
  }
  if (!done) {
    inside_->connection.reset();
    if (done.error().whose == Whose::caller) return done.error();
    return fail(
        Whose::machine, Code::store_unavailable,
        fmt::format("the server at {} cannot be reached: {}", inside_->text, done.error().text));
  }
  const auto& response = answer->get();
  if (!response.keep_alive()) inside_->connection.reset();
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

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') || c == '-' || c == '_' || c == '.';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
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

Result<void> list_all(Remote& remote, const std::string& path,
                      const std::function<void(const Value& row)>& each) {
  constexpr std::size_t page_size = 1'000;
  std::string after = "0";
  for (;;) {
    PAWL_TRY(answer, remote.get(fmt::format("{}limit={}&after={}", path, page_size, after)));
    const Value* items = answer.find("items");
    if (!items || !items->is_list()) {
      return fail(
          Whose::machine, Code::store_unavailable,
          fmt::format("{} answers as no Pawl server of this version does", remote.address()));
    }
    for (const Value& row : items->as_list()) each(row);
    if (items->as_list().size() < page_size) return {};
    after = text_of(items->as_list().back(), "key");
  }
}

Exit finish(const Arguments& arguments, const Result<Value>& answer, const std::string& done) {
  if (!answer) return refuse(answer.error());
  if (arguments.has("--json")) {
    say_json(answer->is_null() ? Value::context({}) : *answer);
  } else if (!done.empty()) {
    say("{}\n", done);
  }
  return Exit::done;
}

}  // namespace pawl::cli

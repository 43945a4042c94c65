// SPDX-License-Identifier: Apache-2.0
#include "server/rest/decoder.hpp"

#include <fmt/format.h>

#include <boost/beast/http/parser.hpp>
#include <optional>

namespace pawl::server::rest {

namespace http = boost::beast::http;
namespace asio = boost::asio;
using ErrorCode = boost::system::error_code;

// A text that grows with what comes: the library's own reserves what the client promises.
struct GrowingBody {
  using value_type = std::string;
  static std::uint64_t size(const value_type& body) { return body.size(); }

  class reader {
   public:
    template <bool is_request, class Fields>
    reader(http::header<is_request, Fields>&, value_type& body) : body_(body) {}
    void init(const boost::optional<std::uint64_t>&, ErrorCode& error) { error = {}; }
    template <class Buffers>
    std::size_t put(const Buffers& buffers, ErrorCode& error) {
      error = {};
      std::size_t count = 0;
      for (auto part = asio::buffer_sequence_begin(buffers);
           part != asio::buffer_sequence_end(buffers); ++part) {
        const asio::const_buffer bytes = *part;
        body_.append(static_cast<const char*>(bytes.data()), bytes.size());
        count += bytes.size();
      }
      return count;
    }
    void finish(ErrorCode& error) { error = {}; }

   private:
    value_type& body_;
  };
};

namespace {

std::string string_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

int status_of_error(const ErrorCode& error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  return 400;
}

}  // namespace

struct Decoder::Inside {
  explicit Inside(DecoderLimits given) : limits(given) { begin(); }

  void begin() {
    parser.emplace();
    parser->eager(false);  // the header alone comes first
    parser->header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    parser->body_limit(limits.body_bytes);
    request = {};
    header_bytes = bytes = 0;
    state = State::idle;
  }

  void refuse(int number, std::string sentence) {
    state = State::refused;
    status = number;
    why = std::move(sentence);
  }

  void refuse(const ErrorCode& error) {
    const int number = status_of_error(error);
    if (number == 431) {
      return refuse(431, fmt::format("the header has more than {} bytes", limits.header_bytes));
    }
    if (number == 413) {
      return refuse(413, fmt::format("the body has more than {} bytes", limits.body_bytes));
    }
    refuse(number, fmt::format("this cannot be read as a request: {}", error.message()));
  }

  std::size_t put(std::string_view bytes);
  void read_header();
  void check_header();

  DecoderLimits limits;
  std::optional<http::request_parser<GrowingBody>> parser;
  Request request;
  std::size_t header_bytes{0};
  std::size_t bytes{0};
  State state{State::idle};
  int status{0};
  std::string why;
};

std::size_t Decoder::Inside::put(std::string_view given) {
  ErrorCode error;
  const std::size_t used = parser->put(asio::const_buffer(given.data(), given.size()), error);
  bytes += used;
  if (error && error != http::error::need_more) refuse(error);
  return used;
}

// Before the body is read: the library puts the trailers behind it among the headers.
void Decoder::Inside::read_header() {
  state = State::body;
  parser->eager(true);
  const auto& message = parser->get();
  request.method = string_of(message.method_string());
  const std::string target = string_of(message.target());
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  if (mark < target.size()) request.query = target.substr(mark + 1);
  for (const auto& field : message) {
    request.headers.push_back({string_of(field.name_string()), string_of(field.value())});
  }
  check_header();
}

// What the library lets pass, but two servers in a row could understand differently.
void Decoder::Inside::check_header() {
  const auto& message = parser->get();
  const auto count = [&](http::field name) {
    const auto found = message.equal_range(name);
    return std::distance(found.first, found.second);
  };
  if (!request.path.starts_with('/')) {
    return refuse(400, "the target of a request must be a path, such as /v2/topology");
  }
  if (message.version() == 11 && count(http::field::host) != 1) {
    return refuse(400, "a request needs exactly one host header");
  }
  const auto encoding = request.header("transfer-encoding");
  if (count(http::field::transfer_encoding) > 1 ||
      (!encoding.empty() && !same_word(encoding, "chunked"))) {
    return refuse(501, "the only transfer-encoding that is understood here is 'chunked'");
  }
  const auto expected = request.header("expect");
  if (!expected.empty() && !same_word(expected, "100-continue")) {
    refuse(417, "the only expectation that is understood here is '100-continue'");
  }
}

Decoder::Decoder(DecoderLimits limits) : inside_(std::make_unique<Inside>(limits)) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

std::size_t Decoder::feed(std::string_view bytes) {
  Inside& in = *inside_;
  std::size_t used = 0;
  // Some old clients end a body with one new line too many (RFC 9112, 2.2).
  while (in.state == State::idle && used < bytes.size() &&
         (bytes[used] == '\r' || bytes[used] == '\n')) {
    ++used;
  }
  bytes.remove_prefix(used);
  if (bytes.empty() || in.state == State::done || in.state == State::refused) return used;
  if (in.state == State::idle) in.state = State::header;
  if (in.state == State::header) {
    const std::size_t put = in.put(bytes);
    bytes.remove_prefix(put);
    used += put;
    if (in.state == State::header && in.parser->is_header_done()) in.read_header();
  }
  if (in.state == State::header) {
    // The library forgets the lines that it has read: many short ones would never be too many.
    in.header_bytes += used;
    if (in.header_bytes > in.limits.header_bytes) in.refuse(http::error::header_limit);
  }
  if (in.state == State::body && !in.parser->is_done() && !bytes.empty()) used += in.put(bytes);
  if (in.state == State::body && in.parser->is_done()) {
    in.request.body = std::move(in.parser->get().body());
    in.state = State::done;
  }
  return used;
}

Decoder::State Decoder::state() const { return inside_->state; }
std::size_t Decoder::bytes() const { return inside_->bytes; }
const Request& Decoder::request() const { return inside_->request; }
int Decoder::status() const { return inside_->status; }
const std::string& Decoder::why() const { return inside_->why; }
bool Decoder::keeps_alive() const { return inside_->parser->keep_alive(); }
bool Decoder::has_body() const {
  const std::string_view length = inside_->request.header("content-length");
  return (!length.empty() && length != "0") ||
         !inside_->request.header("transfer-encoding").empty();
}
bool Decoder::wants_continue() const {
  return inside_->state == State::body && inside_->parser->get().version() == 11 &&
         !inside_->request.header("expect").empty();
}

Request Decoder::take() {
  Request out = std::move(inside_->request);
  inside_->begin();
  return out;
}

}  // namespace pawl::server::rest

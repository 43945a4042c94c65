// SPDX-License-Identifier: Apache-2.0
#include "server/grpc/call.hpp"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <utility>

#include "server/grpc/message.hpp"

namespace pawl::server::grpc {
namespace {

constexpr std::string_view grpc_type = "application/grpc";

const Rejection answers_not_taken{
    Status::resource_exhausted,
    "there is no room for the answer: too many answers wait to be read; read them and ask again"};

Rejection too_large_message(std::size_t most) {
  return {Status::resource_exhausted,
          fmt::format("the message is larger than {} bytes, the most this server takes", most)};
}

}  // namespace

bool is_call(std::string_view content_type) {
  if (!content_type.starts_with(grpc_type)) return false;
  const std::string_view rest = content_type.substr(grpc_type.size());
  return rest.empty() || rest[0] == '+' || rest[0] == ';';
}

Call::Call(const Serving& serving) : serving_(serving) { ++serving_.metrics.calls; }
Call::~Call() = default;

// --- what comes ---------------------------------------------------------------------------------

std::optional<Rejection> Call::refused_at_the_door(const http2::Head& head) const {
  if (head.too_large) return Rejection{Status::resource_exhausted, "the headers are too large"};
  if (serving_.doorman) {
    const auto turned_away = serving_.doorman->look_at({.method = head.method,
                                                        .host = head.host,
                                                        .origin = head.field("origin"),
                                                        .fetch_site = head.field("sec-fetch-site"),
                                                        .local = local()});
    if (turned_away) return Rejection{Status::permission_denied, turned_away->text};
  }
  if (head.method != "POST") {
    return Rejection{Status::internal, "a call is made with POST"};
  }
  if (serving_.allows && !serving_.allows(head.field("authorization"))) {
    return Rejection{Status::unauthenticated,
                     "sign in: send the header authorization with a token or user and password "
                     "that this server knows"};
  }
  return std::nullopt;
}

void Call::head_came(http2::Head head) {
  if (const auto refused = refused_at_the_door(head)) return fail(*refused);
  path_ = std::move(head.path);
  encoding_ = head.field("grpc-encoding");
  const std::string_view timeout = head.field("grpc-timeout");
  if (timeout.empty()) return;
  const auto within = parse_timeout(timeout);
  if (!within) {
    return fail({Status::invalid_argument,
                 fmt::format("grpc-timeout '{}' is no timeout; write up to 8 digits and H, M, S, "
                             "m, u or n, for example 5S",
                             timeout.substr(0, 40))});
  }
  if (*within == Millis(0))
    return fail({Status::deadline_exceeded, "the deadline had passed already"});
  set_deadline(*within);
}

void Call::set_deadline(Millis timeout) {
  deadline_ = loop().after(timeout, [weak = weak_from_this()] {
    const auto late = std::static_pointer_cast<Call>(weak.lock());
    if (!late || late->gone()) return;
    late->fail_and_tell({Status::deadline_exceeded, "the deadline of the call has passed"});
  });
}

void Call::data_came() {
  if (!announces_more_than(input_, serving_.message_bytes)) return;
  drop_request();
  fail(too_large_message(serving_.message_bytes));
}

void Call::request_came() {
  Unpacked unpacked = unpack(input_, encoding_, serving_.message_bytes);
  const std::size_t came = input_.size();
  std::string().swap(input_);
  if (unpacked.rejection.status != Status::ok) return fail(unpacked.rejection);
  const std::size_t bytes = unpacked.message.size();
  if (bytes > came && !hold_request(bytes - came)) return refuse(http2::Refusal::no_room);
  message_ = std::move(unpacked.message);
  serving_.handle(self());
  std::string().swap(message_);
}

void Call::refuse(http2::Refusal why) {
  switch (why) {
    case http2::Refusal::late:
      return fail({Status::deadline_exceeded, "the request was not complete in time"});
    case http2::Refusal::no_room:
      return fail({Status::resource_exhausted, "too many large requests at once; try later"});
    case http2::Refusal::shutting_down:
      return fail({Status::unavailable, "the server is shutting down; connect again"});
  }
}

void Call::shutting_down() {
  if (!on_gone || gone()) return;
  fail_and_tell({Status::unavailable, "the server is shutting down; connect again"});
}

void Call::all_taken() {
  if (on_drained) on_drained();
}

void Call::ended(bool cut) {
  --serving_.metrics.calls;
  loop().cancel(deadline_);
  loop().cancel(timer_);
  const auto told = std::exchange(on_gone, {});
  const auto left = std::exchange(on_left, {});
  on_drained = {};
  if (cut && told) told();
  if (cut && left) left();
}

// --- what is answered ---------------------------------------------------------------------------

void Call::after(Millis pause, Loop::Task task) {
  if (!gone()) timer_ = loop().after(pause, std::move(task));
}

void Call::begin() {
  if (gone() || std::exchange(answering_, true)) return;
  say_head({{":status", "200"},
            {"content-type", std::string(grpc_type)},
            {"grpc-accept-encoding", "identity,deflate,gzip"}},
           false);
}

bool Call::put_message(std::string_view message) {
  std::string prefix;
  append_prefix(prefix, message.size());
  return put(prefix, message);
}

void Call::send(std::string_view message) {
  if (gone()) return;
  if (!put_message(message)) {
    // What was put before may be under way, so the answer cannot become a refusal. Later, because
    // the handler has not yet noted what it has just sent.
    choked_ = true;
    return loop().at_end([self = self()] { self->reset(NGHTTP2_ENHANCE_YOUR_CALM); });
  }
  begin();
  say_more();
}

void Call::reply(std::string_view message) {
  if (gone()) return;
  if (!put_message(message)) return fail(answers_not_taken);
  begin();
  end(Status::ok, {});
}

void Call::finish() {
  if (!gone()) end(Status::ok, {});
}

void Call::fail(const Rejection& rejection) {
  if (!gone()) end(rejection.status, rejection.text);
}

void Call::fail_and_tell(const Rejection& rejection) {
  const auto told = std::exchange(on_gone, {});
  const auto left = std::exchange(on_left, {});
  fail(rejection);
  if (told) told();
  if (left) left();
}

void Call::end(Status status, std::string_view text) {
  std::vector<http2::Field> trailers{{"grpc-status", std::to_string(static_cast<int>(status))}};
  if (!text.empty()) trailers.push_back({"grpc-message", percent_encoded(text)});
  drop_request();
  loop().cancel(deadline_);
  loop().cancel(timer_);
  if (answering_) return say_end(std::move(trailers));
  answering_ = true;
  trailers.insert(trailers.begin(), {{":status", "200"}, {"content-type", std::string(grpc_type)}});
  say_head(trailers, true);
}

}  // namespace pawl::server::grpc

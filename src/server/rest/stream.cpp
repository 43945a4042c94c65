// SPDX-License-Identifier: Apache-2.0
#include "server/rest/stream.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <utility>

#include "server/rest/problem.hpp"

namespace pawl::server::rest {
namespace {

std::shared_ptr<Request> request_of(http2::Head head) {
  auto request = std::make_shared<Request>();
  request->method = std::move(head.method);
  const std::size_t mark = std::min(head.path.find('?'), head.path.size());
  request->path = head.path.substr(0, mark);
  if (mark < head.path.size()) request->query = head.path.substr(mark + 1);
  request->headers.push_back({"host", std::move(head.host)});
  for (http2::Field& field : head.fields) {
    if (field.name != "host") {
      request->headers.push_back({std::move(field.name), std::move(field.value)});
    }
  }
  return request;
}

std::vector<http2::Field> head_of(const Response& response) {
  const auto now = fmt::gmtime(std::chrono::system_clock::now());
  std::vector<http2::Field> head{{":status", std::to_string(response.status)},
                                 {"date", fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", now)}};
  if (!response.content_type.empty()) head.push_back({"content-type", response.content_type});
  if (response.status != 204) {
    head.push_back({"content-length", std::to_string(response.body.size())});
  }
  for (const Header& header : response.headers) head.push_back({header.name, header.value});
  return head;
}

}  // namespace

StreamExchange::StreamExchange(Session::Handle handle,
                               std::shared_ptr<const SessionOptions> options)
    : handle_(std::move(handle)), options_(std::move(options)) {
  if (options_->under_way) ++*options_->under_way;
}

// --- what comes ---------------------------------------------------------------------------------

void StreamExchange::head_came(http2::Head head) {
  const bool too_large = head.too_large, has_body = !head.is_all;
  request_ = request_of(std::move(head));
  path_ = request_->path;
  only_header_ = request_->method == "HEAD";
  if (too_large) {
    return refuse(431,
                  fmt::format("the header has more than {} bytes", options_->limits.header_bytes));
  }
  if (!path_.starts_with('/')) {
    return refuse(400, "the target of a request must be a path, such as /v2/topology");
  }
  if (auto refused = options_->door.refuse(*request_, has_body, local())) {
    respond(std::move(*refused));
  }
}

void StreamExchange::data_came() {
  if (input_.size() <= options_->limits.body_bytes) return;
  drop_request();
  refuse(413, fmt::format("the body has more than {} bytes", options_->limits.body_bytes));
}

void StreamExchange::request_came() {
  auto request = std::exchange(request_, nullptr);
  request->body = std::move(input_);
  request->caller = peer();
  request->client = self();
  request->share = request_share();
  handle_(request, [self = self(), share = request->share](Response response) {
    self->loop().post([self, share, response = std::move(response)]() mutable {
      if (share) share->set(0);  // it is done
      if (!self->is_over()) return self->respond(std::move(response));
      if (response.lost) response.lost();
    });
  });
}

void StreamExchange::refuse(http2::Refusal why) {
  switch (why) {
    case http2::Refusal::late:
      return refuse(408, "the request did not come in time");
    case http2::Refusal::no_room:
      return refuse(503, "too many large requests at once; try later");
    case http2::Refusal::shutting_down:
      return refuse(503, "the server is shutting down; connect again");
  }
}

// Who waits for long does not want to wait on.
void StreamExchange::shutting_down() {
  if (!gone_ || is_over()) return;
  const auto told = std::exchange(gone_, {});
  refuse(http2::Refusal::shutting_down);
  told();
}

void StreamExchange::ended(bool cut) {
  if (options_->under_way) --*options_->under_way;
  loop().cancel(timer_);
  request_ = nullptr;
  const auto gone = std::exchange(gone_, {});
  const auto left = std::exchange(left_, {});
  const auto lost = std::exchange(lost_, {});
  if (cut && gone) gone();
  if (cut && left) left();
  if (cut && lost) lost();
}

// --- what is answered ---------------------------------------------------------------------------

void StreamExchange::after(Millis pause, std::function<void()> then) {
  if (!is_over()) timer_ = loop().after(pause, std::move(then));
}

void StreamExchange::refuse(int status, std::string detail) {
  respond(response_of(
      {.status = status, .title = std::string(reason_of(status)), .detail = std::move(detail)},
      path_));
}

void StreamExchange::respond(Response response) {
  if (is_over()) return;
  loop().cancel(timer_);
  gone_ = {};
  left_ = {};
  request_ = nullptr;
  drop_request();
  const bool has_body = !only_header_ && response.status != 204 && !response.body.empty();
  if (has_body && !put({}, response.body)) {
    if (response.lost) response.lost();
    return say_head({{":status", "503"}, {"content-length", "0"}}, true);
  }
  lost_ = std::move(response.lost);
  say_head(head_of(response), !has_body);
  if (has_body) say_end({});
}

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
#include "server/rest/router.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "server/rest/openapi.hpp"
#include "server/rest/problem.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::size_t most_segments = 12;

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> out;
  while (path.starts_with('/') && out.size() <= most_segments) {
    path.remove_prefix(1);
    out.push_back(path.substr(0, path.find('/')));
    path.remove_prefix(out.back().size());
  }
  return out;
}

bool is_part(std::string_view segment) { return segment.starts_with('{'); }

std::string_view media_type(std::string_view content_type) {
  std::string_view out = content_type.substr(0, content_type.find(';'));
  while (out.ends_with(' ') || out.ends_with('\t')) out.remove_suffix(1);
  return out;
}

// Why the body cannot be read; "" if it can.
std::string wrong_media(const Route& route, const Request& request) {
  if (request.body.empty() && route.takes != Takes::form) return {};
  const std::string_view encoding = request.header("content-encoding");
  if (!encoding.empty() && !same_word(encoding, "identity")) {
    return fmt::format("a body with content-encoding '{}' cannot be read; send it as it is",
                       encoding);
  }
  const std::string_view type = media_type(request.header("content-type"));
  if (route.takes == Takes::form) {
    if (same_word(type, "multipart/form-data")) return {};
    return fmt::format("expected a body of type multipart/form-data, but got '{}'", type);
  }
  if (type.empty()) return "the body has no content-type; say what it is: application/json";
  const bool json = same_word(type, "application/json") ||
                    (type.size() > 5 && same_word(type.substr(type.size() - 5), "+json"));
  return json ? "" : fmt::format("expected a body of type application/json, but got '{}'", type);
}

Problem plain_problem(int status, std::string detail) {
  return {.status = status, .title = std::string(reason_of(status)), .detail = std::move(detail)};
}

}  // namespace

struct Router::Pattern {
  std::vector<std::string_view> segments;
  std::size_t literals{0};
};

struct Router::Match {
  const Route* route{nullptr};  // null: none
  std::vector<std::string> keys{};
  std::string allowed{};  // methods of the path, if there is such a path
};

Routes all_routes() {
  Routes routes;
  for (const auto add :
       {add_cluster, add_deployments, add_instances, add_migration, add_jobs, add_messages,
        add_user_tasks, add_loops, add_ad_hoc, add_queries, add_refused, add_operations_pages}) {
    add(routes);
  }
  return routes;
}

Router::Router(Context context, Routes routes)
    : context_(std::move(context)), routes_(std::move(routes)) {
  routes_.push_back({.method = "GET",
                     .path = "/v2/openapi.json",
                     .group = "Cluster",
                     .summary = "This document",
                     .handle =
                         [this](Context&, const RequestPtr&, const Answer& answer) {
                           answer({.content_type = "application/json", .body = document_});
                           return Result<void>();
                         },
                     .answer = "the OpenAPI description of this server"});
  for (const Route& route : routes_) {
    Pattern& pattern = patterns_.emplace_back(segments_of(route.path));
    pattern.literals = static_cast<std::size_t>(
        std::count_if(pattern.segments.begin(), pattern.segments.end(),
                      [](std::string_view segment) { return !is_part(segment); }));
  }
  document_ = openapi(routes_);
}

Router::~Router() = default;

// A path that is written out wins over one with {parts}.
Router::Match Router::find(const Request& request) const {
  const auto segments = segments_of(request.path);
  const auto fits = [&](const Pattern& pattern) {
    return std::equal(segments.begin(), segments.end(), pattern.segments.begin(),
                      pattern.segments.end(), [](std::string_view got, std::string_view wanted) {
                        return is_part(wanted) ? !got.empty() : got == wanted;
                      });
  };
  const std::string_view asked = request.method;
  const std::string_view method = asked == "HEAD" ? "GET" : asked;
  Match match;
  std::size_t best = 0;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    if (patterns_[i].literals < best || !fits(patterns_[i])) continue;
    if (patterns_[i].literals > best) match = {};
    best = patterns_[i].literals;
    match.allowed += (match.allowed.empty() ? "" : ", ") + std::string(routes_[i].method);
    if (routes_[i].method != method) continue;
    match.route = &routes_[i];
    for (std::size_t k = 0; k < segments.size(); ++k) {
      if (is_part(patterns_[i].segments[k])) match.keys.push_back(percent_decoded(segments[k]));
    }
  }
  return match;
}

void Router::handle(const std::shared_ptr<Request>& request, const Answer& answer) {
  Match match = find(*request);
  if (match.allowed.empty()) {
    return answer(response_of(
        plain_problem(404, fmt::format("there is no {} here; GET /v2/openapi.json lists what is",
                                       request->path.substr(0, 200))),
        request->path));
  }
  if (!match.route) {
    Response response =
        response_of(plain_problem(405, fmt::format("{} is not possible here, but {}",
                                                   request->method.substr(0, 50), match.allowed)),
                    request->path);
    response.headers.push_back({"allow", match.allowed});
    return answer(std::move(response));
  }
  if (std::string wrong = wrong_media(*match.route, *request); !wrong.empty()) {
    return answer(response_of(plain_problem(415, std::move(wrong)), request->path));
  }
  request->keys = std::move(match.keys);
  call(*match.route, request, answer);
  std::string().swap(request->body);
}

void Router::call(const Route& route, const RequestPtr& request, const Answer& answer) {
  const auto begun = route.handle(context_, request, answer);
  if (!begun) answer(response_of(problem_of(begun.error(), ""), request->path));
}

}  // namespace pawl::server::rest

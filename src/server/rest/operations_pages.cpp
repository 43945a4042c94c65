// SPDX-License-Identifier: Apache-2.0
// Routes for those who run the server: metrics and health.
#include "server/rest/metrics_page.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::string_view prometheus = "text/plain; version=0.0.4; charset=utf-8";

Result<void> metrics(Context& context, const RequestPtr&, const Answer& answer) {
  answer({.content_type = std::string(prometheus),
          .body = metrics_page(context.operations.metrics(), context.operations.node())});
  return {};
}

Result<void> live(Context&, const RequestPtr&, const Answer& answer) {
  answer(json_response(object({{"status", "UP"}})));
  return {};
}

Result<void> ready(Context& context, const RequestPtr&, const Answer& answer) {
  const bool is = context.is_ready();
  Response response = json_response(object({{"status", is ? "UP" : "DOWN"}}));
  if (!is) response.status = 503;
  answer(std::move(response));
  return {};
}

}  // namespace

void add_operations_pages(Routes& routes) {
  routes.push_back({.method = "GET",
                    .path = "/metrics",
                    .group = "Operation",
                    .summary = "What the server counts, for Prometheus",
                    .handle = metrics,
                    .answer = "metrics",
                    .content_type = prometheus});
  routes.push_back({.method = "GET",
                    .path = "/health/live",
                    .group = "Operation",
                    .summary = "Whether the process answers at all",
                    .handle = live,
                    .answer = "it does"});
  routes.push_back({.method = "GET",
                    .path = "/health/ready",
                    .group = "Operation",
                    .summary = "Whether it can do its work",
                    .handle = ready,
                    .answer = "it can; 503: it cannot"});
}

}  // namespace pawl::server::rest

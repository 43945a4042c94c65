// SPDX-License-Identifier: Apache-2.0
// Routes for those who run the server: metrics and health.
#include "server/rest/fields.hpp"
#include "server/rest/metrics_page.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::string_view prometheus = "text/plain; version=0.0.4; charset=utf-8";

// On the pool: it asks the index.
Result<void> metrics(Context& context, const RequestPtr&, const Answer& answer) {
  return on_pool(context, Work::metrics, [&operations = context.operations, answer] {
    answer({.content_type = std::string(prometheus),
            .body = metrics_page(operations.metrics(), operations.node())});
  });
}

Result<void> live(Context&, const RequestPtr&, const Answer& answer) {
  answer(json_response(object({{"status", "UP"}})));
  return {};
}

Result<void> ready(Context& context, const RequestPtr&, const Answer& answer) {
  const std::string trouble = context.trouble();
  if (trouble.empty()) {
    answer(json_response(object({{"status", "UP"}})));
    return {};
  }
  Response response = json_response(object({{"status", "DOWN"}, {"reason", trouble}}));
  response.status = 503;
  answer(std::move(response));
  return {};
}

Result<void> backup(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(fields, read_fields(*request));
  if (fields.has("directory")) {
    return fail(Whose::caller, Code::invalid_argument,
                "directory: backups are made below the directory that the server was given with "
                "--backups; give only a name for the new one, as name");
  }
  PAWL_TRY(name, fields.text("name"));
  return on_pool(context, Work::backup,
                 [&operations = context.operations, to = Answering{request, answer}, name = name] {
                   const auto made = operations.backup(name, {to.request->caller});
                   if (!made) return to.refuse(made.error(), "");
                   to.answer(json_response(
                       object({{"name", name},
                               {"directory", made->directory},
                               {"lastRecord", static_cast<std::int64_t>(made->last_record)}})));
                 });
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
                    .answer = "it can; 503: it cannot, and the reason"});
  routes.push_back(
      {.method = "POST",
       .path = "/v2/pawl/backup",
       .group = "Pawl",
       .summary = "Copies everything to a new directory below that of --backups, while it works",
       .handle = backup,
       .takes = Takes::json,
       .fields = {{"name", "string", "of the new directory", true}},
       .answer = "the directory and the number of its last record"});
}

}  // namespace pawl::server::rest

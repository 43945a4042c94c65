// SPDX-License-Identifier: Apache-2.0
// Route: one operation of the REST API: where it is, what it takes and gives, and who does it. The
// router and the OpenAPI document both come from the one table of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "server/operations.hpp"
#include "server/pool.hpp"
#include "server/rest/exchange.hpp"

namespace pawl::server::rest {

// What handlers work with. Everything outlives the router.
struct Context {
  Operations& operations;
  // For work that takes its time. False: too much waits already.
  std::function<bool(Work, std::function<void()>, store::PatiencePtr)> on_pool{};
  // Why it cannot do its work; "": it can.
  std::function<std::string()> trouble{[] { return std::string(); }};
  std::string host{"127.0.0.1"};  // where clients find this server
  std::uint16_t port{26500};
  std::size_t most_polls{20'000};
  Millis search_patience{server::search_patience};
  std::size_t answer_bytes{4u << 20};  // of one answer with jobs
};

// An error means that nothing was begun; it is answered for the handler.
using Handler =
    std::function<Result<void>(Context& context, const RequestPtr& request, const Answer& answer)>;

enum class Takes : std::uint8_t { nothing, json, form };

struct FieldText {
  std::string_view name{};
  std::string_view type{};  // of JSON schema; "key"; "[string]" for a list
  std::string_view description{};
  bool required{false};
};

struct Route {
  std::string_view method{};
  std::string_view path{};  // "/v2/jobs/{jobKey}/completion"
  std::string_view group{};
  std::string_view summary{};
  Handler handle{};
  Takes takes{Takes::nothing};
  std::vector<FieldText> fields{};  // of the request
  int status{200};
  std::string_view answer{};  // in words
  std::string_view content_type{"application/json"};
};

using Routes = std::vector<Route>;

// The routes of each group, in the order of the document.
void add_cluster(Routes& routes);
void add_deployments(Routes& routes);
void add_instances(Routes& routes);
void add_migration(Routes& routes);
void add_jobs(Routes& routes);
void add_messages(Routes& routes);
void add_user_tasks(Routes& routes);
void add_loops(Routes& routes);
void add_ad_hoc(Routes& routes);
void add_queries(Routes& routes);
void add_refused(Routes& routes);
void add_operations_pages(Routes& routes);  // /metrics and /health

Routes all_routes();

}  // namespace pawl::server::rest

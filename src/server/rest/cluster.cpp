// SPDX-License-Identifier: Apache-2.0
// Routes about the server itself.
#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"
#include "server/rest/version.hpp"

namespace pawl::server::rest {
namespace {

Value broker_of(const Context& context, std::uint32_t shards) {
  const std::string_view health = context.trouble().empty() ? "healthy" : "unhealthy";
  List partitions;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    partitions.push_back(object(
        {{"partitionId", static_cast<int>(shard + 1)}, {"role", "leader"}, {"health", health}}));
  }
  return object({{"nodeId", 0},
                 {"host", context.host},
                 {"port", static_cast<int>(context.port)},
                 {"version", api_version},
                 {"partitions", std::move(partitions)}});
}

Result<void> answer_topology(Context& context, const RequestPtr&, const Answer& answer) {
  const std::uint32_t shards = context.operations.node().shards();
  answer(json_response(object({{"brokers", Value::list({broker_of(context, shards)})},
                               {"clusterId", Value()},
                               {"clusterSize", 1},
                               {"partitionsCount", static_cast<int>(shards)},
                               {"replicationFactor", 1},
                               {"gatewayVersion", api_version},
                               {"lastCompletedChangeId", "-1"}})));
  return {};
}

Result<void> status(Context& context, const RequestPtr& request, const Answer& answer) {
  std::string trouble = context.trouble();
  if (trouble.empty()) {
    answer(no_content());
    return {};
  }
  answer(response_of(
      {.status = 503, .title = std::string(reason_of(503)), .detail = std::move(trouble)},
      request->path));
  return {};
}

Result<void> license(Context&, const RequestPtr&, const Answer& answer) {
  answer(json_response(object({{"validLicense", true},
                               {"licenseType", "Apache-2.0"},
                               {"isCommercial", false},
                               {"expiresAt", Value()}})));
  return {};
}

}  // namespace

void add_cluster(Routes& routes) {
  routes.push_back({.method = "GET",
                    .path = "/v2/topology",
                    .group = "Cluster",
                    .summary = "Who serves, and with how many partitions",
                    .handle = answer_topology,
                    .answer = "brokers, partitions and versions"});
  routes.push_back({.method = "GET",
                    .path = "/v2/status",
                    .group = "Cluster",
                    .summary = "Whether the server can do its work",
                    .handle = status,
                    .status = 204,
                    .answer = "it can"});
  routes.push_back({.method = "GET",
                    .path = "/v2/license",
                    .group = "Cluster",
                    .summary = "The licence of the server",
                    .handle = license,
                    .answer = "the licence"});
}

}  // namespace pawl::server::rest

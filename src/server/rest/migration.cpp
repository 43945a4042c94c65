// SPDX-License-Identifier: Apache-2.0
// Routes that let a running instance go on in another version of its process, or in another
// process: one as clients know it, where the plan names every element, and one of Pawl's own, where
// elements keep their ids unless it says otherwise.
#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

using Moves = std::vector<runtime::MigrateRequest::Move>;

Result<Moves> moves_in(const Fields& fields) {
  PAWL_TRY(items, fields.objects("mappingInstructions"));
  Moves moves;
  for (const Fields& item : items) {
    PAWL_TRY(from, item.text("sourceElementId"));
    PAWL_TRY(to, item.text("targetElementId"));
    moves.push_back({std::move(from), std::move(to)});
  }
  return moves;
}

Result<void> by_plan(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(instance, path_key(*request, "processInstanceKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(definition, fields.key_or("targetProcessDefinitionKey", Key::none));
  if (definition == Key::none) {
    return fields.wrong("targetProcessDefinitionKey", "the key of a process definition");
  }
  if (!fields.has("mappingInstructions")) {
    return fields.wrong("mappingInstructions", "a list of source and target elements");
  }
  PAWL_TRY(moves, moves_in(fields));
  context.operations.migrate(
      {.instance = instance, .definition = definition, .moves = std::move(moves)},
      {request->caller}, replying_done({request, answer}, "MIGRATE"));
  return {};
}

Result<void> by_ids(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(instance, path_key(*request, "processInstanceKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(process, fields.text("processDefinitionId"));
  PAWL_TRY(version,
           fields.number_or("processDefinitionVersion", -1, {.least = -1, .most = INT32_MAX}));
  PAWL_TRY(moves, moves_in(fields));
  context.operations.migrate({.instance = instance,
                              .process = std::move(process),
                              .version = static_cast<std::int32_t>(version),
                              .moves = std::move(moves),
                              .same_ids = true},
                             {request->caller}, replying_done({request, answer}, "MIGRATE"));
  return {};
}

}  // namespace

void add_migration(Routes& routes) {
  routes.push_back({.method = "POST",
                    .path = "/v2/process-instances/{processInstanceKey}/migration",
                    .group = "Process instance",
                    .summary = "Lets an instance go on in another process definition",
                    .handle = by_plan,
                    .takes = Takes::json,
                    .fields = {{"targetProcessDefinitionKey", "key", "the one to follow", true},
                               {"mappingInstructions", "[object]",
                                "sourceElementId and targetElementId of each active element and of "
                                "each event that stays",
                                true}},
                    .status = 204,
                    .answer = "migrated"});
  routes.push_back({.method = "POST",
                    .path = "/v2/pawl/process-instances/{processInstanceKey}/migration",
                    .group = "Pawl",
                    .summary = "The same; elements keep their ids unless it says otherwise",
                    .handle = by_ids,
                    .takes = Takes::json,
                    .fields = {{"processDefinitionId", "string", "the process to follow", true},
                               {"processDefinitionVersion", "integer", "-1: the latest"},
                               {"mappingInstructions", "[object]",
                                "sourceElementId and targetElementId of those with another id"}},
                    .status = 204,
                    .answer = "migrated"});
}

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
// Routes for running multi-instance bodies: more iterations, one less, enough, or stop. The key is
// that of the body's element instance; of the iteration, to remove it.
#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

Result<void> add(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(body, path_key(*request, "elementInstanceKey"));
  PAWL_TRY(fields, read_fields(*request));
  if (fields.has("count") == fields.has("items")) {
    return fields.wrong("count", "it or items, and not both");
  }
  PAWL_TRY(count, fields.number_or("count", 0, {.least = 1, .most = UINT32_MAX}));
  PAWL_TRY(items, fields.list_or("items"));
  context.operations.add_iterations(body, static_cast<std::uint32_t>(count), std::move(items),
                                    {request->caller},
                                    replying_done({request, answer}, "ADD_ITERATIONS"));
  return {};
}

Result<void> remove(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(iteration, path_key(*request, "elementInstanceKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(completed, fields.flag_or("completed", false));
  context.operations.remove_iteration(iteration, completed, {request->caller},
                                      replying_done({request, answer}, "REMOVE_ITERATION"));
  return {};
}

Handler ending(bool cancel) {
  return
      [cancel](Context& context, const RequestPtr& request, const Answer& answer) -> Result<void> {
        PAWL_TRY(body, path_key(*request, "elementInstanceKey"));
        context.operations.end_loop(
            body, cancel, {request->caller},
            replying_done({request, answer}, cancel ? "CANCEL_LOOP" : "COMPLETE_LOOP"));
        return {};
      };
}

}  // namespace

void add_loops(Routes& routes) {
  routes.push_back({.method = "POST",
                    .path = "/v2/pawl/loops/{elementInstanceKey}/iterations",
                    .group = "Pawl",
                    .summary = "More iterations for a multi-instance body that runs",
                    .handle = add,
                    .takes = Takes::json,
                    .fields = {{"count", "integer", "how many, for a loop that counts"},
                               {"items", "[any]", "for a loop over a collection"}},
                    .status = 204,
                    .answer = "added"});
  routes.push_back(
      {.method = "POST",
       .path = "/v2/pawl/iterations/{elementInstanceKey}/removal",
       .group = "Pawl",
       .summary = "Ends one iteration of a multi-instance body; the others go on",
       .handle = remove,
       .takes = Takes::json,
       .fields = {{"completed", "boolean", "it counts as completed; else as never planned"}},
       .status = 204,
       .answer = "removed"});
  routes.push_back({.method = "POST",
                    .path = "/v2/pawl/loops/{elementInstanceKey}/completion",
                    .group = "Pawl",
                    .summary = "Ends the body now, with what it has collected",
                    .handle = ending(false),
                    .status = 204,
                    .answer = "completed"});
  routes.push_back({.method = "POST",
                    .path = "/v2/pawl/loops/{elementInstanceKey}/cancellation",
                    .group = "Pawl",
                    .summary = "Terminates the body and all that is in it",
                    .handle = ending(true),
                    .status = 204,
                    .answer = "terminated"});
}

}  // namespace pawl::server::rest

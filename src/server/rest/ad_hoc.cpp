// SPDX-License-Identifier: Apache-2.0
// Routes for running ad-hoc sub-processes: start elements in one, or complete it. The key is that
// of its element instance.
#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

Result<void> start_elements(Context& context, const RequestPtr& request, const Answer& answer) {
  engine::ActivateActivities order;
  PAWL_TRY(key, path_key(*request, "adHocSubProcessInstanceKey"));
  order.ad_hoc = key;
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(cancels, fields.flag_or("cancelRemainingInstances", false));
  order.cancel_remaining = cancels;
  PAWL_TRY(elements, fields.objects("elements"));
  if (elements.empty()) return fields.wrong("elements", "a list with at least one element");
  for (const Fields& one : elements) {
    PAWL_TRY(id, one.text("elementId"));
    PAWL_TRY(variables, one.object_or("variables"));
    order.activities.push_back({id, variables});
  }
  context.operations.activate_activities(
      std::move(order), {request->caller},
      replying_done({request, answer}, "ACTIVATE_AD_HOC_SUB_PROCESS_ACTIVITIES"));
  return {};
}

Result<void> complete_ad_hoc(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(key, path_key(*request, "adHocSubProcessInstanceKey"));
  context.operations.complete_ad_hoc(
      key, {request->caller}, replying_done({request, answer}, "COMPLETE_AD_HOC_SUB_PROCESS"));
  return {};
}

}  // namespace

void add_ad_hoc(Routes& routes) {
  routes.push_back(
      {.method = "POST",
       .path = "/v2/element-instances/ad-hoc-activities/{adHocSubProcessInstanceKey}/activation",
       .group = "Ad-hoc sub-process",
       .summary = "Starts elements in an ad-hoc sub-process that runs",
       .handle = start_elements,
       .takes = Takes::json,
       .fields = {{"elements", "[object]",
                   "elementId, and variables that are local to what is started", true},
                  {"cancelRemainingInstances", "boolean", "what runs in it ends first"}},
       .status = 204,
       .answer = "started"});
  routes.push_back({.method = "POST",
                    .path = "/v2/pawl/ad-hoc/{adHocSubProcessInstanceKey}/completion",
                    .group = "Pawl",
                    .summary = "Completes an ad-hoc sub-process in which nothing runs",
                    .handle = complete_ad_hoc,
                    .status = 204,
                    .answer = "completed"});
}

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
// Routes that clients know but this version cannot do: each says so, and what to do instead.
#include <fmt/format.h>

#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

struct Refused {
  std::string_view method;
  std::string_view path;
  std::string_view group;
  std::string_view what;  // "modifying an instance"
  std::string_view instead;
};

constexpr std::string_view as_job = "a user task is a job here: its worker decides who does it";
constexpr std::string_view use_script = "use FEEL in a script task or a mapping";

constexpr Refused refused_routes[] = {
    {"POST", "/v2/resources/{resourceKey}/deletion", "Resource", "deleting a resource",
     "deploy a new version instead"},
    {"POST", "/v2/process-instances/{processInstanceKey}/modification", "Process instance",
     "modifying an instance", "cancel it and start another one"},
    {"POST", "/v2/conditionals/evaluation", "Conditional", "evaluating conditional start events",
     "start the process by its id"},
    {"POST", "/v2/user-tasks/{userTaskKey}/assignment", "User task", "assigning a user task",
     as_job},
    {"DELETE", "/v2/user-tasks/{userTaskKey}/assignee", "User task", "unassigning a user task",
     as_job},
    {"PATCH", "/v2/user-tasks/{userTaskKey}", "User task", "changing a user task", as_job},
    {"PATCH", "/v2/user-tasks/{userTaskKey}/update", "User task", "changing a user task", as_job},
    {"GET", "/v2/user-tasks/{userTaskKey}/form", "User task", "showing a form",
     "forms are not kept here"},
    {"PUT", "/v2/clock", "Clock", "setting the clock",
     "use `pawl run`, whose time is virtual, for tests"},
    {"POST", "/v2/clock/reset", "Clock", "setting the clock",
     "use `pawl run`, whose time is virtual, for tests"},
    {"POST", "/v2/decision-definitions/evaluation", "Decision definition", "evaluating a decision",
     use_script},
    {"POST", "/v2/decision-definitions/search", "Decision definition", "searching decisions",
     use_script},
    {"GET", "/v2/decision-definitions/{decisionDefinitionKey}", "Decision definition",
     "showing a decision", use_script},
    {"GET", "/v2/decision-definitions/{decisionDefinitionKey}/xml", "Decision definition",
     "showing a decision", use_script},
    {"POST", "/v2/decision-requirements/search", "Decision requirements", "searching decisions",
     use_script},
    {"GET", "/v2/decision-requirements/{decisionRequirementsKey}", "Decision requirements",
     "showing a decision", use_script},
    {"GET", "/v2/decision-requirements/{decisionRequirementsKey}/xml", "Decision requirements",
     "showing a decision", use_script},
    {"POST", "/v2/decision-instances/search", "Decision instance", "searching decisions",
     use_script},
    {"GET", "/v2/decision-instances/{decisionEvaluationInstanceKey}", "Decision instance",
     "showing a decision", use_script},
    {"POST", "/v2/correlated-message-subscriptions/search", "Message subscription",
     "searching correlated messages", "GET the history of the instance with `pawl show`"},
    {"GET", "/v2/process-instances/{processInstanceKey}/call-hierarchy", "Process instance",
     "showing who called an instance",
     "POST /v2/process-instances/search shows parentProcessInstanceKey"},
    {"POST", "/v2/process-definitions/{processDefinitionKey}/statistics/element-instances",
     "Process definition", "counting the elements of all instances",
     "GET the statistics of each instance"},
};

}  // namespace

void add_refused(Routes& routes) {
  for (const Refused& row : refused_routes) {
    const auto text =
        fmt::format("{} is not supported by this version of Pawl; {}", row.what, row.instead);
    routes.push_back({.method = row.method,
                      .path = row.path,
                      .group = row.group,
                      .summary = "Not supported by this version",
                      .handle = [text](Context&, const RequestPtr&, const Answer&) -> Result<void> {
                        return fail(Whose::caller, Code::not_supported, text);
                      },
                      .status = 501,
                      .answer = "a problem that says what to do instead"});
  }
}

}  // namespace pawl::server::rest

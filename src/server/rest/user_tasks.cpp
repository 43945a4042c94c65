// SPDX-License-Identifier: Apache-2.0
// Routes for user tasks. Here a user task is a job whose type begins with "user-task:"; its key is
// the key of the job, and the key of the element instance is taken too.
#include <fmt/format.h>

#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::string_view type_prefix = "user-task:";

Result<Key> find_task(runtime::Node& node, Key key) {
  PAWL_CHECK(node.catch_up());
  PAWL_TRY(instance, node.index().owner_of(key));
  if (instance) {
    PAWL_TRY(jobs, node.index().jobs({.instance = *instance}));
    for (const store::JobRow& job : jobs) {
      if (!job.type.starts_with(type_prefix)) continue;
      if (job.key == key || job.element == key) return job.key;
    }
  }
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no open user task with the key {}", number(key)));
}

Result<void> complete_user_task(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(key, path_key(*request, "userTaskKey"));
  PAWL_TRY(fields, read_fields(*request));
  PAWL_TRY(variables, fields.object_or("variables"));
  const Answering asked{request, answer};
  return ask_on_pool(
      context, Work::search, asked,
      [&operations = context.operations, to = asked, key = key, variables = variables] {
        const auto job = find_task(operations.node(), key);
        if (!job) return to.refuse(job.error(), "COMPLETE");
        operations.complete_job(*job, variables, replying_done(to, "COMPLETE"));
      });
}

}  // namespace

void add_user_tasks(Routes& routes) {
  routes.push_back({.method = "POST",
                    .path = "/v2/user-tasks/{userTaskKey}/completion",
                    .group = "User task",
                    .summary = "The user task is done",
                    .handle = complete_user_task,
                    .takes = Takes::json,
                    .fields = {{"variables", "object", "results, for the process"},
                               {"action", "string", "ignored"}},
                    .status = 204,
                    .answer = "completed"});
}

}  // namespace pawl::server::rest

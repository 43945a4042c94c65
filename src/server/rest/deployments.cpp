// SPDX-License-Identifier: Apache-2.0
// Routes that deploy.
#include <fmt/format.h>

#include "server/rest/fields.hpp"
#include "server/rest/multipart.hpp"
#include "server/rest/replies.hpp"

namespace pawl::server::rest {
namespace {

Value entry_of(const runtime::Definition& definition) {
  return object({{"processDefinition", object({{"processDefinitionId", definition.id},
                                               {"processDefinitionVersion", definition.version},
                                               {"processDefinitionKey", text_of(definition.key)},
                                               {"resourceName", definition.resource_name},
                                               {"tenantId", default_tenant}})},
                 {"decisionDefinition", Value()},
                 {"decisionRequirements", Value()},
                 {"form", Value()},
                 {"resource", Value()}});
}

Response tell_deployment(const runtime::Deployment& made) {
  List entries;
  for (const DefinitionPtr& one : made.processes) entries.push_back(entry_of(*one));
  const Key key = made.processes.empty() ? Key::none : made.processes.front()->resource;
  return json_response(object({{"deploymentKey", std::to_string(number(key))},
                               {"tenantId", default_tenant},
                               {"deployments", std::move(entries)}}));
}

Result<std::vector<File>> files_of(const Request& request) {
  PAWL_TRY(boundary, boundary_of(request.header("content-type")));
  PAWL_TRY(parts, parse_multipart(request.body, boundary));
  std::vector<File> files;
  for (const Part& part : parts) {
    if (part.name == "tenantId") PAWL_CHECK(check_tenant(part.content));
    if (part.name != "resources") continue;
    if (part.file_name.empty()) {
      return fail(Whose::caller, Code::invalid_argument,
                  "resources: each file needs a filename in its content-disposition");
    }
    files.push_back({part.file_name, std::string(part.content)});
  }
  if (!files.empty()) return files;
  return fail(Whose::caller, Code::invalid_argument,
              "resources: expected at least one file in a part of this name, but there is none");
}

Result<void> deploy_files(Context& context, const RequestPtr& request, const Answer& answer) {
  PAWL_TRY(read, files_of(*request));
  auto work = [&operations = context.operations, caller = request->caller,
               files = std::make_shared<std::vector<File>>(std::move(read)),
               reply = replying<runtime::Deployment>({request, answer}, "CREATE_DEPLOYMENT",
                                                     tell_deployment)] {
    operations.deploy(std::move(*files), {caller}, reply);
  };
  return do_on_pool(context, Work::deployment, {request, answer}, std::move(work));
}

}  // namespace

void add_deployments(Routes& routes) {
  routes.push_back({.method = "POST",
                    .path = "/v2/deployments",
                    .group = "Resource",
                    .summary = "Deploys files, all of them or none",
                    .handle = deploy_files,
                    .takes = Takes::form,
                    .fields = {{"resources", "[file]", "BPMN files", true},
                               {"tenantId", "string", "only <default>"}},
                    .answer = "the processes, with their versions and keys"});
}

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
#include "cli/deploy.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/input.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"

namespace pawl::cli {
namespace {

constexpr Option deploy_options[] = {server_option, json_option};
constexpr std::string_view boundary = "pawl-f3a9c1d27b5e";

// A name in a header must not end the header.
std::string header_safe(std::string text) {
  for (char& c : text) {
    if (c == '"' || c == '\r' || c == '\n') c = '_';
  }
  return text;
}

Result<std::string> form_of(const std::vector<std::string>& paths) {
  std::string body;
  for (const std::string& path : paths) {
    PAWL_TRY(content, read_file(path));
    body += fmt::format(
        "--{}\r\nContent-Disposition: form-data; name=\"resources\"; filename=\"{}\"\r\n"
        "Content-Type: application/octet-stream\r\n\r\n",
        boundary, header_safe(path.substr(path.rfind('/') + 1)));
    body += content;
    body += "\r\n";
  }
  return body + fmt::format("--{}--\r\n", boundary);
}

void print_deployed(const Value& answer) {
  const Value* all = answer.find("deployments");
  if (!all || !all->is_list()) return;
  for (const Value& one : all->as_list()) {
    const Value* process = one.find("processDefinition");
    if (!process || !process->is_context()) continue;
    say("{:<24} v{:<4} key {:<20} {}\n", text_of(*process, "processDefinitionId"),
        text_of(*process, "processDefinitionVersion"), text_of(*process, "processDefinitionKey"),
        text_of(*process, "resourceName"));
  }
}

Exit run_deploy(const Arguments& arguments) {
  auto remote = Remote::of(arguments);
  if (!remote) return refuse(remote.error());
  const auto form = form_of(arguments.words());
  if (!form) return refuse(form.error());
  const auto answer = remote->send("POST", "/v2/deployments", *form,
                                   fmt::format("multipart/form-data; boundary={}", boundary));
  if (!answer) return refuse(answer.error());
  if (!arguments.has("--json")) print_deployed(*answer);
  return finish(arguments, answer, "");
}

}  // namespace

const Command deploy_command{
    .name = "deploy",
    .summary = "gives models to a server",
    .usage = "FILE… [--server ADDR] [--json]",
    .details =
        "All of them or none. A file whose content the server has already keeps its\n"
        "version; a changed one gets the next.\n",
    .example = "  pawl deploy order.bpmn\n",
    .options = deploy_options,
    .least_words = 1,
    .most_words = 1'000,
    .run = run_deploy,
};

}  // namespace pawl::cli

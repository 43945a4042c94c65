// SPDX-License-Identifier: Apache-2.0
#include "server/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pawl::server {
namespace {

Error wrong_argument(std::string text) {
  return fail(Whose::caller, Code::invalid_argument, std::move(text));
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool is_tag(std::string_view tag) {
  constexpr std::string_view others = "_-:.";
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (tag.empty() || tag.size() > 100 || !letter(tag[0])) return false;
  return std::all_of(tag.begin(), tag.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos;
  });
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

Result<void> check_tenant(std::string_view tenant) {
  if (tenant.empty() || tenant == "<default>") return {};
  return wrong_argument(
      fmt::format("there are no tenants here: expected the tenant '<default>' or none, "
                  "but got '{}'",
                  tenant));
}

Error not_supported_result(std::string_view member) {
  return fail(Whose::caller, Code::not_supported,
              fmt::format("result.{} is not supported by this version of Pawl; complete the job "
                          "without",
                          member));
}

Value only(const Value& variables, const std::vector<std::string>& names) {
  if (names.empty()) return variables.is_context() ? variables : Value::context({});
  std::vector<Entry> found;
  for (const std::string& name : names) {
    if (const Value* value = variables.find(name)) found.push_back({name, *value});
  }
  return Value::context(std::move(found));
}

Result<void> check_variables(const Value& variables) {
  if (variables.is_null() || variables.is_context()) return {};
  return wrong_argument(
      fmt::format("variables must be a JSON object, but are a {}", kind_name(variables.kind())));
}

Result<void> check_start_options(const StartOrder& order) {
  if (order.tags.size() > 10) {
    return wrong_argument(
        fmt::format("an instance has at most 10 tags, but {} are given", order.tags.size()));
  }
  std::set<std::string_view> seen;
  for (const std::string& tag : order.tags) {
    if (!is_tag(tag)) {
      return wrong_argument(
          fmt::format("the tag '{}' must start with a letter and have at most 100 letters, "
                      "digits, '_', '-', ':' or '.'",
                      tag));
    }
    if (!seen.insert(tag).second)
      return wrong_argument(fmt::format("the tag '{}' is given twice", tag));
  }
  if (order.business_id &&
      (order.business_id->empty() || characters_in(*order.business_id) > 256)) {
    return wrong_argument("a business id has 1 to 256 characters");
  }
  const auto missing = [](std::string_view what) {
    return fail(Whose::caller, Code::not_supported,
                fmt::format("{} is not supported by this version of Pawl; start the instance "
                            "without",
                            what));
  };
  if (!order.tags.empty()) return missing("tagging an instance");
  if (!order.start_at.empty()) return missing("starting at chosen elements");
  if (!order.end_after.empty()) return missing("ending after a chosen element");
  return {};
}

Result<void> check_none_start(const runtime::Definition& definition) {
  const model::Element& root = definition.process->root();
  if (root.none_start != ElementIndex::none || !root.implicit_starts.empty()) return {};
  return fail(Whose::caller, Code::invalid_state,
              fmt::format("process '{}' has no none start event, so it cannot be started by a call",
                          definition.id));
}

Result<void> check_question(const JobQuestion& question) {
  if (blank(question.type))
    return wrong_argument("type: expected the type of the jobs, but it is blank");
  // A poll waits with its names.
  for (const auto& [name, text] :
       {std::pair("type", &question.type), {"worker", &question.worker}}) {
    if (text->size() <= limits::name_bytes) continue;
    return wrong_argument(fmt::format("{}: expected at most {} bytes, but got {}", name,
                                      limits::name_bytes, text->size()));
  }
  if (question.lease_ms < 1) {
    return wrong_argument(
        fmt::format("timeout: expected 1 ms or more, but got {}", question.lease_ms));
  }
  if (question.most < 1) {
    return wrong_argument(
        fmt::format("maxJobsToActivate: expected 1 or more, but got {}", question.most));
  }
  return {};
}

Result<void> check_message(const MessageOrder& order) {
  if (blank(order.name)) return wrong_argument("name: a message needs a name");
  if (order.time_to_live_ms < 0) {
    return wrong_argument(
        fmt::format("timeToLive: expected 0 ms or more, but got {}", order.time_to_live_ms));
  }
  return check_variables(order.variables);
}

Result<void> check_resource_name(std::string_view name) {
  if (name.ends_with(".bpmn")) return {};
  for (const std::string_view kind : {".dmn", ".form", ".rpa"}) {
    if (!name.ends_with(kind)) continue;
    return fail(Whose::caller, Code::not_supported,
                fmt::format("'{}' cannot be deployed: {} files are not supported by this version "
                            "of Pawl",
                            name, kind));
  }
  return wrong_argument(
      fmt::format("'{}' cannot be deployed: expected a name that ends with .bpmn", name));
}

}  // namespace pawl::server

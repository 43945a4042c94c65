// SPDX-License-Identifier: Apache-2.0
// Routes that search and look up. They see everything that was answered before they were asked.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "server/rest/fields.hpp"
#include "server/rest/replies.hpp"
#include "server/search/search.hpp"
#include "server/view/show.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

using Question = std::function<Result<std::string>(const Sources&, const Request&)>;

Result<std::string> ask_now(runtime::Node& node, const Request& request, const Question& ask) {
  PAWL_CHECK(node.catch_up());
  return ask(Sources{node.index(), node.definitions()}, request);
}

// On the pool: the index is a file.
Handler asking(Question ask, std::string content_type = "application/json") {
  return [ask = std::move(ask), content_type = std::move(content_type)](
             Context& context, const RequestPtr& request, const Answer& answer) -> Result<void> {
    const auto since = Metrics::Clock::now();
    const Answering asked{std::make_shared<Request>(*request), answer};  // its body is read later
    return ask_on_pool(context, Work::search, asked,
                       [&operations = context.operations, to = asked, ask, content_type, since] {
                         auto found = ask_now(operations.node(), *to.request, ask);
                         const Status status = found ? Status::ok : status_of(found.error().code);
                         operations.metrics().count(Operation::search, status, since);
                         if (!found) return to.refuse(found.error(), "");
                         to.answer({.content_type = content_type, .body = std::move(*found)});
                       });
  };
}

SearchOptions options_of(const Request& request) {
  return {.truncate_values = query_value(request, "truncateValues") != "false"};
}

// --- the rows -----------------------------------------------------------------------------------

struct Kind {
  Entity entity;
  std::string_view search;  // path
  std::string_view one;     // path; "": there is none
  std::string_view group;
};

constexpr Kind kinds[] = {
    {Entity::process_definitions, "/v2/process-definitions/search",
     "/v2/process-definitions/{processDefinitionKey}", "Process definition"},
    {Entity::process_instances, "/v2/process-instances/search",
     "/v2/process-instances/{processInstanceKey}", "Process instance"},
    {Entity::element_instances, "/v2/element-instances/search",
     "/v2/element-instances/{elementInstanceKey}", "Element instance"},
    {Entity::variables, "/v2/variables/search", "/v2/variables/{variableKey}", "Variable"},
    {Entity::incidents, "/v2/incidents/search", "/v2/incidents/{incidentKey}", "Incident"},
    {Entity::jobs, "/v2/jobs/search", "", "Job"},
    {Entity::user_tasks, "/v2/user-tasks/search", "/v2/user-tasks/{userTaskKey}", "User task"},
    {Entity::message_subscriptions, "/v2/message-subscriptions/search", "", "Message subscription"},
};

// Searches of what belongs to one thing.
struct Inner {
  Entity entity;
  std::string_view path;
  std::string_view group;
  Key SearchOptions::*owner;
  bool effective{false};
};

constexpr Inner inner_rows[] = {
    {Entity::incidents, "/v2/process-instances/{processInstanceKey}/incidents/search",
     "Process instance", &SearchOptions::process_instance},
    {Entity::incidents, "/v2/element-instances/{elementInstanceKey}/incidents/search",
     "Element instance", &SearchOptions::element_instance},
    {Entity::variables, "/v2/user-tasks/{userTaskKey}/variables/search", "User task",
     &SearchOptions::user_task},
    {Entity::variables, "/v2/user-tasks/{userTaskKey}/effective-variables/search", "User task",
     &SearchOptions::user_task, true},
};

// Gets of one thing that are no item of a search.
struct LookupRoute {
  std::string_view path;
  std::string_view group;
  std::string_view summary;
  Result<std::string> (*ask)(const Sources&, Key);
  std::string_view content_type{"application/json"};
};

Result<std::string> shown(const Sources& from, Key key) {
  PAWL_TRY(instance, show_instance(from.index, key));
  return to_json(instance);
}

Result<std::string> loop_shown(const Sources& from, Key key) {
  PAWL_TRY(loop, show_loop(from.index, key));
  return to_json(loop);
}

// --- instances as `pawl instances` lists them ----------------------------------------------------

constexpr std::size_t most_listed = 1'000;

Result<std::uint64_t> number_in(const Request& request, std::string_view name,
                                std::uint64_t otherwise) {
  const std::string text = query_value(request, name);
  if (text.empty()) return otherwise;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("{}: expected a number, but got \"{}\"", name, text.substr(0, 100)));
}

Result<std::optional<store::InstanceState>> state_in(const Request& request) {
  using store::InstanceState;
  const std::string text = query_value(request, "state");
  if (text.empty()) return std::optional<InstanceState>();
  constexpr std::pair<std::string_view, InstanceState> words[] = {
      {"active", InstanceState::active},
      {"completed", InstanceState::completed},
      {"terminated", InstanceState::terminated}};
  for (const auto& [word, state] : words) {
    if (text == word) return std::optional(state);
  }
  return fail(Whose::caller, Code::invalid_argument,
              "state: expected active, completed or terminated");
}

Result<std::string> list_instances(const Sources& from, const Request& request) {
  PAWL_TRY(state, state_in(request));
  PAWL_TRY(after, number_in(request, "after", 0));
  PAWL_TRY(limit, number_in(request, "limit", most_listed));
  PAWL_TRY(rows, from.index.instances({.state = state,
                                       .process = query_value(request, "process"),
                                       .after = key_from(after),
                                       .limit = std::clamp<std::size_t>(limit, 1, most_listed)}));
  List items;
  for (const store::InstanceRow& row : rows) items.push_back(instance_value(row));
  return to_json(object({{"items", std::move(items)}}));
}

// As `pawl incidents` lists them: with our own words for their types.
Result<std::string> list_incidents(const Sources& from, const Request& request) {
  PAWL_TRY(after, number_in(request, "after", 0));
  PAWL_TRY(limit, number_in(request, "limit", most_listed));
  PAWL_TRY(rows, from.index.incidents(Key::none));
  List items;
  for (const store::IncidentRow& row : rows) {
    if (number(row.key) <= after) continue;
    if (items.size() == std::clamp<std::size_t>(limit, 1, most_listed)) break;
    items.push_back(incident_value(row));
  }
  return to_json(object({{"items", std::move(items)}}));
}

constexpr LookupRoute lookups[] = {
    {"/v2/pawl/instances/{key}", "Pawl",
     "An instance with the tree of its element instances and what each waits for; the lists are "
     "bounded and say how many they leave out",
     shown},
    {"/v2/pawl/loops/{key}", "Pawl",
     "How far a multi-instance body that runs has come: iterations done, active, failed, all",
     loop_shown},
    {"/v2/process-definitions/{processDefinitionKey}/xml", "Process definition",
     "The file that it was deployed with", process_definition_xml, "text/xml"},
    {"/v2/process-instances/{processInstanceKey}/statistics/element-instances", "Process instance",
     "How often each element was active, and how it ended", element_statistics},
    {"/v2/process-instances/{processInstanceKey}/sequence-flows", "Process instance",
     "The flows that were taken", sequence_flows},
};

const std::vector<FieldText> search_fields = {
    {"filter", "object", "fields and the values they must have"},
    {"sort", "[object]", "field and order, ASC or DESC"},
    {"page", "object", "limit, with from, after or before"}};

Route search_route(std::string_view path, std::string_view group, Question ask) {
  return {.method = "POST",
          .path = path,
          .group = group,
          .summary = "Searches",
          .handle = asking(std::move(ask)),
          .takes = Takes::json,
          .fields = search_fields,
          .answer = "items and page"};
}

}  // namespace

void add_queries(Routes& routes) {
  for (const Kind& kind : kinds) {
    routes.push_back(search_route(
        kind.search, kind.group, [entity = kind.entity](const Sources& from, const Request& asked) {
          return search(from, entity, asked.body, options_of(asked));
        }));
    if (kind.one.empty()) continue;
    const auto get = [entity = kind.entity](const Sources& from,
                                            const Request& asked) -> Result<std::string> {
      PAWL_TRY(key, path_key(asked, "key"));
      return get_one(from, entity, key);
    };
    routes.push_back({.method = "GET",
                      .path = kind.one,
                      .group = kind.group,
                      .summary = "One of them, by its key",
                      .handle = asking(get),
                      .answer = "the item, as a search shows it"});
  }
  for (const Inner& row : inner_rows) {
    const auto ask = [row](const Sources& from, const Request& asked) -> Result<std::string> {
      PAWL_TRY(key, path_key(asked, "key"));
      SearchOptions options = options_of(asked);
      options.*row.owner = key;
      options.effective = row.effective;
      return search(from, row.entity, asked.body, options);
    };
    routes.push_back(search_route(row.path, row.group, ask));
  }
  routes.push_back(
      {.method = "GET",
       .path = "/v2/pawl/instances",
       .group = "Pawl",
       .summary = "Instances by key, oldest first: ?state=&process=&after=KEY&limit=N",
       .handle = asking(list_instances),
       .answer = "items; fewer than the limit, 1000 if none is given: there are no more"});
  routes.push_back(
      {.method = "GET",
       .path = "/v2/pawl/incidents",
       .group = "Pawl",
       .summary = "Open incidents by key, with our own words for their types: ?after=KEY&limit=N",
       .handle = asking(list_incidents),
       .answer = "items; fewer than the limit, 1000 if none is given: there are no more"});
  for (const LookupRoute& row : lookups) {
    const auto ask = [row](const Sources& from, const Request& asked) -> Result<std::string> {
      PAWL_TRY(key, path_key(asked, "key"));
      return row.ask(from, key);
    };
    routes.push_back({.method = "GET",
                      .path = row.path,
                      .group = row.group,
                      .summary = row.summary,
                      .handle = asking(ask, std::string(row.content_type)),
                      .answer = "what was asked for",
                      .content_type = row.content_type});
  }
}

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
// The searches of the REST API without HTTP: a JSON request in, the JSON answer out. What is open
// is found with SQL in the index; what has ended is folded from the history of the one instance
// that the filter names. The index is asked as it is: call Node::catch_up first to see own writes.
// Errors: invalid_argument and bad_json (400), not_found (404). Any thread may ask.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "runtime/definition.hpp"
#include "store/index.hpp"

namespace pawl::server {

enum class Entity : std::uint8_t {
  process_definitions,
  process_instances,
  element_instances,
  variables,
  incidents,
  jobs,
  user_tasks,
  message_subscriptions,
};

// Where the answers come from; both must outlive the call. Of a node: {node.index(),
// node.definitions()}.
struct Sources {
  const store::Index& index;
  const runtime::Definitions& definitions;
};

struct SearchOptions {
  bool truncate_values{true};       // of variables: long ones are cut, and isTruncated says so
  Key process_instance{Key::none};  // only what belongs to it
  Key element_instance{Key::none};  // incidents: only those at it and inside it
  Key user_task{Key::none};         // variables: only those that are local to it
  bool effective{false};            // with user_task: those it sees, nearest scope first
};

// {"items": […], "page": {…}}. The request may be empty: everything, the first page.
Result<std::string> search(const Sources& sources, Entity entity, std::string_view request,
                           const SearchOptions& options = {});

// One item, also one that has ended. Error: not_found.
Result<std::string> get_one(const Sources& sources, Entity entity, Key key);

// The file that the process was deployed with.
Result<std::string> process_definition_xml(const Sources& sources, Key definition);

// {"items": [{elementId, active, canceled, incidents, completed}]} of one process instance.
Result<std::string> element_statistics(const Sources& sources, Key instance);
// {"items": [{sequenceFlowId, …}]}: the flows that one process instance has taken.
Result<std::string> sequence_flows(const Sources& sources, Key instance);

}  // namespace pawl::server

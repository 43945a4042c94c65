// SPDX-License-Identifier: Apache-2.0
// The vocabulary of the process graph: kinds of element, of event and of dialect, with the names
// that messages and traces show.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl::model {

// The extension namespace a process uses. It decides rules that differ between engines.
enum class Dialect : std::uint8_t { plain, zeebe, camunda7 };

enum class ElementKind : std::uint8_t {
  process,
  start_event,
  end_event,
  intermediate_catch_event,
  intermediate_throw_event,
  boundary_event,
  task,
  manual_task,
  service_task,
  send_task,
  receive_task,
  user_task,
  script_task,
  business_rule_task,
  sub_process,
  event_sub_process,
  transaction,
  ad_hoc_sub_process,
  call_activity,
  exclusive_gateway,
  parallel_gateway,
  inclusive_gateway,
  event_based_gateway,
  complex_gateway,
};

enum class EventKind : std::uint8_t {
  none,
  message,
  timer,
  error,
  escalation,
  signal,
  conditional,
  link,
  compensation,
  cancel,
  terminate,
  multiple,           // several definitions, one is enough
  parallel_multiple,  // several definitions, all are needed
};

// How results of an activity reach the scopes around it (docs/architecture.md, variables).
enum class WriteRule : std::uint8_t { shared, isolated };

constexpr bool is_container(ElementKind kind) {
  return kind == ElementKind::process || kind == ElementKind::sub_process ||
         kind == ElementKind::event_sub_process || kind == ElementKind::transaction ||
         kind == ElementKind::ad_hoc_sub_process;
}
constexpr bool is_gateway(ElementKind kind) { return kind >= ElementKind::exclusive_gateway; }
constexpr bool is_event(ElementKind kind) {
  return kind >= ElementKind::start_event && kind <= ElementKind::boundary_event;
}
constexpr bool is_activity(ElementKind kind) {
  return kind >= ElementKind::task && kind <= ElementKind::call_activity;
}

std::string_view name_of(ElementKind kind);  // "service task"
std::string_view tag_of(ElementKind kind);   // "serviceTask", as BPMN writes it
std::string_view name_of(EventKind kind);    // "message"
std::string_view name_of(Dialect dialect);   // "Zeebe"

}  // namespace pawl::model

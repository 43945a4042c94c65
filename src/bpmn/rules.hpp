// SPDX-License-Identifier: Apache-2.0
// The rules a model is checked against. Each has a name that findings show and that
// docs/validation.md explains, and a level that says how much it weighs.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl::bpmn {

enum class Level : std::uint8_t {
  structure,  // the graph cannot be built: always an error
  execution,  // the process could not run as drawn: an error if it is executable, else a warning
  standard,   // the letter of BPMN 2.0: an error in a plain executable model that names the
              // BPMN schema for itself, a warning in other plain models, ignored in dialects
  advice,     // always a warning
};

enum class Rule : std::uint8_t {
  not_bpmn,
  process_missing,
  process_too_large,
  nesting_too_deep,
  element_unknown,
  extension_unknown,
  id_missing,
  id_duplicate,
  reference_unknown,
  reference_kind,
  flow_source_unknown,
  flow_target_unknown,
  flow_crosses_scope,
  flow_condition_empty,
  flow_condition_ignored,
  flow_condition_advised,
  flow_condition_missing,
  flow_condition_alone,
  flow_is_immediate,
  flow_lists_differ,
  node_without_incoming,
  node_without_outgoing,
  default_flow_unknown,
  default_flow_condition,
  start_has_incoming,
  end_has_outgoing,
  start_several,
  start_missing,
  end_missing,
  instantiate_has_incoming,
  container_empty,
  sub_process_start_kind,
  event_sub_process_start,
  event_sub_process_flow,
  ad_hoc_content,
  event_kind,
  event_must_interrupt,
  event_definition_ref_unknown,
  cancel_outside_transaction,
  catch_duplicate,
  boundary_host_unknown,
  boundary_has_incoming,
  message_ref_missing,
  message_ref_unknown,
  message_name_missing,
  correlation_key_missing,
  operation_missing,
  signal_ref_missing,
  signal_ref_unknown,
  signal_name_missing,
  error_ref_unknown,
  error_code_missing,
  escalation_ref_unknown,
  escalation_code_missing,
  timer_missing,
  timer_several,
  timer_invalid,
  timer_cycle,
  condition_missing,
  link_name_missing,
  link_catch_duplicate,
  link_throw_alone,
  link_catch_alone,
  link_flow,
  compensation_handler_missing,
  compensation_handler_unmarked,
  compensation_flow,
  compensation_ref_unknown,
  gateway_direction,
  gateway_useless,
  event_gateway_outgoing,
  event_gateway_target,
  event_gateway_condition,
  event_gateway_same_event,
  event_gateway_parallel,
  event_gateway_mixed,
  loop_several,
  loop_without_count,
  loop_maximum_invalid,
  loop_behavior,
  loop_option_invalid,
  loop_option_unknown,
  quantity_invalid,
  expression_invalid,
  expression_expected,
  expression_empty,
  expression_informal,
  language_invalid,
  script_missing,
  script_format_unknown,
  job_type_missing,
  called_element_missing,
  called_element_unknown,
  called_process_start,
  mapping_target_invalid,
  write_rule_unknown,
  continue_as_new,
  message_flow,
  participant_multiplicity,
  operation_data,
  call_data,
  data_item_mismatch,
  data_sources_several,
  data_state_name,
  io_set_invalid,
  media_type_invalid,
  resource_role,
  listener_event_unknown,
};

std::string_view name_of(Rule rule);
Level level_of(Rule rule);
inline constexpr int rule_count = static_cast<int>(Rule::listener_event_unknown) + 1;

}  // namespace pawl::bpmn

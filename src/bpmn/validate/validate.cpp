// SPDX-License-Identifier: Apache-2.0
#include "bpmn/validate/validate.hpp"

#include <fmt/format.h>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {

void complain(const Reading& reading, Rule rule, const model::Element& element,
              std::string_view text) {
  reading.report.add(rule, reading.drawing.of(element.index),
                     fmt::format("{} \"{}\": {}", model::name_of(element.kind), element.id, text));
}

bool catches_link(const model::Element& element) {
  return element.kind == model::ElementKind::intermediate_catch_event &&
         has_kind(element, model::EventKind::link);
}

bool throws_link(const model::Element& element) {
  return element.kind == model::ElementKind::intermediate_throw_event &&
         has_kind(element, model::EventKind::link);
}

bool has_kind(const model::Element& element, model::EventKind kind) {
  for (const model::EventDefinition& definition : element.events) {
    if (definition.kind == kind) return true;
  }
  return false;
}

void validate(const Reading& reading) {
  check_containers(reading);
  check_connections(reading);
  check_event_kinds(reading);
  check_event_details(reading);
  check_boundary_events(reading);
  check_gateways(reading);
  check_links(reading);
  check_compensation(reading);
  check_tasks(reading);
  check_catchers(reading);
  check_formalities(reading);
  check_data(reading);
  check_io_sets(reading);
  check_operations(reading);
}

}  // namespace pawl::bpmn

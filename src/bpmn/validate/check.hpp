// SPDX-License-Identifier: Apache-2.0
// What the checks of a process share. Each topic is a function; validate.cpp calls them in order.
#pragma once

#include <string>
#include <string_view>

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// Reports `text` about an element: `service task "pay": …`.
void complain(const Reading& reading, Rule rule, const model::Element& element,
              std::string_view text);

bool catches_link(const model::Element& element);
bool throws_link(const model::Element& element);
bool has_kind(const model::Element& element, model::EventKind kind);  // one of its definitions

void check_containers(const Reading& reading);
void check_connections(const Reading& reading);
void check_event_kinds(const Reading& reading);
void check_event_details(const Reading& reading);
void check_boundary_events(const Reading& reading);
void check_gateways(const Reading& reading);
void check_links(const Reading& reading);
void check_compensation(const Reading& reading);
void check_tasks(const Reading& reading);
void check_catchers(const Reading& reading);
void check_formalities(const Reading& reading);
void check_data(const Reading& reading);
void check_io_sets(const Reading& reading);
void check_operations(const Reading& reading);

// Every BPMN element inside a process of a plain model, extensions left out; other dialects are not
// held to the letter of the standard.
template <class Check>
void each_plain_element(const Reading& reading, Check check) {
  if (!reading.report.subject().plain) return;
  xml::each_descendant(reading.drawing.nodes.front(), [&](xml::Element element) {
    const bool ours = element.vocabulary() == Vocabulary::bpmn;
    if (ours) check(element);
    return ours && element.name() != "extensionElements";
  });
}

}  // namespace pawl::bpmn

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

}  // namespace pawl::bpmn

// SPDX-License-Identifier: Apache-2.0
// What the extensions of the Camunda 7 family (camunda:, activiti:, flowable:) say about an
// element. Java code (class, delegateExpression, expression) becomes a job of that type, so that a
// worker can take its place.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

void read_camunda7(const Reading& reading, xml::Element node, model::Element& element);
void read_camunda7_process(xml::Element node, model::Process& process);

// The job that attributes of `node` ask for (a task, or a message event definition), if any.
std::optional<model::JobDefinition> read_camunda7_job(const Reading& reading, xml::Element node,
                                                      model::Element& element);

// failedJobRetryTimeCycle: "R3/PT10M" → 3; what is written otherwise keeps the default.
model::Expression read_camunda7_retries(xml::Element node);

}  // namespace pawl::bpmn

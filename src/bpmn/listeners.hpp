// SPDX-License-Identifier: Apache-2.0
// Execution listeners of an element or process: each is a job at the start or end of it, or before
// all iterations of a loop. What listeners of Camunda 7 need of Java beyond a name, and listeners
// of tasks and flows, are noted as what no release runs.
#pragma once

#include "bpmn/source.hpp"

namespace pawl::bpmn {

// `own` is <zeebe:executionListeners>.
void read_zeebe_listeners(const Reading& reading, xml::Element own, model::Element& element);
// Those of `node` in the namespaces of the Camunda 7 family, its task listeners too.
void read_camunda7_listeners(const Reading& reading, xml::Element node, model::Element& element);
// `flow` leaves `source`.
void note_flow_listeners(xml::Element flow, model::Element& source);

}  // namespace pawl::bpmn

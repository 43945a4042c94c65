// SPDX-License-Identifier: Apache-2.0
// One <process> (or global task) → a process graph, checked.
#pragma once

#include <memory>

#include "bpmn/source.hpp"

namespace pawl::bpmn {

struct ProcessOptions {
  model::Dialect dialect{model::Dialect::plain};
  bool feel_by_default{false};
};

std::shared_ptr<model::Process> read_process(const Source& source, xml::Element node,
                                             const ProcessOptions& options);

// A global task as a process of its own (start, the task, end), so that call activities can call
// it.
std::shared_ptr<model::Process> read_global_task(const Source& source, xml::Element node,
                                                 const ProcessOptions& options);

}  // namespace pawl::bpmn

// SPDX-License-Identifier: Apache-2.0
// Tells what happened, event by event, in short lines with element ids instead of keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/events.hpp"
#include "model/process.hpp"

namespace pawl::testkit {

// What an instance is migrated to: definition 1, 2 …
using Targets = std::vector<model::ProcessPtr>;

// Only lines that begin with one of the words in `only` (separated by spaces); all if it is empty.
std::vector<std::string> tell(const model::ProcessPtr& process, const engine::Events& events,
                              std::string_view only = "", const Targets& targets = {});

// One line for each event, empty for those that are not told.
std::vector<std::string> tell_each(const model::ProcessPtr& process, const engine::Events& events,
                                   std::string_view only = "", const Targets& targets = {});

// The variables of the root scope as they were when the instance ended.
Value final_variables(const model::ProcessPtr& process, const engine::Events& events);

}  // namespace pawl::testkit

// SPDX-License-Identifier: Apache-2.0
// What a user task says about the people who may do it, evaluated when it is activated.
#pragma once

#include "base/result.hpp"
#include "engine/step.hpp"

namespace pawl::engine {

// A context with what is given: assignee, candidateGroups, candidateUsers, dueDate, followUpDate,
// priority; null if nothing is. Empty texts and null are left out. Error: an expression fails or
// has the wrong type.
Result<Value> user_task_details(Step& step, Slot slot, const model::UserTaskDefinition& task);

}  // namespace pawl::engine

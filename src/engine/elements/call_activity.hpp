// SPDX-License-Identifier: Apache-2.0
// Call activity: an instance of another process does the work. The child's key is drawn in the
// caller's turn and its start is committed with that turn, so it is started exactly once. The token
// waits until the child answers; see call_commands.cpp.
#pragma once

#include "engine/behaviour.hpp"

namespace pawl::engine {

// The caller has no use for the child's variables; they are not sent then.
bool ignores_result(const model::Element& call_activity);

// An active call activity whose child is gone calls once more: an operator has resolved what was in
// the way.
void call_again(Step& step, Slot slot);

// The out mappings of Camunda 7: what they name of the child's variables.
Result<void> take_call_result(Step& step, Slot slot);

}  // namespace pawl::engine

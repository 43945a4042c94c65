// SPDX-License-Identifier: Apache-2.0
// Writing variables: the two write rules, and input and output mappings. Each function evaluates
// everything first and emits events only when all of it succeeded. What is given to the others has
// passed the gate (gate.hpp).
#pragma once

#include "base/result.hpp"
#include "engine/step.hpp"

namespace pawl::engine {

// (An isolated iteration of a multi-instance loop keeps all results; only its output leaves.)

// In exactly this scope. Equal values are not written again. `local`: not merged outward later.
void write_local(Step& step, Slot scope, std::string_view name, const Value& value,
                 bool local = false);
// The same for a local variable whose name is used again and again.
void create_local(Step& step, Slot scope, const Name& name, const Value& value);

// As a result seen from `from` (an element instance or a scope). Shared: to the nearest scope that
// has the name, else to the root. Isolated: to `from` if it has the name, else to its container.
void write_result(Step& step, Slot from, std::string_view name, const Value& value);

// From an element to the scope around it, whatever the element has itself.
void write_outside(Step& step, Slot from, std::string_view name, const Value& value);

// All members of a context (null: none) by write_result or, if the element has output mappings or
// `local` is set, by write_local.
void write_results(Step& step, Slot from, const Value& variables, bool local);

// The same after output mappings: to the scopes outside of the element, as those write. What an
// iteration has itself, and all of an isolated one, stays there and may become its output.
void write_last_results(Step& step, Slot from, const Value& variables);

// Input mappings make local variables; later ones see what earlier ones made.
Result<void> apply_inputs(Step& step, Slot slot);
// Output mappings write to the scopes outside of the element.
Result<void> apply_outputs(Step& step, Slot slot);

// Without output mappings: an isolated container that completes normally gives its variables to
// the scope around it, and an event what it caught.
void merge_into_parent(Step& step, Slot slot);

}  // namespace pawl::engine

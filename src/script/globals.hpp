// SPDX-License-Identifier: Apache-2.0
// What a script finds: the language, its variables by name, `_context`, `execution` and BpmnError.
// Every run gets a global object of its own; what is on it is made when it is first asked for.
#pragma once

#include <string>

#include "script/engine.hpp"
#include "script/script.hpp"

namespace pawl::script {

// In the compartment of `home`, or in a new one if there is none yet. nullptr: out of memory.
JSObject* new_global(JSContext* cx, JSObject* home);

// The text as it is compiled: an expression in parentheses, so that { } is an object.
std::string wrapped_source(const Program& program);

}  // namespace pawl::script

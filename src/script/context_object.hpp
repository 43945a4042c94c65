// SPDX-License-Identifier: Apache-2.0
// `_context`: the process variables as properties. Reading one converts it, writing one makes it a
// result of the script.
#pragma once

#include "script/engine.hpp"

namespace pawl::script {

// In the current realm. nullptr: an exception is pending.
JSObject* new_context_object(JSContext* cx);

}  // namespace pawl::script

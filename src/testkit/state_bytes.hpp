// SPDX-License-Identifier: Apache-2.0
// The state of an instance for comparisons: what people read, and after it every byte of a
// snapshot, so that nothing is left out.
#pragma once

#include <string>

#include "engine/state.hpp"

namespace pawl::testkit {

std::string state_bytes(const engine::Instance& instance);

}  // namespace pawl::testkit

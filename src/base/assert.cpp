// SPDX-License-Identifier: Apache-2.0
#include "base/assert.hpp"

namespace pawl {

void broken_invariant(const char* what, const char* file, int line) {
  throw BrokenInvariant(std::string(what) + " (" + file + ":" + std::to_string(line) + ")");
}

}  // namespace pawl

// SPDX-License-Identifier: Apache-2.0
// PAWL_ASSERT guards our own invariants, in every build. A broken one throws BrokenInvariant, so
// that the turn can be thrown away and all other instances go on; it never means bad input.
#pragma once

#include <stdexcept>
#include <string>

namespace pawl {

class BrokenInvariant : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void broken_invariant(const char* what, const char* file, int line);

#define PAWL_ASSERT(condition)            \
  (static_cast<bool>(condition) ? void(0) \
                                : ::pawl::broken_invariant(#condition, __FILE_NAME__, __LINE__))

}  // namespace pawl

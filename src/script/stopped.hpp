// SPDX-License-Identifier: Apache-2.0
// The sentences for scripts whose budget was used up.
#pragma once

#include <fmt/format.h>

#include "script/script.hpp"

namespace pawl::script {

inline Failure out_of_time(const Environment& environment) {
  return {
      fail(Whose::operators, Code::budget_exceeded,
           fmt::format("the script was stopped: it ran for more than {} ms", environment.millis)),
      std::nullopt};
}

inline Failure out_of_memory(const Environment& environment) {
  return {fail(Whose::operators, Code::budget_exceeded,
               fmt::format("the script was stopped: it needs more than {} MB of memory",
                           environment.heap_bytes >> 20)),
          std::nullopt};
}

}  // namespace pawl::script

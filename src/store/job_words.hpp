// SPDX-License-Identifier: Apache-2.0
// The words for the kinds of job, the same in every index and in rows that were made from a
// history.
#pragma once

#include <string_view>

#include "engine/events.hpp"

namespace pawl::store {

constexpr std::string_view word_of(engine::JobKind kind) {
  switch (kind) {
    case engine::JobKind::task:
      return "task";
    case engine::JobKind::start_listener:
      return "start_listener";
    case engine::JobKind::end_listener:
      return "end_listener";
    case engine::JobKind::before_all_listener:
      return "before_all_listener";
  }
  return "task";
}

}  // namespace pawl::store

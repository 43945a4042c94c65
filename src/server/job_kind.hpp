// SPDX-License-Identifier: Apache-2.0
// How clients know the kinds of job: what it is for, and to what a listener listens.
#pragma once

#include <string_view>

#include "engine/events.hpp"

namespace pawl::server {

inline std::string_view kind_word(engine::JobKind kind) {
  return kind == engine::JobKind::task ? "BPMN_ELEMENT" : "EXECUTION_LISTENER";
}

inline std::string_view listener_word(engine::JobKind kind) {
  switch (kind) {
    case engine::JobKind::task:
      return "UNSPECIFIED";
    case engine::JobKind::start_listener:
      return "START";
    case engine::JobKind::end_listener:
      return "END";
    case engine::JobKind::before_all_listener:
      return "BEFORE_ALL";
  }
  return "UNSPECIFIED";
}

}  // namespace pawl::server

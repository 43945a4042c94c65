// SPDX-License-Identifier: Apache-2.0
// Whether a turn speaks of a key: it has made it, or ended what has it. Keys are never shared, so
// this tells whose the key is.
#pragma once

#include <algorithm>

#include "store/record.hpp"

namespace pawl::store {

inline bool speaks_of(const Record& record, Key key) {
  const auto names_it = [key](const auto& event) {
    if constexpr (requires { event.key == key; }) {
      return event.key == key;
    } else if constexpr (requires { event.instance == key; }) {
      return event.instance == key;
    } else {
      return false;
    }
  };
  return std::any_of(record.events.begin(), record.events.end(),
                     [&](const engine::Event& event) { return std::visit(names_it, event); });
}

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
// What an element instance is of its element, as the column `body` of the table of elements has it:
// all of it, the body of a loop on it, or a path of an ad-hoc sub-process. Indexes write it, the
// search reads it.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/events.hpp"

namespace pawl::store {

enum class ElementPart : std::uint8_t { whole, body, path };

inline ElementPart part_of(const engine::ElementActivating& event) {
  if (event.path) return ElementPart::path;
  return event.body ? ElementPart::body : ElementPart::whole;
}

// The element type of a path; that of anything else is a fact of the model.
inline constexpr std::string_view path_type = "AD_HOC_SUB_PROCESS_INNER_INSTANCE";

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
// "did you mean": the known word that a mistyped one is closest to.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace pawl::cli {

// Nullopt when nothing is near (more than a third of the letters would have to change).
std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> known);

}  // namespace pawl::cli

// SPDX-License-Identifier: Apache-2.0
// Cursors: the place of a row in its order, as a text that callers do not look into (base64).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/selection.hpp"

namespace pawl::server {

std::string to_cursor(const store::Cells& row, std::span<const store::Order> order);
// One cell per column of the order; nothing if it is no such cursor. What the cells are is not
// checked.
std::optional<std::vector<store::Cell>> from_cursor(std::string_view text, std::size_t columns);

std::string to_base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
// How long the text of a decimal is, without making it: sizes of values are asked for often.
#pragma once

#include <cstddef>

#include "value/decimal.hpp"

namespace pawl::decimal {

// Bytes of `to_string`.
std::size_t text_size(const Decimal& number) noexcept;

}  // namespace pawl::decimal

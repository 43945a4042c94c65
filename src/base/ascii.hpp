// SPDX-License-Identifier: Apache-2.0
// Characters of formats that know ASCII only; no locale is asked.
#pragma once

namespace pawl {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace pawl

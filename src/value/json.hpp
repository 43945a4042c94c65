// SPDX-License-Identifier: Apache-2.0
// JSON in and out of Values. Numbers stay exact (integers to 64 bits, decimals to 34 digits), keys
// keep their order, depth and size are limited (base/limits.hpp), errors say where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "value/value.hpp"

namespace pawl {

// Any JSON document. Error: bad_json with line and column, too_deep, too_large: also if it is made
// of more values than that.
Result<Value> parse_json(std::string_view text, std::size_t most_values = SIZE_MAX);

// As above, but the document must be an object (variables are); null or blank text gives {}.
Result<Value> parse_json_object(std::string_view text, std::size_t most_values = SIZE_MAX);

// Compact JSON. Temporal values, ranges as their FEEL text, functions as null.
std::string to_json(const Value& value);
void append_json(std::string& out, const Value& value);
void append_json_string(std::string& out, std::string_view text);
void append_json_characters(std::string& out, std::string_view text);  // without the quotes

// Indented by two spaces, for people.
std::string to_pretty_json(const Value& value);

}  // namespace pawl

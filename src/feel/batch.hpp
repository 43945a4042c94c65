// SPDX-License-Identifier: Apache-2.0
// The core of `pawl feel --batch`: expressions as JSON lines, for conformance suites and tools.
// Temporal values are {"@type": "date"|"time"|"date and time"|"duration", "@value": text} in both
// directions, at any depth; ranges and functions come out as text.
#pragma once

#include <string>
#include <string_view>

#include "base/time.hpp"
#include "feel/feel.hpp"
#include "value/value.hpp"

namespace pawl::feel {

// In: {"id", "expr", "context", "kind": "expression"|"unary", "input"}; the input of a unary test
// may also be the member "?" of the context. Out: {"id", "value"}, or {"id", "error"} with a text
// that begins with "parse: " or "evaluation: ". Never fails otherwise.
std::string run_batch_line(std::string_view json_line, Instant now);

// The tagged form to temporal values and back.
Value untagged(const Value& value);
Value tagged(const Value& value);

// All keys in a value, also of contexts inside: the names that an expression on it may use.
std::vector<std::string> names_in(const Value& value);

}  // namespace pawl::feel

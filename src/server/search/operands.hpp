// SPDX-License-Identifier: Apache-2.0
// What a filter says about one field: a plain value, or operators with their values, read by the
// type of the field into conditions.
#pragma once

#include "server/search/fields.hpp"
#include "value/value.hpp"

namespace pawl::server {

struct Operands {
  std::vector<store::Condition> conditions{};  // all of them
  std::string ended{};  // a word that was asked for by name and is only in the history
};

// Error: invalid_argument.
Result<Operands> read_operands(const Field& field, const Value& said);

// For messages: "a, b and c".
std::string listed(const std::vector<std::string_view>& names);
Error bad_request(std::string text);

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
// Reads the signature of a built-in function and fits arguments to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feel/machine.hpp"

namespace pawl::feel {

enum class ParameterType : std::uint8_t {
  any,
  string,
  number,
  boolean,
  list,
  context,
  function,
  day,  // a date, or a date and time
  time,
  duration,
};

struct SignatureParameter {
  std::vector<std::string_view> names{};
  ParameterType type{ParameterType::any};
  bool is_optional{false};
  bool may_be_null{false};
  bool is_variadic{false};
};

struct Signature {
  std::string_view name{};
  std::vector<SignatureParameter> parameters{};
};

// The text is one of ours: a mistake in it breaks an invariant.
Signature parse_signature(std::string_view text);

// One value for each parameter; nullopt and a reason, if one is wanted, if the arguments do not
// fit.
std::optional<std::vector<Value>> fit(const Signature& signature, const Arguments& arguments,
                                      std::string* reason);

}  // namespace pawl::feel

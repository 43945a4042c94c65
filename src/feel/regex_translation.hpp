// SPDX-License-Identifier: Apache-2.0
// From XPath's regular expressions to PCRE2's: class subtraction, block names, \i and \c, and the
// places where XPath refuses what PCRE2 takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::feel {

struct RegexFlags {
  bool dot_all{false};
  bool multi_line{false};
  bool ignore_case{false};
  bool free_spacing{false};

  friend bool operator==(const RegexFlags&, const RegexFlags&) = default;
};

std::optional<RegexFlags> regex_flags(std::string_view letters);

// nullopt if it is no regular expression of XPath.
std::optional<std::string> translate_regex(std::string_view pattern, const RegexFlags& flags);

// The steps that PCRE2 needs to compile it, at most (feel/cost.hpp).
std::uint64_t compile_steps(std::string_view translated, const RegexFlags& flags);

}  // namespace pawl::feel

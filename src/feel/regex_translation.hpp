// SPDX-License-Identifier: Apache-2.0
// From XPath's regular expressions to PCRE2's: class subtraction, block names, \i and \c, and the
// places where XPath refuses what PCRE2 takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl::feel {

struct RegexFlags {
  bool dot_all{false};
  bool multi_line{false};
  bool ignore_case{false};
  bool free_spacing{false};
};

std::optional<RegexFlags> regex_flags(std::string_view letters);

// nullopt if it is no regular expression of XPath.
std::optional<std::string> translate_regex(std::string_view pattern, const RegexFlags& flags);

}  // namespace pawl::feel

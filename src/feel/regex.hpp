// SPDX-License-Identifier: Apache-2.0
// Regular expressions as XPath has them (which DMN refers to), on PCRE2. Matching is metered while
// it goes on, so hostile patterns and long texts end by the budget of the expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feel/regex_translation.hpp"

namespace pawl::feel {

class Regex {
 public:
  // A pattern as translate_regex() gives it; nullopt if it is wrong or too large.
  static std::optional<Regex> compile(std::string pattern, const RegexFlags& flags);

  std::size_t bytes() const;  // that it takes when it is compiled

 private:
  friend class RegexSearch;
  struct Code;
  std::shared_ptr<const Code> code_;
};

// Looks for a pattern in one text, from left to right.
class RegexSearch {
 public:
  struct Span {
    std::size_t begin{0};
    std::size_t end{0};
    bool is_set{false};
  };
  using Groups = std::vector<Span>;  // [0] is the whole match
  enum class Outcome : std::uint8_t { found, not_found, too_costly };

  // Both must outlive it.
  RegexSearch(const Regex& regex, std::string_view text);

  // The first match at or after byte `from`: 0 the first time, then where a match ended. What it
  // costs is taken from `parts` (feel/cost.hpp); when they are used up it is too costly.
  Outcome find(std::size_t from, Groups& groups, std::uint64_t& parts);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// The last patterns of an evaluation, compiled: a filter or loop uses the same one again and again.
class RegexCache {
 public:
  struct Kept {
    std::string pattern{};
    RegexFlags flags{};
    std::optional<Regex> regex{};  // nullopt: the pattern is wrong or too large
  };

  // nullptr if it is not among them. Valid until the next call of add().
  const Kept* find(std::string_view pattern, const RegexFlags& flags) const;
  const Kept& add(Kept kept);

 private:
  std::vector<Kept> kept_;
  std::size_t next_{0};
};

}  // namespace pawl::feel

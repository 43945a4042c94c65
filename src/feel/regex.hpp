// SPDX-License-Identifier: Apache-2.0
// Regular expressions as XPath has them (which DMN refers to), on PCRE2. Hostile patterns end by a
// limit on matching work, never in a long wait.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::feel {

class Regex {
 public:
  struct Span {
    std::size_t begin{0};
    std::size_t end{0};
    bool is_set{false};
  };
  using Groups = std::vector<Span>;  // [0] is the whole match
  enum class Outcome { found, not_found, too_costly };

  // Flags: any of s, m, i, x. nullopt if the pattern or a flag is wrong.
  static std::optional<Regex> compile(std::string_view pattern, std::string_view flags);

  // The first match at or after byte `from`.
  Outcome search(std::string_view text, std::size_t from, Groups& groups) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

// The last patterns of an evaluation, compiled: a filter or loop uses the same one again and again.
class RegexCache {
 public:
  // nullptr if the pattern is wrong. Valid until the next call.
  const Regex* get(std::string_view pattern, std::string_view flags);

 private:
  struct Kept {
    std::string pattern{};
    std::string flags{};
    std::optional<Regex> regex{};
  };
  std::vector<Kept> kept_;
  std::size_t next_{0};
};

}  // namespace pawl::feel

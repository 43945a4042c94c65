// SPDX-License-Identifier: Apache-2.0
// The names of several tokens ("date and time", "monthly salary", "a+b") that the parser knows.
// A name matches whatever blanks are between its tokens.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "feel/lexer.hpp"

namespace pawl::feel {

class Vocabulary {
 public:
  struct Match {
    std::string_view name{};  // as it was added
    std::size_t tokens{0};
  };

  // Names of one token need no entry and are left out, as are absurdly long ones.
  void add(std::string_view name);

  // The names that match at `tokens[at]`, longest first. `work` grows with the tokens looked at.
  std::vector<Match> matches(const std::vector<Token>& tokens, std::size_t at,
                             std::uint64_t& work) const;

 private:
  // A tree by tokens, so that a look-up does not depend on how many names there are.
  struct Branch {
    std::map<std::string, std::size_t, std::less<>> next{};
    std::string name{};  // empty: no name ends here
  };

  std::vector<Branch> branches_{1};
};

// Names of built-in functions and of the properties of ranges, dates and times.
const Vocabulary& standard_vocabulary();

// `name` with every run of blanks as one space and none at the ends.
std::string with_single_spaces(std::string_view name);

}  // namespace pawl::feel

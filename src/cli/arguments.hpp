// SPDX-License-Identifier: Apache-2.0
// The words of a command line, sorted by a table of options. Our own few lines instead of a
// library: an expression such as `-1 + 2` must pass as a plain word, and a mistyped flag gets a
// hint.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace pawl::cli {

struct Option {
  std::string_view name{};   // "--vars"
  std::string_view value{};  // what stands after it, as help shows it; empty: a switch
  std::string_view help{};
  bool repeatable{false};
};

class Arguments {
 public:
  // Every command knows --help; `options` are the command's own. `--` ends the options.
  // Error: invalid_argument, a sentence about the first word that does not fit.
  static Result<Arguments> parse(std::span<const std::string> words,
                                 std::span<const Option> options);

  const std::vector<std::string>& words() const { return words_; }
  bool has(std::string_view option) const;
  // The value given to an option; the first, if there are several.
  std::optional<std::string> value(std::string_view option) const;
  std::vector<std::string> values(std::string_view option) const;

 private:
  std::vector<std::string> words_;  // what is no option and no option's value
  std::vector<std::pair<std::string, std::string>> given_;
};

// The mistake of whoever wrote the command line.
Error wrong_argument(std::string text);

}  // namespace pawl::cli

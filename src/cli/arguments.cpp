// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/nearest.hpp"

namespace pawl::cli {
namespace {

constexpr Option help_option{.name = "--help", .value = {}, .help = {}};

// What is still to be read.
struct Words {
  std::span<const std::string> words;
  std::span<const Option> options;

  std::string take() {
    const std::string first = words[0];
    words = words.subspan(1);
    return first;
  }
};

// `-h`, `--vars`, `--vars={}`; but not `-`, `-1` or `-(a + b)`, which are FEEL.
bool looks_like_option(std::string_view word) {
  const std::size_t dashes = word.starts_with("--") ? 2 : word.starts_with("-") ? 1 : 0;
  if (dashes == 0 || word.size() == dashes) return false;
  const std::string_view name = word.substr(dashes, word.find('=') - dashes);
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
  });
}

const Option* find_option(std::string_view name, std::span<const Option> options) {
  if (name == "-h" || name == help_option.name) return &help_option;
  for (const Option& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

Error unknown_option(std::string_view name, std::span<const Option> options) {
  std::vector<std::string_view> known{help_option.name};
  for (const Option& option : options) known.push_back(option.name);
  if (const auto near = nearest(name, known)) {
    return wrong_argument(fmt::format("there is no option {}; did you mean {}?", name, *near));
  }
  return wrong_argument(
      fmt::format("there is no option {}; if it is no option, put -- before it", name));
}

// What an option written as `word` is given, which may be the next word.
Result<std::string> value_for(const Option& option, std::string_view word, Words& rest) {
  const std::size_t equals = word.find('=');
  if (option.value.empty()) {
    if (equals == std::string_view::npos) return std::string();
    return wrong_argument(fmt::format("the option {} takes no value; leave out \"{}\"", option.name,
                                      word.substr(equals)));
  }
  if (equals != std::string_view::npos) return std::string(word.substr(equals + 1));
  const bool absent = rest.words.empty() || rest.words[0] == "--" ||
                      find_option(rest.words[0], rest.options) != nullptr;
  if (absent) {
    return wrong_argument(fmt::format("the option {} needs a value; write {} {}", option.name,
                                      option.name, option.value));
  }
  return rest.take();
}

}  // namespace

Result<Arguments> Arguments::parse(std::span<const std::string> words,
                                   std::span<const Option> options) {
  Arguments parsed;
  Words rest{words, options};
  while (!rest.words.empty()) {
    const std::string word = rest.take();
    if (word == "--") {
      parsed.words_.insert(parsed.words_.end(), rest.words.begin(), rest.words.end());
      break;
    }
    if (!looks_like_option(word)) {
      parsed.words_.push_back(word);
      continue;
    }
    const std::string name = word.substr(0, word.find('='));
    const Option* option = find_option(name, options);
    if (option == nullptr) return unknown_option(name, options);
    if (!option->repeatable && parsed.has(option->name)) {
      return wrong_argument(fmt::format("the option {} is given twice; it may stand once", name));
    }
    PAWL_TRY(value, value_for(*option, word, rest));
    parsed.given_.emplace_back(option->name, value);
  }
  return parsed;
}

Error wrong_argument(std::string text) {
  return fail(Whose::caller, Code::invalid_argument, std::move(text));
}

bool Arguments::has(std::string_view option) const {
  return std::any_of(given_.begin(), given_.end(),
                     [&](const auto& given) { return given.first == option; });
}

std::optional<std::string> Arguments::value(std::string_view option) const {
  for (const auto& [name, value] : given_) {
    if (name == option) return value;
  }
  return std::nullopt;
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  std::vector<std::string> all;
  for (const auto& [name, value] : given_) {
    if (name == option) all.push_back(value);
  }
  return all;
}

}  // namespace pawl::cli

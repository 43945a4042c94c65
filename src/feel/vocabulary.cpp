// SPDX-License-Identifier: Apache-2.0
#include "feel/vocabulary.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "feel/builtins/builtins.hpp"
#include "feel/unicode.hpp"

namespace pawl::feel {
namespace {

// A text in quotes never is a part of a name.
bool may_be_in_name(const Token& token) {
  return token.kind == TokenKind::name || token.kind == TokenKind::number ||
         token.kind == TokenKind::symbol;
}

Vocabulary make_standard_vocabulary() {
  Vocabulary vocabulary;
  for (const auto name : builtin_names()) vocabulary.add(name);
  for (const auto name : {"start included", "end included", "time offset"}) vocabulary.add(name);
  return vocabulary;
}

}  // namespace

void Vocabulary::add(std::string_view name) {
  if (name.size() > limits::feel_name_bytes) return;
  const auto tokens = tokenize(name);
  if (!tokens || tokens->size() < 3) return;  // the last one is `end`
  const std::size_t count = tokens->size() - 1;
  if (count > limits::feel_name_tokens) return;
  if (!std::all_of(tokens->begin(), tokens->end() - 1, may_be_in_name)) return;
  std::size_t branch = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [place, is_new] =
        branches_[branch].next.try_emplace(std::string((*tokens)[i].text), branches_.size());
    branch = place->second;
    if (is_new) branches_.emplace_back();
  }
  branches_[branch].name = std::string(name);
}

std::vector<Vocabulary::Match> Vocabulary::matches(const std::vector<Token>& tokens, std::size_t at,
                                                   std::uint64_t& work) const {
  std::vector<Match> found;
  std::size_t branch = 0;
  for (std::size_t i = at; i < tokens.size() && may_be_in_name(tokens[i]); ++i) {
    ++work;
    const auto next = branches_[branch].next.find(tokens[i].text);
    if (next == branches_[branch].next.end()) break;
    branch = next->second;
    if (!branches_[branch].name.empty()) found.push_back({branches_[branch].name, i - at + 1});
  }
  std::reverse(found.begin(), found.end());
  return found;
}

const Vocabulary& standard_vocabulary() {
  static const Vocabulary vocabulary = make_standard_vocabulary();
  return vocabulary;
}

std::string with_single_spaces(std::string_view name) {
  std::string out;
  bool pending = false;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t begin = at;
    if (is_space(next_character(name, at))) {
      pending = !out.empty();
      continue;
    }
    if (pending) out += ' ';
    pending = false;
    out.append(name.substr(begin, at - begin));
  }
  return out;
}

}  // namespace pawl::feel

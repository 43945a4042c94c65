// SPDX-License-Identifier: Apache-2.0
// Literals, names, brackets, and what may follow them: paths, filters and calls.
#include <fmt/format.h>

#include <algorithm>

#include "feel/builtins/builtins.hpp"
#include "feel/literals.hpp"
#include "feel/parser.hpp"

namespace pawl::feel {

NodeIndex Parser::postfix(NodeIndex first) {
  NodeIndex left = first != none ? first : primary();
  for (;;) {
    if (take_symbol(".")) {
      left = member(left);
    } else if (is_symbol("[") && !mode_.range_end) {
      left = filter(left);
    } else if (is_symbol("(")) {
      left = call(left);
    } else {
      return left;
    }
  }
}

NodeIndex Parser::primary() {
  const Token& next = token();
  switch (next.kind) {
    case TokenKind::number:
      return number();
    case TokenKind::string:
      ++at_;
      return add_constant(unescaped(next.text));
    case TokenKind::literal:
      ++at_;
      return add_constant(parse_temporal(unescaped(next.text)));
    case TokenKind::quoted_name:
      ++at_;
      return reference(std::string(next.text));
    case TokenKind::name:
      return word();
    case TokenKind::symbol:
      if (next.text == "(") return parenthesised();
      if (next.text == "[") return list_or_range();
      if (next.text == "]") return open_range();
      if (next.text == "{") return context();
      break;
    case TokenKind::end:
      break;
  }
  // A name may begin with a character that is an operator elsewhere, if it is known.
  if (next.kind == TokenKind::symbol) {
    if (const auto known = known_name(false)) return name(known);
  }
  refuse_expected("an expression");
}

NodeIndex Parser::number() {
  std::string_view digits = token().text;
  while (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') {
    digits.remove_prefix(1);
  }
  const auto value = Decimal::parse(digits);
  if (!value) refuse("this number is out of range");
  ++at_;
  return add_constant(*value);
}

NodeIndex Parser::word() {
  if (const auto known = known_name(false)) return name(known);
  if (take_word("true")) return add_constant(true);
  if (take_word("false")) return add_constant(false);
  if (take_word("null")) return add_constant(nullptr);
  if (is_word("if")) return condition();
  if (is_word("for")) return loop(Op::loop);
  if (is_word("some")) return loop(Op::some);
  if (is_word("every")) return loop(Op::every);
  if (is_word("function")) return function();
  const bool is_not = is_word("not") && is_symbol("(", 1);
  const bool is_and_or_call = (is_word("and") || is_word("or")) && is_symbol("(", 1);
  if (is_reserved(token().text) && !is_not && !is_and_or_call) refuse_expected("an expression");
  return name(std::nullopt);
}

// A built-in name that holds a word like "and" counts only where it is called: `date and time`
// may be two variables.
bool Parser::is_acceptable(const Vocabulary::Match& match) const {
  if (is_symbol("(", match.tokens)) return true;
  for (std::size_t i = 0; i < match.tokens; ++i) {
    if (is_reserved(token(i).text)) return false;
  }
  return true;
}

std::optional<Vocabulary::Match> Parser::known_name(bool as_member) {
  std::optional<Vocabulary::Match> best;
  const auto consider = [&](const Vocabulary::Match& match) {
    if (!best || match.tokens > best->tokens) best = match;
  };
  const auto given = given_.matches(tokens_, at_, work_);
  if (!given.empty()) consider(given.front());
  for (const auto& match : vocabulary_.matches(tokens_, at_, work_)) {
    if (as_member || activation_->may_be_bound(match.name)) consider(match);
  }
  for (const auto& match : standard_vocabulary().matches(tokens_, at_, work_)) {
    const bool is_function = builtin_group(match.name) != none;
    if (as_member ? !is_function : is_function && is_acceptable(match)) consider(match);
  }
  check_work();
  return best;
}

// `known`: what known_name() found here.
NodeIndex Parser::name(const std::optional<Vocabulary::Match>& known) {
  const std::string text(known ? known->name : token().text);
  at_ += known ? known->tokens : 1;
  return reference(text);
}

// The slots in the form that a node has them: {count, slots…}. Names side by side share them.
std::uint32_t Parser::add_filters(const std::vector<std::uint32_t>& slots) {
  auto& children = tree_->children;
  if (last_filters_ != none && children[last_filters_] == slots.size() &&
      std::equal(slots.begin(), slots.end(), children.begin() + last_filters_ + 1)) {
    return last_filters_;
  }
  last_filters_ = static_cast<std::uint32_t>(children.size());
  children.push_back(static_cast<std::uint32_t>(slots.size()));
  children.insert(children.end(), slots.begin(), slots.end());
  return last_filters_;
}

NodeIndex Parser::reference(const std::string& name) {
  if (name == "?") saw_input_ = true;
  const Resolution found = activation().resolve(name);
  work_ += partial_slots_.size() / 4;
  check_work();
  const bool is_given = std::binary_search(given_names_.begin(), given_names_.end(), name);
  if (found.slot == none && found.filters.empty() && !is_given) {
    const std::uint32_t group = builtin_group(name);
    if (group != none && (is_symbol("(") || name.find(' ') != std::string::npos)) {
      return add(Op::builtin, group);
    }
  }
  if (found.slot == none) {
    if (free_names_.insert(name).second) tree_->free_names.push_back(name);
  }
  for (std::size_t i = 0; i < partial_slots_.size(); ++i) {
    if (found.slot == partial_slots_[i] && name == "partial") partial_used_[i] = true;
  }
  if (found.filters.empty()) {
    return found.slot != none ? add(Op::local, found.slot) : add(Op::free_name, intern(name));
  }
  return add(Op::member_name, intern(name), add_filters(found.filters), found.slot);
}

NodeIndex Parser::member(NodeIndex object) {
  if (token().kind == TokenKind::quoted_name) {
    const std::uint32_t name = intern(token().text);
    ++at_;
    return add(Op::path, object, name);
  }
  if (const auto known = known_name(true)) {
    const std::uint32_t name = intern(known->name);
    at_ += known->tokens;
    return add(Op::path, object, name);
  }
  const bool is_literal = is_word("true") || is_word("false") || is_word("null");
  if (token().kind != TokenKind::name || is_literal) refuse_expected("a name after \".\"");
  const std::uint32_t name = intern(token().text);
  ++at_;
  return add(Op::path, object, name);
}

NodeIndex Parser::filter(NodeIndex list) {
  expect_symbol("[");
  const Inside inside(*this, {});
  const std::uint32_t slot = activation().new_slot();
  activation().open_filter(slot);
  const NodeIndex body = expression();
  activation().close();
  expect_symbol("]");
  return add(Op::filter, list, body, slot);
}

// `name:` before an argument.
std::optional<std::string> Parser::argument_name() {
  std::size_t length = 0;
  while (token(length).kind == TokenKind::name || is_symbol("-", length) ||
         is_symbol("+", length)) {
    ++length;
  }
  if (length == 0 || !is_symbol(":", length)) return std::nullopt;
  const std::uint32_t begin = token().begin;
  const std::uint32_t end = token(length - 1).end;
  at_ += length + 1;
  return with_single_spaces(source_.substr(begin, end - begin));
}

std::vector<Parser::Argument> Parser::arguments() {
  std::vector<Argument> found;
  const Inside inside(*this, {});
  expect_symbol("(");
  if (take_symbol(")")) return found;
  do {
    auto name = argument_name();
    if (!found.empty() && name.has_value() == found.front().name.empty()) {
      refuse("arguments are either all named or all not");
    }
    found.push_back({name.value_or(""), none});
    found.back().value = expression();
  } while (take_symbol(","));
  expect_symbol(")");
  return found;
}

NodeIndex Parser::call(NodeIndex callee) {
  const auto given = arguments();
  auto& children = tree_->children;
  const auto first = static_cast<std::uint32_t>(children.size());
  children.push_back(static_cast<std::uint32_t>(given.size()));
  for (const auto& argument : given) children.push_back(argument.value);
  std::uint32_t names = none;
  if (!given.empty() && !given.front().name.empty()) {
    names = static_cast<std::uint32_t>(children.size());
    for (const auto& argument : given) {
      const std::uint32_t name = intern(argument.name);
      children.push_back(name);
    }
  }
  const Node target = tree_->nodes[callee];
  if (target.op == Op::builtin) return add(Op::call_builtin, target.a, first, names);
  return add(Op::call, callee, first, names);
}

NodeIndex Parser::parenthesised() {
  expect_symbol("(");
  const Inside inside(*this, {});
  const NodeIndex value = expression();
  if (is_symbol("..")) return range(value, false);
  expect_symbol(")");
  return value;
}

NodeIndex Parser::list_or_range() {
  expect_symbol("[");
  const Inside inside(*this, {});
  std::vector<NodeIndex> items;
  if (take_symbol("]")) return add_list(Op::list, items);
  items.push_back(expression());
  if (is_symbol("..")) return range(items.front(), true);
  while (take_symbol(",")) items.push_back(expression());
  expect_symbol("]");
  return add_list(Op::list, items);
}

NodeIndex Parser::open_range() {
  expect_symbol("]");
  const Inside inside(*this, {});
  const NodeIndex low = sum();
  return range(low, false);
}

// From the two dots on. A range may end with "[", which therefore is no filter there.
NodeIndex Parser::range(NodeIndex low, bool low_included) {
  expect_symbol("..");
  NodeIndex high = none;
  {
    const Inside inside(*this, {.implicit_input = false, .range_end = true});
    high = sum();
  }
  const bool high_included = take_symbol("]");
  if (!high_included && !take_symbol(")") && !take_symbol("[")) {
    refuse_expected("\"]\", \")\" or \"[\" at the end of a range");
  }
  return add_range(
      low, high, (low_included ? low_end_included : 0u) | (high_included ? high_end_included : 0u));
}

std::string Parser::context_key() {
  if (token().kind == TokenKind::string || token().kind == TokenKind::quoted_name) {
    const Token& key = tokens_[at_++];
    return key.kind == TokenKind::string ? unescaped(key.text) : std::string(key.text);
  }
  const std::size_t first = at_;
  static constexpr std::string_view allowed = "./-'+***";
  while (token().kind == TokenKind::name || token().kind == TokenKind::number ||
         (token().kind == TokenKind::symbol &&
          (allowed.find(token().text) != std::string::npos || token().text == "\u2019"))) {
    ++at_;
  }
  const bool begins_well = at_ > first && tokens_[first].kind == TokenKind::name;
  const bool is_keyword = at_ == first + 1 && is_reserved(tokens_[first].text);
  if (!begins_well || is_keyword) {
    at_ = first;
    refuse_expected("a name or a text as the key of a context entry");
  }
  const std::uint32_t begin = tokens_[first].begin;
  return with_single_spaces(source_.substr(begin, tokens_[at_ - 1].end - begin));
}

NodeIndex Parser::context() {
  expect_symbol("{");
  const Inside inside(*this, {});
  std::vector<ContextEntry> entries;
  activation().open();
  if (!is_symbol("}")) {
    do {
      ContextEntry entry{context_key(), none, none};
      expect_symbol(":");
      entry.value = is_word("function") ? postfix(function(entry.key)) : expression();
      entry.slot = activation().new_slot();
      activation().bind(entry.key, entry.slot);
      vocabulary_.add(entry.key);
      entries.push_back(std::move(entry));
    } while (take_symbol(","));
  }
  activation().close();
  expect_symbol("}");
  tree_->contexts.push_back(std::move(entries));
  return add(Op::context, static_cast<std::uint32_t>(tree_->contexts.size() - 1));
}

}  // namespace pawl::feel

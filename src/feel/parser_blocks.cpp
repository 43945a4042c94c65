// SPDX-License-Identifier: Apache-2.0
// if, for, some, every, function literals and types.
#include <fmt/format.h>

#include <algorithm>

#include "feel/parser.hpp"

namespace pawl::feel {

NodeIndex Parser::condition() {
  expect_word("if");
  const Inside inside(*this, {});
  const NodeIndex test = expression();
  expect_word("then");
  const NodeIndex yes = expression();
  expect_word("else");
  const NodeIndex no = expression();
  return add(Op::condition, test, yes, no);
}

// The tokens up to `stop` (not taken) as one name: `for monthly salary in …`.
std::string Parser::binding_name(std::string_view stop, std::string_view other_stop) {
  const std::size_t first = at_;
  if (token().kind == TokenKind::quoted_name) return std::string(tokens_[at_++].text);
  const auto stops = [&] {
    return token().kind == TokenKind::end || token().text == stop || token().text == other_stop;
  };
  while (!stops() &&
         (token().kind == TokenKind::name || token().kind == TokenKind::number || is_symbol("+") ||
          is_symbol("-") || is_symbol("*") || is_symbol("/") || is_symbol("'") || is_symbol("."))) {
    ++at_;
  }
  if (at_ == first || tokens_[first].kind != TokenKind::name ||
      (at_ == first + 1 && is_reserved(tokens_[first].text))) {
    at_ = first;
    refuse_expected("a name");
  }
  const std::uint32_t begin = tokens_[first].begin;
  std::string name = with_single_spaces(source_.substr(begin, tokens_[at_ - 1].end - begin));
  vocabulary_.add(name);
  return name;
}

Iterator Parser::iterator() {
  std::string name = binding_name("in");
  expect_word("in");
  Iterator found;
  found.from = expression();
  if (take_symbol("..")) found.to = expression();
  found.slot = activation().new_slot();
  activation().bind(std::move(name), found.slot);
  return found;
}

NodeIndex Parser::loop(Op op) {
  ++at_;
  const Inside inside(*this, {});
  Loop made;
  activation().open();
  do {
    made.iterators.push_back(iterator());
  } while (take_symbol(","));
  expect_word(op == Op::loop ? "return" : "satisfies");
  if (op == Op::loop) {
    partial_slots_.push_back(activation().new_slot());
    partial_used_.push_back(false);
    activation().bind("partial", partial_slots_.back());
  }
  made.body = expression();
  if (op == Op::loop) {
    if (partial_used_.back()) made.partial_slot = partial_slots_.back();
    partial_slots_.pop_back();
    partial_used_.pop_back();
  }
  activation().close();
  tree_->loops.push_back(std::move(made));
  return add(op, static_cast<std::uint32_t>(tree_->loops.size() - 1));
}

void Parser::parameters(Function& made) {
  expect_symbol("(");
  if (take_symbol(")")) return;
  do {
    Parameter parameter;
    parameter.name = binding_name(",", ":");
    if (take_symbol(":")) parameter.type = type();
    parameter.slot = activation().new_slot();
    activation().bind(parameter.name, parameter.slot);
    made.parameters.push_back(std::move(parameter));
  } while (take_symbol(","));
  expect_symbol(")");
}

NodeIndex Parser::function(std::optional<std::string> self_name) {
  expect_word("function");
  const Inside inside(*this, {});
  Activation own(activation_, work_);
  activation_ = &own;
  Function made;
  own.open();
  if (self_name) {
    made.self_slot = own.new_slot();
    own.bind(*self_name, made.self_slot);
  }
  parameters(made);
  if (is_word("external")) {
    refuse("external functions are not supported; write the function in FEEL");
  }
  made.body = expression();
  made.slots = own.slots();
  made.captures = own.captures();
  activation_ = own.outer();
  tree_->functions.push_back(std::move(made));
  return add(Op::function, static_cast<std::uint32_t>(tree_->functions.size() - 1));
}

std::uint32_t Parser::add_type(Type type) {
  tree_->types.push_back(std::move(type));
  return static_cast<std::uint32_t>(tree_->types.size() - 1);
}

void Parser::list_type(Type& made) {
  made.open = !take_symbol("<");
  if (made.open) return;
  made.parts.push_back(type());
  expect_symbol(">");
}

void Parser::context_type(Type& made) {
  made.open = !take_symbol("<");
  if (made.open) return;
  if (take_symbol(">")) return;
  do {
    made.member_names.push_back(context_key());
    expect_symbol(":");
    made.parts.push_back(type());
  } while (take_symbol(","));
  expect_symbol(">");
}

void Parser::function_type(Type& made) {
  made.open = !take_symbol("<");
  if (made.open) return;
  if (!take_symbol(">")) {
    do {
      made.parts.push_back(type());
    } while (take_symbol(","));
    expect_symbol(">");
  }
  expect_symbol("->");
  made.parts.push_back(type());
}

std::uint32_t Parser::type() {
  struct PlainType {
    std::vector<std::string_view> words{};
    Value::Kind kind{};
  };
  using Kind = Value::Kind;
  static const PlainType plain[] = {
      {{"years", "and", "months", "duration"}, Kind::year_month_duration},
      {{"days", "and", "time", "duration"}, Kind::day_time_duration},
      {{"date", "and", "time"}, Kind::date_time},
      {{"number"}, Kind::number},
      {{"string"}, Kind::string},
      {{"boolean"}, Kind::boolean},
      {{"date"}, Kind::date},
      {{"time"}, Kind::time},
  };
  const Depth depth(*this);
  for (const auto& candidate : plain) {
    std::size_t matched = 0;
    while (matched < candidate.words.size() && is_word(candidate.words[matched], matched))
      ++matched;
    if (matched == candidate.words.size()) {
      at_ += matched;
      return add_type({.kind = Type::Kind::plain, .plain = candidate.kind});
    }
  }
  Type made;
  if (take_word("list")) {
    made.kind = Type::Kind::list;
    list_type(made);
  } else if (take_word("range")) {
    made.kind = Type::Kind::range;
    list_type(made);
  } else if (take_word("context")) {
    made.kind = Type::Kind::context;
    context_type(made);
  } else if (take_word("function")) {
    made.kind = Type::Kind::function;
    function_type(made);
  } else if (take_word("duration")) {
    made.kind = Type::Kind::plain;
    made.any_duration = true;
  } else if (take_word("Any")) {
    made.kind = Type::Kind::any;
  } else if (take_word("Null") || take_word("null")) {
    made.kind = Type::Kind::null;
  } else {
    refuse_expected("a type, for example number, string, date and time or list<number>");
  }
  return add_type(std::move(made));
}

}  // namespace pawl::feel

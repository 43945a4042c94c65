// SPDX-License-Identifier: Apache-2.0
// The parser: recursive descent over the tokens, straight into a Tree. Private to the module; the
// rest of the world calls parse() and parse_unary_tests() of feel.hpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "feel/feel.hpp"
#include "feel/lexer.hpp"
#include "feel/scope.hpp"
#include "feel/tree.hpp"
#include "feel/vocabulary.hpp"

namespace pawl::feel {

// Thrown and caught inside of the parser only: it saves passing an error through thirty functions.
struct Refusal {
  Error error{};
};

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options, std::vector<Token> tokens);

  std::shared_ptr<Tree> parse_expression();
  std::shared_ptr<Tree> parse_unary();

 private:
  // Turns a nesting level into an error when there are too many.
  class Depth {
   public:
    explicit Depth(Parser& parser);
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Parser& parser_;
  };
  // What a bracket resets for what is inside of it.
  struct Mode {
    bool implicit_input{false};  // `> 5` compares the input of a unary test
    bool range_end{false};       // `[` closes a range: no filter
  };
  class Inside {
   public:
    explicit Inside(Parser& parser, Mode mode) : parser_(parser), saved_(parser.mode_) {
      parser_.mode_ = mode;
    }
    ~Inside() { parser_.mode_ = saved_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Parser& parser_;
    Mode saved_;
  };
  struct Argument {
    std::string name{};
    NodeIndex value{none};
  };

  // parser.cpp: tokens and nodes
  const Token& token(std::size_t ahead = 0) const;
  bool is_symbol(std::string_view text, std::size_t ahead = 0) const;
  bool is_word(std::string_view text, std::size_t ahead = 0) const;
  bool is_comparison() const;
  bool take_symbol(std::string_view text);
  bool take_word(std::string_view text);
  void expect_symbol(std::string_view text);
  void expect_word(std::string_view text);
  [[noreturn]] void refuse(std::string_view message) const;
  [[noreturn]] void refuse_expected(std::string_view what) const;
  std::string found_text() const;
  void check_work() const;  // refuses what is too laborious
  NodeIndex add(Op op, std::uint32_t a = none, std::uint32_t b = none, std::uint32_t c = none);
  NodeIndex add_constant(Value value);
  NodeIndex add_range(NodeIndex low, NodeIndex high, std::uint32_t included);
  NodeIndex add_list(Op op, const std::vector<NodeIndex>& items);
  std::uint32_t intern(std::string_view name);
  Activation& activation() { return *activation_; }
  void finish(NodeIndex root);

  // parser.cpp: operators, weakest first
  NodeIndex expression();
  NodeIndex disjunction();
  NodeIndex conjunction();
  NodeIndex comparison();
  NodeIndex compare_with(NodeIndex left);
  NodeIndex between(NodeIndex left);
  NodeIndex sum(NodeIndex first = none);  // `first`: its first operand is parsed already
  NodeIndex product(NodeIndex first = none);
  NodeIndex power(NodeIndex first = none);
  NodeIndex negation();

  // parser_tests.cpp: unary tests and `in`
  NodeIndex input();
  NodeIndex unary_test(std::uint32_t slot);
  NodeIndex tests_until(std::string_view closing, std::uint32_t slot);
  NodeIndex in(NodeIndex left);
  NodeIndex in_test(std::uint32_t slot);
  std::vector<NodeIndex> tests_in_parentheses(std::uint32_t slot);
  NodeIndex add_test(NodeIndex value, std::uint32_t slot, bool used_outside);
  NodeIndex unary_range();

  // parser_primary.cpp: literals, names, brackets
  NodeIndex postfix(NodeIndex first = none);
  NodeIndex primary();
  NodeIndex number();
  NodeIndex word();
  NodeIndex name(const std::optional<Vocabulary::Match>& known);
  NodeIndex reference(const std::string& name);
  std::uint32_t add_filters(const std::vector<std::uint32_t>& slots);
  NodeIndex member(NodeIndex object);
  NodeIndex filter(NodeIndex list);
  NodeIndex call(NodeIndex callee);
  NodeIndex parenthesised();
  NodeIndex list_or_range();
  NodeIndex range(NodeIndex low, bool low_included);
  NodeIndex open_range();
  NodeIndex context();
  std::string context_key();
  std::optional<Vocabulary::Match> known_name(bool as_member);
  bool is_acceptable(const Vocabulary::Match& match) const;
  std::vector<Argument> arguments();
  std::optional<std::string> argument_name();

  // parser_blocks.cpp: if, for, some, every, function, types
  NodeIndex condition();
  NodeIndex loop(Op op);
  Iterator iterator();
  std::string binding_name(std::string_view stop, std::string_view other_stop = {});
  NodeIndex function(std::optional<std::string> self_name = std::nullopt);
  void parameters(Function& function);
  std::uint32_t type();
  std::uint32_t add_type(Type type);
  void list_type(Type& type);
  void context_type(Type& type);
  void function_type(Type& type);

  std::string_view source_;
  std::vector<Token> tokens_;
  std::size_t at_{0};
  std::size_t depth_{0};
  Mode mode_{};
  bool saw_input_{false};  // `?` was used in the test that is being parsed
  std::shared_ptr<Tree> tree_;
  Vocabulary vocabulary_;  // names seen in this expression
  Vocabulary given_;       // ParseOptions::names
  std::vector<std::string> given_names_;
  std::map<std::string, std::uint32_t, std::less<>> interned_;
  std::set<std::string, std::less<>> free_names_;
  std::uint32_t last_filters_{none};  // of add_filters
  std::uint64_t work_{0};
  Activation outermost_{nullptr, work_};
  Activation* activation_{&outermost_};
  std::vector<std::uint32_t> partial_slots_;  // of the loops around, with a flag each
  std::vector<bool> partial_used_;
};

// Words that cannot be names.
bool is_reserved(std::string_view word);

}  // namespace pawl::feel

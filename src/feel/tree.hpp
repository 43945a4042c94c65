// SPDX-License-Identifier: Apache-2.0
// The parsed form of an expression: a flat vector of small nodes that refer to each other by index.
// Names that the expression binds itself (loop variables, parameters, context entries) are resolved
// to slots of an activation when it is parsed; only free names are looked up at run time.
// For the parser and the evaluator only; immutable once parsed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "value/value.hpp"

namespace pawl::feel {

using NodeIndex = std::uint32_t;
inline constexpr std::uint32_t none = 0xFFFFFFFF;

// What `a`, `b` and `c` of a node mean is said here; [n] is a child node, {x, n} are the n entries
// of Tree::children that start at x.
enum class Op : std::uint8_t {
  constant,     // a: index into Tree::constants
  local,        // a: slot
  free_name,    // a: index into Tree::names
  member_name,  // a name inside a filter: a: name, b: children{count, filter slots…}, c: slot or
                // none
  builtin,      // a: index of the built-in function, as a value
  add,          // [a] [b]
  subtract,
  multiply,
  divide,
  power,
  negate,       // [a]
  conjunction,  // {a, b}
  disjunction,  // {a, b}
  equal,        // [a] [b]
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  between,        // [a] between [b] and [c]
  in,             // [a] in the `tests` node [b]; c: slot of `?`
  test,           // [a] is tested against slot b; c: 1 if it uses the input itself
  tests,          // {a, b}: one of them holds
  negated_tests,  // [a] is the `tests` node
  any_input,      // the unary test `-`
  condition,      // if [a] then [b] else [c]
  loop,           // for: a: index into Tree::loops
  some,           // a: index into Tree::loops
  every,          // a: index into Tree::loops
  list,           // {a, b}
  context,        // a: index into Tree::contexts
  range,          // [a or none] [b or none], c: which ends are included
  path,           // [a].name b
  filter,         // [a][[b]], c: slot of the item
  function,       // a: index into Tree::functions
  call,           // [a] is called with arguments {b + 1, children[b]}, c: names or none
  call_builtin,  // a: index of the built-in group, arguments {b + 1, children[b]}, c: names or none
  instance_of,   // [a], b: index into Tree::types
};

// Bits of a range node's `c`.
inline constexpr std::uint32_t low_end_included = 1;
inline constexpr std::uint32_t high_end_included = 2;

struct Node {
  Op op{Op::constant};
  std::uint32_t a{none};
  std::uint32_t b{none};
  std::uint32_t c{none};
};

// One `x in domain` or `x in low..high` of for, some and every.
struct Iterator {
  std::uint32_t slot{none};
  NodeIndex from{none};
  NodeIndex to{none};  // none: `from` is a list or a range
};

struct Loop {
  std::vector<Iterator> iterators{};
  NodeIndex body{none};
  std::uint32_t partial_slot{none};  // none: the body does not use `partial`
};

struct ContextEntry {
  std::string key{};
  NodeIndex value{none};
  std::uint32_t slot{none};
};

// A FEEL type as `instance of` and typed parameters name it.
struct Type {
  enum class Kind : std::uint8_t { any, null, plain, list, range, context, function };
  Kind kind{Kind::any};
  Value::Kind plain{Value::Kind::null};
  bool any_duration{false};                 // `duration`: either of the two kinds
  std::vector<std::uint32_t> parts{};       // element, members, or parameters then result
  std::vector<std::string> member_names{};  // of a context
  bool open{false};                         // list, context, … without <…>
};

struct Parameter {
  std::string name{};
  std::uint32_t slot{none};
  std::uint32_t type{none};
};

// A function literal. When it becomes a value it takes the captured slots with it.
struct Function {
  struct Capture {
    std::uint32_t outer{};
    std::uint32_t inner{};
  };
  std::vector<Parameter> parameters{};
  NodeIndex body{none};
  std::uint32_t slots{0};
  std::uint32_t self_slot{none};  // where the body finds the function itself
  std::vector<Capture> captures{};
};

struct Tree : std::enable_shared_from_this<Tree> {
  std::string text{};
  NodeIndex root{none};
  std::uint32_t slots{0};     // of the outermost activation
  bool is_unary{false};       // unary tests: slot 0 holds the input
  bool builds_values{false};  // makes lists or contexts, so that its result may be large
  std::vector<Node> nodes{};
  std::vector<std::uint32_t> children{};
  std::vector<Value> constants{};
  std::vector<std::string> names{};
  std::vector<Loop> loops{};
  std::vector<std::vector<ContextEntry>> contexts{};
  std::vector<Function> functions{};
  std::vector<Type> types{};
  std::vector<std::string> free_names{};
};

}  // namespace pawl::feel

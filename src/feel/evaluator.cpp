// SPDX-License-Identifier: Apache-2.0
// Evaluates the nodes of a tree: names, operators, lists, contexts.
#include <fmt/format.h>

#include "base/text.hpp"
#include "feel/arithmetic.hpp"
#include "feel/builtins/builtins.hpp"
#include "feel/closure.hpp"
#include "feel/compare.hpp"
#include "feel/machine.hpp"
#include "feel/members.hpp"
#include "feel/types.hpp"

namespace pawl::feel {

// Runs `body` with slots of its own; `filled` are given ones, or null for fresh ones.
Value Machine::in_activation(const Tree& tree, std::size_t slots, NodeIndex body, Value* filled) {
  if (filled == nullptr && slots > 0) {
    take_slots(slots);
    std::vector<Value> fresh(slots);
    return in_activation(tree, slots, body, fresh.data());
  }
  struct Restore {
    Machine& machine;
    const Tree* tree;
    Value* slots;
    ~Restore() {
      machine.tree_ = tree;
      machine.slots_ = slots;
    }
  } const restore{*this, tree_, slots_};
  tree_ = &tree;
  slots_ = filled;
  return eval(body);
}

Value Machine::eval(NodeIndex index) {
  const Node& node = tree_->nodes[index];
  switch (node.op) {
    case Op::constant:
      return tree_->constants[node.a];
    case Op::local:
      return slots_[node.a];
    case Op::free_name:
      return free_name(tree_->names[node.a]);
    default:
      break;
  }
  const Level level(*this);
  return eval_deeper(node);
}

Value Machine::eval_deeper(const Node& node) {
  switch (node.op) {
    case Op::constant:
    case Op::local:
    case Op::free_name:
      break;  // done by eval()
    case Op::member_name:
      return member_name(node);
    case Op::builtin:
      return builtin_function(node.a);
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
      return eval_operator(node);
    case Op::negate:
      return negate(*this, eval(node.a));
    case Op::conjunction:
      return eval_and(node);
    case Op::disjunction:
      return eval_or(node);
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_or_equal:
    case Op::greater:
    case Op::greater_or_equal:
      return eval_comparison(node);
    case Op::between:
      return eval_between(node);
    case Op::in:
      return eval_in(node);
    case Op::test:
      return eval_test(node);
    case Op::tests:
      return eval_tests(node);
    case Op::negated_tests:
      return eval_negated_tests(node);
    case Op::any_input:
      return true;
    case Op::condition: {
      const Value test = eval(node.a);
      return eval(test.is_boolean() && test.as_boolean() ? node.b : node.c);
    }
    case Op::loop:
      return eval_for(node);
    case Op::some:
    case Op::every:
      return eval_quantified(node);
    case Op::list:
      return eval_list(node);
    case Op::context:
      return eval_context(node);
    case Op::range:
      return eval_range(node);
    case Op::path:
      return member_of(*this, eval(node.a), tree_->names[node.b]);
    case Op::filter:
      return eval_filter(node);
    case Op::function:
      return eval_function(node);
    case Op::call:
      return eval_call(node);
    case Op::call_builtin:
      return call_builtin(*this, node.a, eval_arguments(node));
    case Op::instance_of:
      return is_instance(*this, *tree_, node.b, eval(node.a));
  }
  return nullptr;
}

Value Machine::free_name(const std::string& name) {
  charge(cost::name);
  if (environment_.names != nullptr) {
    if (auto found = environment_.names->find(name)) return *std::move(found);
  }
  const std::uint32_t group = builtin_group(name);
  if (group != none) return builtin_function(group);
  if (name == "?") {
    halt(Code::evaluation_failed, "the input \"?\" is not available outside of a unary test");
  }
  if (!wants_problems()) return nullptr;
  return problem(Problem::Kind::no_variable,
                 fmt::format("variable \"{}\" not found", preview_text(name)));
}

Value Machine::builtin_function(std::uint32_t group) {
  take(2 * cost::node_bytes);
  return Value(std::make_shared<const BuiltinFunction>(group));
}

Value Machine::member_name(const Node& node) {
  const std::string& name = tree_->names[node.a];
  const std::uint32_t count = tree_->children[node.b];
  for (std::uint32_t i = 1; i <= count; ++i) {
    const Value& item = slots_[tree_->children[node.b + i]];
    charge(1, cost::item);
    if (const Value* member = find(item, name)) return *member;
  }
  if (node.c != none) return slots_[node.c];
  return free_name(name);
}

Value Machine::eval_operator(const Node& node) {
  const Value left = eval(node.a);
  const Value right = eval(node.b);
  switch (node.op) {
    case Op::add:
      return add(*this, left, right);
    case Op::subtract:
      return subtract(*this, left, right);
    case Op::multiply:
      return multiply(*this, left, right);
    case Op::divide:
      return divide(*this, left, right);
    default:
      return power(*this, left, right);
  }
}

// Three-valued: what is no boolean counts as null (DMN 1.5, table 50).
Value Machine::eval_and(const Node& node) {
  bool unknown = false;
  charge(node.b, cost::item);
  for (std::uint32_t i = 0; i < node.b; ++i) {
    const Value operand = eval(tree_->children[node.a + i]);
    if (!operand.is_boolean()) {
      unknown = true;
    } else if (!operand.as_boolean()) {
      return false;
    }
  }
  return unknown ? Value() : Value(true);
}

Value Machine::eval_or(const Node& node) {
  bool unknown = false;
  charge(node.b, cost::item);
  for (std::uint32_t i = 0; i < node.b; ++i) {
    const Value operand = eval(tree_->children[node.a + i]);
    if (!operand.is_boolean()) {
      unknown = true;
    } else if (operand.as_boolean()) {
      return true;
    }
  }
  return unknown ? Value() : Value(false);
}

Value Machine::eval_comparison(const Node& node) {
  const Value left = eval(node.a);
  const Value right = eval(node.b);
  std::optional<bool> truth;
  if (node.op == Op::equal || node.op == Op::not_equal) {
    truth = equals(*this, left, right);
    if (truth && node.op == Op::not_equal) truth = !*truth;
  } else if (const auto ordered = order(*this, left, right)) {
    truth = node.op == Op::less            ? *ordered < 0
            : node.op == Op::less_or_equal ? *ordered <= 0
            : node.op == Op::greater       ? *ordered > 0
                                           : *ordered >= 0;
  }
  if (truth) return *truth;
  if (!wants_problems()) return nullptr;
  return type_problem(fmt::format("can't compare {} and {}; the left side is {}, the right side {}",
                                  kind_name(left.kind()), kind_name(right.kind()),
                                  preview(left, 40), preview(right, 40)));
}

Value Machine::eval_between(const Node& node) {
  const Value value = eval(node.a);
  const Value low = eval(node.b);
  const Value high = eval(node.c);
  const auto above = order(*this, value, low);
  const auto below = order(*this, value, high);
  if (!above || !below)
    return type_problem("the three values around \"between\" can't be compared");
  return *above >= 0 && *below <= 0;
}

Value Machine::eval_list(const Node& node) {
  check_items(node.b);
  List items;
  items.reserve(node.b);
  for (std::uint32_t i = 0; i < node.b; ++i) items.push_back(eval(tree_->children[node.a + i]));
  return items;
}

Value Machine::eval_context(const Node& node) {
  const auto& wanted = tree_->contexts[node.a];
  std::vector<Entry> entries;
  for (const auto& entry : wanted) {
    Value value = eval(entry.value);
    slots_[entry.slot] = value;
    append(entries, entry.key, std::move(value));
  }
  const std::size_t count = entries.size();
  Value made = context_of(std::move(entries));
  if (made.entries().size() == count) return made;
  return problem(Problem::Kind::other, "a context has two entries with the same key");
}

Value Machine::eval_range(const Node& node) {
  Range range;
  if (node.a != none) range.low = eval(node.a);
  if (node.b != none) range.high = eval(node.b);
  range.low_included = (node.c & low_end_included) != 0 && !range.low.is_null();
  range.high_included = (node.c & high_end_included) != 0 && !range.high.is_null();
  const bool is_bounded = !range.low.is_null() && !range.high.is_null();
  if (is_bounded && !order(*this, range.low, range.high) && !equals(*this, range.low, range.high)) {
    return type_problem(fmt::format("a range can't go from {} to {}", preview(range.low, 40),
                                    preview(range.high, 40)));
  }
  take(2 * cost::node_bytes);
  return Value(std::move(range));
}

Value Machine::eval_function(const Node& node) {
  const Function& function = tree_->functions[node.a];
  take(3 * cost::node_bytes);
  take_slots(function.captures.size());
  std::vector<Value> captured;
  captured.reserve(function.captures.size());
  for (const auto& capture : function.captures) captured.push_back(slots_[capture.outer]);
  return Value(
      std::make_shared<const Closure>(tree_->shared_from_this(), function, std::move(captured)));
}

}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
// Calls of functions: built-in ones, those of the expression, and those of the host.
#include <fmt/format.h>

#include "base/text.hpp"
#include "feel/builtins/builtins.hpp"
#include "feel/closure.hpp"
#include "feel/compare.hpp"
#include "feel/machine.hpp"
#include "feel/types.hpp"

namespace pawl::feel {
namespace {

constexpr std::uint64_t host_call_steps = 10;  // what it does is metered by the host

}  // namespace

std::string Closure::name() const {
  std::string text = "function(";
  for (const auto& parameter : function_->parameters) {
    if (text.back() != '(') text += ", ";
    text += parameter.name;
  }
  return text + ")";
}

std::string BuiltinFunction::name() const { return std::string(builtin_name(group_)); }

Arguments Machine::eval_arguments(const Node& node) {
  const std::uint32_t count = tree_->children[node.b];
  charge(count, cost::item);
  Arguments arguments;
  arguments.values.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    arguments.values.push_back(eval(tree_->children[node.b + 1 + i]));
  }
  if (node.c != none) {
    charge(count, cost::item);
    for (std::uint32_t i = 0; i < count; ++i) {
      arguments.names.push_back(tree_->names[tree_->children[node.c + i]]);
    }
  }
  return arguments;
}

Value Machine::eval_call(const Node& node) {
  const Value callee = eval(node.a);
  Arguments arguments = eval_arguments(node);
  if (callee.kind() != Value::Kind::function) {
    // A variable may have the name of a built-in function: `date(date)` calls the function.
    const Node& target = tree_->nodes[node.a];
    const bool is_name = target.op == Op::free_name || target.op == Op::member_name;
    const std::uint32_t group = is_name ? builtin_group(tree_->names[target.a]) : none;
    if (group != none) return call_builtin(*this, group, std::move(arguments));
  }
  return call(callee, std::move(arguments));
}

Value Machine::call(const Value& function, Arguments arguments) {
  if (function.kind() == Value::Kind::range && arguments.values.size() == 1) {
    return as_value(passes(*this, arguments.values.front(), function));
  }
  if (function.kind() != Value::Kind::function) {
    if (!wants_problems()) return nullptr;
    return problem(Problem::Kind::no_function,
                   fmt::format("can't call {}: it is no function", preview(function, 40)));
  }
  const auto& callable = function.as_function();
  if (const auto* builtin = dynamic_cast<const BuiltinFunction*>(callable.get())) {
    return call_builtin(*this, builtin->group(), std::move(arguments));
  }
  if (const auto* host = dynamic_cast<const HostFunction*>(callable.get())) {
    charge(host_call_steps);
    auto result = host->call(arguments.values, environment_);
    if (!result) throw Halt{result.error()};
    return *std::move(result);
  }
  return call_closure(callable, arguments);
}

bool Machine::bind_parameters(const Function& function, Arguments& arguments,
                              std::vector<Value>& slots) {
  const auto& parameters = function.parameters;
  if (arguments.values.size() != parameters.size()) {
    problem(Problem::Kind::no_function,
            fmt::format("a function with {} parameters is called with {} arguments",
                        parameters.size(), arguments.values.size()));
    return false;
  }
  std::vector<bool> is_set(parameters.size(), false);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::size_t which = i;
    if (!arguments.names.empty()) {
      which = 0;
      while (which < parameters.size() && parameters[which].name != arguments.names[i]) ++which;
      charge(which, cost::item);
    }
    if (which == parameters.size() || is_set[which]) {
      problem(Problem::Kind::no_function, fmt::format("the function has no parameter \"{}\"",
                                                      preview_text(arguments.names[i])));
      return false;
    }
    is_set[which] = true;
    slots[parameters[which].slot] = std::move(arguments.values[i]);
  }
  return true;
}

Value Machine::call_closure(const std::shared_ptr<const Callable>& callable, Arguments& arguments) {
  const auto* closure = dynamic_cast<const Closure*>(callable.get());
  if (closure == nullptr) return problem(Problem::Kind::no_function, "can't call this function");
  const Function& function = closure->function();
  take_slots(function.slots);
  std::vector<Value> slots(function.slots);
  if (!bind_parameters(function, arguments, slots)) return nullptr;
  for (const auto& parameter : function.parameters) {
    if (parameter.type == none) continue;
    Value& given = slots[parameter.slot];
    if (!coerce(*this, closure->tree(), parameter.type, given)) {
      return type_problem(fmt::format("parameter \"{}\" can't take {}",
                                      preview_text(parameter.name), preview(given, 40)));
    }
  }
  for (std::size_t i = 0; i < function.captures.size(); ++i) {
    slots[function.captures[i].inner] = closure->captured()[i];
  }
  if (function.self_slot != none) slots[function.self_slot] = Value(callable);
  if (calls_ >= environment_.budget.depth) {
    halt(Code::budget_exceeded,
         "functions call each other too deeply; is a recursion without end?");
  }
  struct Count {
    std::size_t& calls;
    explicit Count(std::size_t& counted) : calls(counted) { ++calls; }
    ~Count() { --calls; }
  } const count(calls_);
  return in_activation(closure->tree(), function.slots, function.body, slots.data());
}

}  // namespace pawl::feel

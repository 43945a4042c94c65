// SPDX-License-Identifier: Apache-2.0
// not, is, and Camunda's functions for values that may be missing.
#include <fmt/format.h>

#include "feel/builtins/builtins.hpp"
#include "feel/compare.hpp"

namespace pawl::feel {
namespace {

Value negation(Call& call) { return !call[0].as_boolean(); }

// The same element of the semantic domain: times must show the same clock in the same zone, while
// `=` asks only whether they are the same moment.
Value is(Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (a.kind() != b.kind()) return false;
  call.machine.charge(1);
  if (a.kind() == Value::Kind::time) return a.as_time() == b.as_time();
  if (a.kind() == Value::Kind::date_time) return a.as_date_time() == b.as_date_time();
  return same(call.machine, a, b);
}

Value is_defined(Call& call) { return call.has(0); }

Value get_or_else(Call& call) { return call.has(0) ? call[0] : call[1]; }

// Marks an input that an AI agent fills in; in an expression it is that input.
Value from_ai(Call& call) { return call[0]; }

Value assert_that(Call& call) {
  if (call[1].is_boolean() && call[1].as_boolean()) return call[0];
  std::string text = "assertion failed: the condition is not true";
  if (call.arguments.size() > 2 && call.has(2)) {
    text = fmt::format("assertion failed: {}", call.text(2).substr(0, limits::message_bytes));
  }
  Machine::halt(Code::evaluation_failed, text);
}

constexpr Builtin logic_table[] = {
    {"not(negand: boolean)", negation},
    {"is(value1?: any?, value2?: any?)", is},
    {"is defined(value: any?)", is_defined},
    {"get or else(value: any?, default: any?)", get_or_else},
    {"fromAi(value: any?, description?: string?, type?: string?, schema?: context?, options?: "
     "context?)",
     from_ai},
    {"assert(value: any?, condition: any?)", assert_that},
    {"assert(value: any?, condition: any?, cause: string)", assert_that},
};

}  // namespace

std::span<const Builtin> logic_builtins() { return logic_table; }

}  // namespace pawl::feel

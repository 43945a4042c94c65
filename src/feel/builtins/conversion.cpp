// SPDX-License-Identifier: Apache-2.0
// Numbers, texts, JSON and ranges made of other values.
#include <fmt/format.h>

#include <algorithm>

#include "feel/builtins/builtins.hpp"
#include "feel/text.hpp"
#include "feel/tree.hpp"
#include "value/json.hpp"

namespace pawl::feel {
namespace {

Value number_in(Call& call, std::string_view digits) {
  call.machine.charge(digits.size(), cost::walked);
  const bool is_plain =
      !digits.empty() && digits.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  bool negative = false;
  if (!digits.empty() && digits.front() == '-') {
    negative = true;
    digits.remove_prefix(1);
  }
  while (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9')
    digits.remove_prefix(1);
  const auto parsed = is_plain ? Decimal::parse(digits) : std::nullopt;
  if (!parsed) return call.refuse(fmt::format("{} is no number", preview(call[0], 40)));
  return negative ? parsed->negated() : *parsed;
}

Value number_from(Call& call) {
  if (call[0].is_number()) return call[0];
  if (!call[0].is_string())
    return call.refuse(fmt::format("{} is no number", preview(call[0], 40)));
  return number_in(call, call.text(0));
}

Value number_with_separators(Call& call) {
  const std::string_view grouping = call.has(1) ? call.text(1) : "";
  const bool has_decimal = call.arguments.size() > 2 && call.has(2);
  const std::string_view decimal = has_decimal ? call.text(2) : "";
  const bool good_grouping =
      grouping.empty() || grouping == " " || grouping == "," || grouping == ".";
  const bool good_decimal = decimal.empty() || decimal == "," || decimal == ".";
  if (!good_grouping || !good_decimal || (!grouping.empty() && grouping == decimal)) {
    return call.refuse("the separators must be two of \" \", \",\" and \".\"");
  }
  call.machine.check_text(call.text(0).size());
  call.machine.charge(call.text(0).size(), cost::scanned);
  std::string digits;
  for (const char c : call.text(0)) {
    if (!grouping.empty() && c == grouping.front()) continue;
    const bool is_foreign_point = c == '.' && !decimal.empty() && decimal != ".";
    digits += !decimal.empty() && c == decimal.front() ? '.' : is_foreign_point ? '#' : c;
  }
  return number_in(call, digits);
}

Value string_of(Call& call) {
  return call.has(0) ? Value(text_of(call.machine, call[0])) : Value();
}

// The values in a JSON text are counted before they are made. Characters inside of its strings may
// count too: it is at least what is needed. The reader keeps an index besides.
void charge_json(Machine& machine, std::string_view text) {
  std::size_t lists = 0;
  std::size_t values = 1;
  std::size_t members = 0;
  for (const char c : text) {
    lists += c == '[' || c == '{' ? 1 : 0;
    values += c == ',' ? 1 : 0;
    members += c == ':' ? 1 : 0;
  }
  constexpr std::size_t index_bytes = 7;  // for each byte of the text; most of it is not touched
  machine.charge(text.size(), cost::made);
  machine.charge(lists + values, 2 * cost::step);
  machine.charge(members, 2 * cost::entry);
  machine.take(text.size() * index_bytes + lists * 3 * cost::node_bytes +
               values * (2 * cost::value_bytes + cost::node_bytes) +
               members * 2 * cost::entry_bytes);
}

Value from_json(Call& call) {
  charge_json(call.machine, call.text(0));
  auto parsed = parse_json(call.text(0));
  if (parsed) return *std::move(parsed);
  return call.refuse(parsed.error().text);
}

Value json_of(Call& call) { return json_text(call.machine, call[0]); }

// The text of a range with literals as ends: "[1..10)".
Value range_from(Call& call) {
  const std::string_view text = call.text(0);
  if (text.size() > limits::feel_range_text_bytes) return call.refuse("the text is too long");
  call.machine.charge(20 + 4 * text.size());
  const auto parsed = parse(text);
  if (!parsed) return call.refuse(fmt::format("{} is no range", preview(call[0], 40)));
  const Tree& tree = parsed->tree();
  const auto is_literal = [&](NodeIndex end) {
    if (end == none) return true;
    const Node& node = tree.nodes[end];
    if (node.op == Op::constant) return !tree.constants[node.a].is_null();
    return node.op == Op::negate || node.op == Op::call_builtin;
  };
  const Node& root = tree.nodes[tree.root];
  if (root.op == Op::constant && tree.constants[root.a].kind() == Value::Kind::range) {
    return tree.constants[root.a];
  }
  if (root.op != Op::range || !is_literal(root.a) || !is_literal(root.b) ||
      !tree.free_names.empty()) {
    return call.refuse("the ends of the range must be literals");
  }
  return call.machine.run(tree);
}

constexpr Builtin conversion_table[] = {
    {"number(from: any)", number_from},
    {"number(from: string, grouping separator: string?)", number_with_separators},
    {"number(from: string, grouping separator: string?, decimal separator: string?)",
     number_with_separators},
    {"string(from: any?)", string_of},
    {"from json(value: string)", from_json},
    {"to json(value: any?)", json_of},
    {"range(from: string)", range_from},
};

}  // namespace

std::span<const Builtin> conversion_builtins() { return conversion_table; }

}  // namespace pawl::feel

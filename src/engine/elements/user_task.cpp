// SPDX-License-Identifier: Apache-2.0
#include "engine/elements/user_task.hpp"

#include <fmt/format.h>

#include "engine/gate.hpp"

namespace pawl::engine {
namespace {

constexpr std::int64_t highest_priority = 100;

struct Part {
  std::string_view name;
  const model::Expression& expression;
};

Error wrong_part(const Part& part, const Value& got, std::string_view wanted) {
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("{} \"{}\" must give {}, but gave {} ({})", part.name,
                          part.expression.text, wanted, preview(got), kind_name(got.kind())));
}

bool is_absent(const Value& value) {
  return value.is_null() || (value.is_string() && value.as_string().empty());
}

Result<Value> as_text(const Part& part, const Value& got) {
  if (!got.is_string()) return wrong_part(part, got, "a text");
  return got;
}

// A list of texts, or one text with commas.
Result<Value> as_names(const Part& part, const Value& got) {
  if (got.is_list()) {
    for (const Value& name : got.as_list()) {
      if (!name.is_string()) return wrong_part(part, got, "a list of texts");
    }
    return got;
  }
  if (!got.is_string()) return wrong_part(part, got, "a list of texts");
  List names;
  std::string_view rest = got.as_string();
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view name = rest.substr(0, comma);
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return Value(std::move(names));
}

Result<Value> as_date(const Part& part, const Value& got) {
  const bool temporal = got.kind() == Value::Kind::date_time || got.kind() == Value::Kind::date;
  const bool readable = got.is_string() && (parse_date_time(got.as_string()).has_value() ||
                                            parse_date(got.as_string()).has_value());
  if (!temporal && !readable) return wrong_part(part, got, "a date and time");
  return got;
}

Result<Value> as_priority(const Part& part, const Value& got) {
  Value number = got;
  if (got.is_string()) {
    if (const auto parsed = Decimal::parse(got.as_string())) number = Value(*parsed);
  }
  const bool fits =
      number.is_int() && number.int_unchecked() >= 0 && number.int_unchecked() <= highest_priority;
  if (!fits) return wrong_part(part, got, "a whole number from 0 to 100");
  return number;
}

}  // namespace

Result<Value> user_task_details(Step& step, Slot slot, const model::UserTaskDefinition& task) {
  using Check = Result<Value> (*)(const Part&, const Value&);
  const std::pair<Part, Check> parts[] = {{{"assignee", task.assignee}, as_text},
                                          {{"candidateGroups", task.candidate_groups}, as_names},
                                          {{"candidateUsers", task.candidate_users}, as_names},
                                          {{"dueDate", task.due_date}, as_date},
                                          {{"followUpDate", task.follow_up_date}, as_date},
                                          {{"priority", task.priority}, as_priority}};
  std::vector<Entry> details;
  for (const auto& [part, check] : parts) {
    if (part.expression.empty()) continue;
    PAWL_TRY(got, step.evaluate(part.expression, slot));
    if (is_absent(got.value)) continue;
    PAWL_TRY(value, check(part, got.value));
    details.push_back({std::string(part.name), value});
  }
  if (details.empty()) return Value();
  return Gate(step, slot).admit({"user task", ""}, Value::context(std::move(details)));
}

}  // namespace pawl::engine

// SPDX-License-Identifier: Apache-2.0
#include "feel/batch.hpp"

#include <fmt/format.h>

#include <set>

#include "feel/literals.hpp"
#include "feel/text.hpp"
#include "value/json.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

Value temporal(std::string_view type, std::string_view text) {
  if (type == "date") {
    const auto date = date_from_text(text);
    return date ? Value(*date) : Value();
  }
  if (type == "time") {
    const auto time = time_from_text(text);
    return time ? Value(*time) : Value();
  }
  if (type == "date and time") {
    const auto date_time = date_time_from_text(text);
    return date_time ? Value(*date_time) : Value();
  }
  return type == "duration" ? duration_from_text(text) : Value();
}

Value tag(std::string_view type, std::string text) {
  return object({{"@type", type}, {"@value", text}});
}

void collect_names(const Value& value, std::set<std::string>& names) {
  if (value.is_list()) {
    for (const auto& item : value.as_list()) collect_names(item, names);
  } else if (value.is_context()) {
    for (const auto& entry : value.entries()) {
      names.insert(entry.key);
      collect_names(entry.value, names);
    }
  }
}

std::string answer(const Value& id, std::string_view member, const Value& content) {
  return to_json(object({{"id", id}, {member, content}}));
}

Result<Value> evaluate_line(const Value& line, const Value& context, Instant now) {
  const Value* kind = line.find("kind");
  const Value* text = line.find("expr");
  if (text == nullptr || !text->is_string()) {
    return fail(Whose::caller, Code::bad_expression, "the member \"expr\" must be a string");
  }
  const bool is_unary = kind != nullptr && kind->is_string() && kind->as_string() == "unary";
  const ParseOptions options{names_in(context)};
  PAWL_TRY(expression, is_unary ? parse_unary_tests(text->as_string(), options)
                                : parse(text->as_string(), options));
  const ContextNames names(context);
  Environment environment;
  environment.names = &names;
  environment.now = now;
  if (!is_unary) return evaluate(expression, environment);
  const Value* input = line.find("input");
  if (input == nullptr) input = context.find("?");
  return evaluate_unary(expression, input != nullptr ? untagged(*input) : Value(), environment);
}

}  // namespace

Value untagged(const Value& value) {
  if (value.depth() > limits::json_depth) return nullptr;  // JSON is not that deep
  if (value.is_list()) {
    List items;
    for (const auto& item : value.as_list()) items.push_back(untagged(item));
    return items;
  }
  if (!value.is_context()) return value;
  const Value* type = value.find("@type");
  const Value* text = value.find("@value");
  if (type != nullptr && text != nullptr && type->is_string() && text->is_string()) {
    return temporal(type->as_string(), text->as_string());
  }
  std::vector<Entry> entries;
  for (const auto& entry : value.entries()) entries.push_back({entry.key, untagged(entry.value)});
  return Value::context(std::move(entries));
}

Value tagged(const Value& value) {
  if (value.depth() > limits::json_depth) return nullptr;  // as to_json() has it
  switch (value.kind()) {
    case Kind::list: {
      List items;
      for (const auto& item : value.as_list()) items.push_back(tagged(item));
      return items;
    }
    case Kind::context: {
      std::vector<Entry> entries;
      for (const auto& entry : value.entries()) entries.push_back({entry.key, tagged(entry.value)});
      return Value::context(std::move(entries));
    }
    case Kind::date:
      return tag("date", to_string(value.as_date()));
    case Kind::time:
      return tag("time", to_string(value.as_time()));
    case Kind::date_time:
      return tag("date and time", iso_text(value.as_date_time()));
    case Kind::day_time_duration:
      return tag("duration", to_string(value.as_day_time_duration()));
    case Kind::year_month_duration:
      return tag("duration", to_string(value.as_year_month_duration()));
    case Kind::range:
      return range_text(value.as_range());
    case Kind::function:
      return value.as_function()->name();
    default:
      return value;
  }
}

std::vector<std::string> names_in(const Value& value) {
  std::set<std::string> names;
  collect_names(value, names);
  return {names.begin(), names.end()};
}

std::string run_batch_line(std::string_view json_line, Instant now) {
  const auto line = parse_json_object(json_line);
  if (!line) return answer(nullptr, "error", fmt::format("parse: {}", line.error().text));
  const Value* id = line->find("id");
  const Value* context = line->find("context");
  const Value given = context != nullptr && context->is_context() ? untagged(*context) : object({});
  const auto value = evaluate_line(*line, given, now);
  const Value known_id = id != nullptr ? *id : Value();
  if (value) return answer(known_id, "value", tagged(*value));
  const bool is_parse =
      value.error().code == Code::bad_expression || value.error().code == Code::too_large;
  return answer(known_id, "error",
                fmt::format("{}: {}", is_parse ? "parse" : "evaluation", value.error().text));
}

}  // namespace pawl::feel

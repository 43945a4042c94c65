// SPDX-License-Identifier: Apache-2.0
#include "feel/builtins/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.substr(text.size() - suffix.size()) != suffix)
    return false;
  text.remove_suffix(suffix.size());
  return true;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

ParameterType type_named(std::string_view name) {
  static constexpr std::pair<std::string_view, ParameterType> types[] = {
      {"any", ParameterType::any},           {"string", ParameterType::string},
      {"number", ParameterType::number},     {"boolean", ParameterType::boolean},
      {"list", ParameterType::list},         {"context", ParameterType::context},
      {"function", ParameterType::function}, {"day", ParameterType::day},
      {"time", ParameterType::time},         {"duration", ParameterType::duration},
  };
  for (const auto& [known, type] : types) {
    if (known == name) return type;
  }
  PAWL_ASSERT(!"a signature names an unknown type");
  return ParameterType::any;
}

SignatureParameter parse_parameter(std::string_view text) {
  SignatureParameter parameter;
  const std::size_t colon = text.find(": ");
  PAWL_ASSERT(colon != std::string_view::npos);
  std::string_view name = text.substr(0, colon);
  std::string_view type = text.substr(colon + 2);
  parameter.is_optional = take_suffix(name, "?");
  parameter.is_variadic = take_suffix(type, "...");
  parameter.may_be_null = take_suffix(type, "?");
  parameter.names = split(name, "|");
  parameter.type = type_named(type);
  return parameter;
}

bool fits(ParameterType type, const Value& value) {
  switch (type) {
    case ParameterType::any:
      return true;
    case ParameterType::string:
      return value.is_string();
    case ParameterType::number:
      return value.is_number();
    case ParameterType::boolean:
      return value.is_boolean();
    case ParameterType::list:
      return value.is_list();
    case ParameterType::context:
      return value.is_context();
    case ParameterType::function:
      return value.kind() == Kind::function;
    case ParameterType::day:
      return value.kind() == Kind::date || value.kind() == Kind::date_time;
    case ParameterType::time:
      return value.kind() == Kind::time;
    case ParameterType::duration:
      return value.kind() == Kind::day_time_duration || value.kind() == Kind::year_month_duration;
  }
  return false;
}

std::string_view type_text(ParameterType type) {
  switch (type) {
    case ParameterType::any:
      return "a value";
    case ParameterType::string:
      return "a string";
    case ParameterType::number:
      return "a number";
    case ParameterType::boolean:
      return "a boolean";
    case ParameterType::list:
      return "a list";
    case ParameterType::context:
      return "a context";
    case ParameterType::function:
      return "a function";
    case ParameterType::day:
      return "a date or a date and time";
    case ParameterType::time:
      return "a time";
    case ParameterType::duration:
      return "a duration";
  }
  return "a value";
}

// Texts for people cost more than all the rest; they are made only when somebody reads them.
template <class... Arguments>
void explain(std::string* reason, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  if (reason != nullptr) *reason = fmt::format(text, std::forward<Arguments>(arguments)...);
}

// A list of one item is taken as the item, and an item as a list of one, where the type asks.
bool convert(const SignatureParameter& parameter, Value& value, std::string* reason) {
  if (value.is_null()) {
    if (parameter.may_be_null) return true;
  } else if (fits(parameter.type, value)) {
    return true;
  } else if (parameter.type == ParameterType::list) {
    value = Value(List{value});
    return true;
  } else if (value.is_list() && value.as_list().size() == 1 &&
             fits(parameter.type, value.as_list().front())) {
    value = Value(value.as_list().front());
    return true;
  }
  if (reason != nullptr) {
    *reason = fmt::format("\"{}\" must be {}, not {}", parameter.names.front(),
                          type_text(parameter.type), preview(value, 40));
  }
  return false;
}

// The parameter with this name that has no argument yet.
std::size_t place_of(const Signature& signature, std::string_view name,
                     const std::vector<bool>& is_set) {
  const auto& parameters = signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& names = parameters[i].names;
    if (!is_set[i] && std::find(names.begin(), names.end(), name) != names.end()) return i;
  }
  return parameters.size();
}

bool place_named(const Signature& signature, const Arguments& arguments, std::vector<Value>& placed,
                 std::vector<bool>& is_set, std::string* reason) {
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    const std::size_t place = place_of(signature, arguments.names[i], is_set);
    if (place == placed.size()) {
      explain(reason, "there is no parameter \"{}\"", preview_text(arguments.names[i]));
      return false;
    }
    placed[place] = arguments.values[i];
    is_set[place] = true;
  }
  return true;
}

// The arguments that a variadic parameter takes: one list as it is, else all of them.
Value gathered(const SignatureParameter& parameter, std::span<const Value> rest) {
  if (rest.size() == 1 && parameter.type == ParameterType::list) {
    return rest.front().is_list() || rest.front().is_null() ? rest.front()
                                                            : Value(List{rest.front()});
  }
  return Value(List(rest.begin(), rest.end()));
}

bool place_in_order(const Signature& signature, const Arguments& arguments,
                    std::vector<Value>& placed, std::vector<bool>& is_set, std::string* reason) {
  const auto& parameters = signature.parameters;
  const bool is_variadic = !parameters.empty() && parameters.back().is_variadic;
  if (arguments.values.size() > parameters.size() && !is_variadic) {
    explain(reason, "it takes {} arguments, not {}", parameters.size(), arguments.values.size());
    return false;
  }
  for (std::size_t i = 0; i < parameters.size() && i < arguments.values.size(); ++i) {
    is_set[i] = true;
    placed[i] = parameters[i].is_variadic
                    ? gathered(parameters[i], std::span(arguments.values).subspan(i))
                    : arguments.values[i];
  }
  return true;
}

}  // namespace

Signature parse_signature(std::string_view text) {
  const std::size_t open = text.find('(');
  PAWL_ASSERT(open != std::string_view::npos && text.back() == ')');
  Signature signature{text.substr(0, open), {}};
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  if (inside.empty()) return signature;
  for (const auto part : split(inside, ", ")) signature.parameters.push_back(parse_parameter(part));
  return signature;
}

std::optional<std::vector<Value>> fit(const Signature& signature, const Arguments& arguments,
                                      std::string* reason) {
  const auto& parameters = signature.parameters;
  std::vector<Value> placed(parameters.size());
  std::vector<bool> is_set(parameters.size(), false);
  const bool is_placed = arguments.names.empty()
                             ? place_in_order(signature, arguments, placed, is_set, reason)
                             : place_named(signature, arguments, placed, is_set, reason);
  if (!is_placed) return std::nullopt;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!is_set[i]) {
      if (parameters[i].is_optional) continue;
      explain(reason, "the argument \"{}\" is missing", parameters[i].names.front());
      return std::nullopt;
    }
    if (parameters[i].is_variadic && parameters[i].type == ParameterType::any) continue;
    if (!convert(parameters[i], placed[i], reason)) return std::nullopt;
  }
  return placed;
}

}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
#include "model/expression.hpp"

#include <utility>

namespace pawl::model {

Expression Expression::of_literal(Value value, std::string text) {
  Expression made;
  made.language = Language::literal;
  made.text = text.empty() && value.is_string() ? std::string(value.as_string()) : std::move(text);
  made.literal = std::move(value);
  return made;
}

Result<Expression> Expression::of_feel(std::string_view text) {
  PAWL_TRY(parsed, feel::parse(text));
  Expression made;
  made.language = Language::feel;
  made.text = text;
  made.feel = std::move(parsed);
  return made;
}

Result<Expression> Expression::of_javascript(std::string_view text, script::Program::Mode mode) {
  PAWL_TRY(program, script::Program::compile(std::string(text), mode));
  Expression made;
  made.language = Language::javascript;
  made.text = text;
  made.javascript = std::move(program);
  return made;
}

}  // namespace pawl::model

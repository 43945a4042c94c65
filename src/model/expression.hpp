// SPDX-License-Identifier: Apache-2.0
// An expression of a model in whichever language its dialect uses, compiled once. A literal is a
// value; FEEL and JavaScript are evaluated by the engine.
#pragma once

#include <cstdint>
#include <string>

#include "feel/feel.hpp"
#include "script/script.hpp"
#include "value/value.hpp"

namespace pawl::model {

struct Expression {
  enum class Language : std::uint8_t { none, literal, feel, javascript };

  Language language{Language::none};
  std::string text{};  // as written, for messages
  Value literal{};
  feel::Expression feel{};
  script::Program javascript{};

  bool empty() const { return language == Language::none; }
  bool is_literal() const { return language == Language::literal; }

  static Expression of_literal(Value value, std::string text = {});
  static Result<Expression> of_feel(std::string_view text);
  static Result<Expression> of_javascript(
      std::string_view text, script::Program::Mode mode = script::Program::Mode::expression);
};

}  // namespace pawl::model

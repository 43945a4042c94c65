// SPDX-License-Identifier: Apache-2.0
// Texts of a model → compiled expressions, by the rules of its dialect: Zeebe has FEEL after `=`
// and plain text otherwise; the others have JavaScript in ${…} or bare, or FEEL where a language
// attribute says so. What does not parse is reported with its place and gives an empty expression.
#pragma once

#include <optional>
#include <string_view>

#include "bpmn/report.hpp"
#include "bpmn/xml.hpp"
#include "model/expression.hpp"
#include "model/process.hpp"

namespace pawl::bpmn {

class Expressions {
 public:
  Expressions(model::Dialect dialect, bool feel_by_default, Report& report)
      : dialect_(dialect), feel_by_default_(feel_by_default), report_(report) {}

  model::Dialect dialect() const { return dialect_; }

  // A value: literal text unless it is marked as an expression. Empty text gives none.
  model::Expression value(xml::Element at, std::string_view text);
  // Code: bare text is an expression too (conditions, cardinalities, collections).
  model::Expression code(xml::Element at, std::string_view text);
  // The code inside an expression element, in the language that it names.
  model::Expression formal(xml::Element element);
  // A timer's text: literal if it has the right form, else an expression.
  model::Expression timer(xml::Element element, model::TimerDefinition::Kind kind);
  // A whole script. `format` as scriptFormat writes it. Nothing if no release runs the format.
  std::optional<model::Expression> script(xml::Element at, std::string_view text,
                                          std::string_view format);

  model::Expression feel(xml::Element at, std::string_view text);
  model::Expression javascript(xml::Element at, std::string_view text);
  // Without a finding if it cannot be read.
  Result<model::Expression> compiled(xml::Element at, std::string_view text,
                                     script::Program::Mode mode);

  // Where the first JavaScript stood, if there was any.
  const std::optional<model::Place>& first_script() const { return first_script_; }

 private:
  model::Expression checked(xml::Element at, Result<model::Expression> result);
  model::Expression marked(xml::Element at, std::string_view text);

  model::Dialect dialect_;
  bool feel_by_default_;
  Report& report_;
  std::optional<model::Place> first_script_{};
};

// `text` begins an expression in this dialect (`=…`, or has ${…} in it).
bool is_marked_expression(std::string_view text, model::Dialect dialect);

// How a language attribute or script format is understood.
enum class LanguageName : std::uint8_t { unspecified, feel, javascript, foreign, nonsense };
LanguageName language_named(std::string_view name);

}  // namespace pawl::bpmn

// SPDX-License-Identifier: Apache-2.0
#include "bpmn/expressions.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "bpmn/juel.hpp"
#include "bpmn/timer_text.hpp"

namespace pawl::bpmn {
namespace {

using model::Dialect;
using model::Expression;
using Mode = script::Program::Mode;

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A URI or a name, as the language of an expression must be.
bool is_uri_like(std::string_view text) {
  for (const char c : text) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!fine && !has("-._~:/?#[]@!$&'()*+,;=%", std::string_view(&c, 1))) return false;
  }
  const std::size_t percent = text.find('%');
  if (percent == std::string_view::npos) return true;
  const auto is_hex = [&](std::size_t at) {
    return at < text.size() && has("0123456789abcdefABCDEF", text.substr(at, 1));
  };
  return is_hex(percent + 1) && is_hex(percent + 2);
}

bool is_known_foreign(std::string_view name) {
  static constexpr std::string_view names[] = {
      "groovy",  "python", "jython",    "ruby",     "jruby", "juel",  "java",
      "scala",   "kotlin", "beanshell", "xpath",    "mvel",  "spel",  "freemarker",
      "clojure", "graal",  "php",       "velocity", "xslt",  "xquery"};
  for (const std::string_view known : names) {
    if (has(name, known)) return true;
  }
  return false;
}

bool has_form(std::string_view text, model::TimerDefinition::Kind kind) {
  switch (kind) {
    case model::TimerDefinition::Kind::date:
      return is_date_text(text);
    case model::TimerDefinition::Kind::duration:
      return is_duration_text(text);
    case model::TimerDefinition::Kind::cycle:
      return is_cycle_text(text) || is_duration_text(text);
  }
  return false;
}

bool begins_with_equals(std::string_view text) {
  return !text.empty() && text[0] == '=' && text.substr(0, 2) != "==";
}

}  // namespace

LanguageName language_named(std::string_view name) {
  if (name.empty()) return LanguageName::unspecified;
  const std::string low = lower_case(name);
  if (has(low, "feel")) return LanguageName::feel;
  if (has(low, "javascript") || has(low, "ecmascript") || low == "js") {
    return LanguageName::javascript;
  }
  if (is_known_foreign(low) || has(low, "/")) return LanguageName::foreign;
  return LanguageName::nonsense;
}

bool is_marked_expression(std::string_view text, Dialect dialect) {
  if (begins_with_equals(text)) return true;
  if (dialect == Dialect::zeebe) return false;
  for (const TemplatePart& part : template_parts(text)) {
    if (part.is_code) return true;
  }
  return false;
}

Expression Expressions::checked(xml::Element at, Result<Expression> result) {
  if (result) return std::move(*result);
  report_.add(Rule::expression_invalid, at,
              fmt::format("{}: the expression cannot be read: {}", title(at), result.error().text));
  return {};
}

Expression Expressions::feel(xml::Element at, std::string_view text) {
  return checked(at, Expression::of_feel(text));
}

Result<Expression> Expressions::compiled(xml::Element at, std::string_view text, Mode mode) {
  if (!first_script_) first_script_ = at.place();
  if (!report_.looks_at_scripts()) {
    return fail(Whose::caller, Code::bad_expression,
                "it was not looked at, because another script of the file could not be read");
  }
  Result<Expression> made = Expression::of_javascript(text, mode);
  const Code code = made ? Code{} : made.error().code;
  if (code == Code::budget_exceeded || code == Code::script_failed) {
    report_.stop_looking_at_scripts();
  }
  return made;
}

// JavaScript as it is; if that does not parse, with the word operators of Java's expressions.
Expression Expressions::javascript(xml::Element at, std::string_view text) {
  Result<Expression> direct = compiled(at, text, Mode::expression);
  if (direct) return std::move(*direct);
  Result<Expression> translated = compiled(at, without_word_operators(text), Mode::expression);
  if (!translated) return checked(at, std::move(direct));
  translated->text = text;
  return std::move(*translated);
}

Expression Expressions::marked(xml::Element at, std::string_view text) {
  if (begins_with_equals(text)) return feel(at, text.substr(1));
  Expression made = javascript(at, javascript_of(template_parts(text)));
  if (!made.empty()) made.text = text;
  return made;
}

Expression Expressions::value(xml::Element at, std::string_view text) {
  if (text.empty()) return {};
  if (is_marked_expression(text, dialect_)) return marked(at, text);
  return Expression::of_literal(Value(text), std::string(text));
}

Expression Expressions::code(xml::Element at, std::string_view text) {
  if (text.empty()) return {};
  if (is_marked_expression(text, dialect_)) return marked(at, text);
  if (dialect_ == Dialect::zeebe) {
    report_.add(Rule::expression_expected, at,
                fmt::format("{}: \"{}\" is plain text where an expression is needed; begin it "
                            "with =",
                            title(at), text.substr(0, 80)));
    return {};
  }
  return feel_by_default_ ? feel(at, text) : javascript(at, text);
}

Expression Expressions::formal(xml::Element element) {
  const std::string_view text = element.text();
  const std::string_view language = element.attribute("language");
  if (!is_uri_like(language)) {
    report_.add(Rule::language_invalid, element,
                fmt::format("{}: the language \"{}\" is not a URI; name a language such as "
                            "https://www.omg.org/spec/DMN/20191111/FEEL/",
                            title(element), language.substr(0, 80)));
    return {};
  }
  if (text.empty()) return {};
  if (language_named(language) == LanguageName::feel) {
    return feel(element, begins_with_equals(text) ? text.substr(1) : text);
  }
  if (language_named(language) == LanguageName::javascript && !has(text, "${")) {
    return javascript(element, text);
  }
  return code(element, text);
}

Expression Expressions::timer(xml::Element element, model::TimerDefinition::Kind kind) {
  const std::string_view text = element.text();
  if (text.empty()) return {};
  if (has_form(text, kind)) return Expression::of_literal(Value(text), std::string(text));
  if (is_marked_expression(text, dialect_)) return formal(element);
  const bool plain_name = dialect_ != Dialect::zeebe && !has(text, " ") && !has(text, "/");
  const bool looks_timed = text[0] == 'P' || text[0] == 'R' || (text[0] >= '0' && text[0] <= '9');
  if (plain_name && !looks_timed) return formal(element);
  report_.add(Rule::timer_invalid, element,
              fmt::format("{}: \"{}\" is not a time of this kind; write ISO 8601, such as "
                          "PT15M, 2030-01-31T12:00:00Z or R3/PT1H",
                          title(element), text.substr(0, 80)));
  return {};
}

std::optional<Expression> Expressions::script(xml::Element at, std::string_view text,
                                              std::string_view format) {
  switch (language_named(format)) {
    case LanguageName::feel:
      return feel(at, begins_with_equals(text) ? text.substr(1) : text);
    case LanguageName::unspecified:
    case LanguageName::javascript:
      return checked(at, compiled(at, text, Mode::statements));
    case LanguageName::nonsense:
      report_.add(Rule::script_format_unknown, at,
                  fmt::format("{}: \"{}\" is neither a script language nor a media type; write "
                              "javascript or feel",
                              title(at), format.substr(0, 80)));
      break;
    case LanguageName::foreign:
      break;
  }
  return std::nullopt;
}

}  // namespace pawl::bpmn

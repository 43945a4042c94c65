// SPDX-License-Identifier: Apache-2.0
#include "bpmn/loop_options.hpp"

#include <fmt/format.h>

#include <array>

#include "bpmn/juel.hpp"

namespace pawl::bpmn {
namespace {

using model::Expression;
using model::LoopOptions;

// One attribute that is being read.
struct Asked {
  const Reading& reading;
  xml::Element activity;
  xml::Element loop;
  std::string_view name;
  std::string_view text;
};

void refuse_option(const Asked& asked, std::string_view allowed) {
  asked.reading.report.add(
      Rule::loop_option_invalid, asked.loop,
      fmt::format("{}: pawl:{}=\"{}\" cannot be used; write {}", title(asked.activity), asked.name,
                  asked.text.substr(0, 80), allowed));
}

// Stricter than elsewhere: text around ${…} would make a string of a count.
bool is_option_expression(const Asked& asked, std::string_view text) {
  if (!is_marked_expression(text, asked.reading.dialect())) return false;
  if (text[0] == '=') return true;
  return template_parts(text).size() == 1;
}

struct Count {
  std::string_view text;
  std::int64_t least;
  std::string_view allowed;  // for the message
};

Expression read_count(const Asked& asked, const Count& count) {
  if (is_option_expression(asked, count.text)) {
    return asked.reading.expressions.value(asked.loop, count.text);
  }
  const std::optional<Decimal> number = Decimal::parse(count.text);
  const std::optional<std::int64_t> whole = number ? number->to_int64() : std::nullopt;
  if (whole && *whole >= count.least) {
    return Expression::of_literal(Value(*whole), std::string(count.text));
  }
  refuse_option(asked, count.allowed);
  return {};
}

constexpr std::string_view any_count = "a whole number of at least 0 or an expression (=n)";
constexpr std::string_view positive_count = "a whole number of at least 1 or an expression (=n)";

void read_minimum(const Asked& asked, LoopOptions& made) {
  made.minimum = read_count(asked, {asked.text, 0, any_count});
}

void read_maximum(const Asked& asked, LoopOptions& made) {
  made.maximum = read_count(asked, {asked.text, 0, any_count});
}

void read_concurrency(const Asked& asked, LoopOptions& made) {
  made.concurrency = read_count(asked, {asked.text, 1, positive_count});
}

// A join after 0 iterations would cancel all of them before they begin; "none" is what lets the
// token go on at once.
void read_join(const Asked& asked, LoopOptions& made) {
  using Join = LoopOptions::Join;
  if (asked.text == "all") return;
  if (asked.text == "none") {
    made.join = Join::none;
    return;
  }
  made.join_count = asked.text == "first"
                        ? Expression::of_literal(Value(1), "first")
                        : read_count(asked, {asked.text, 1,
                                             "all, first, none, a whole number of at least 1 or "
                                             "an expression (=n)"});
  if (!made.join_count.empty()) made.join = Join::count;
}

void read_on_error(const Asked& asked, LoopOptions& made) {
  using OnError = LoopOptions::OnError;
  constexpr std::string_view tolerate = "tolerate:";
  constexpr std::string_view allowed =
      "incident, fail, collect, or tolerate:K with K a whole number of at least 0 or an "
      "expression (tolerate:=n)";
  if (asked.text == "incident") {
    made.on_error = OnError::incident;
  } else if (asked.text == "fail") {
    made.on_error = OnError::fail;
  } else if (asked.text == "collect") {
    made.on_error = OnError::collect;
  } else if (asked.text.substr(0, tolerate.size()) == tolerate) {
    made.tolerated = read_count(asked, {asked.text.substr(tolerate.size()), 0, allowed});
    if (!made.tolerated.empty()) made.on_error = OnError::tolerate;
  } else {
    refuse_option(asked, allowed);
  }
}

void read_output_order(const Asked& asked, LoopOptions& made) {
  made.completion_order = asked.text == "completion";
  if (asked.text != "completion" && asked.text != "item")
    refuse_option(asked, "item or completion");
}

void read_compact(const Asked& asked, LoopOptions& made) {
  made.compact = asked.text == "true";
  if (asked.text != "true" && asked.text != "false") refuse_option(asked, "true or false");
}

struct Option {
  std::string_view name;
  void (*read)(const Asked& asked, LoopOptions& made);
};

constexpr std::array options = std::to_array<Option>({
    {"min", read_minimum},
    {"max", read_maximum},
    {"join", read_join},
    {"onError", read_on_error},
    {"concurrency", read_concurrency},
    {"outputOrder", read_output_order},
    {"compact", read_compact},
});

const Option* find_option(std::string_view name) {
  for (const Option& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::string known_names() {
  std::string out;
  for (const Option& option : options) {
    if (!out.empty()) out += ", ";
    out += option.name;
  }
  return out;
}

void check_bounds(const Reading& reading, xml::Element activity, xml::Element loop,
                  const LoopOptions& made) {
  if (!made.minimum.is_literal() || !made.maximum.is_literal()) return;
  if (*made.minimum.literal.as_int() <= *made.maximum.literal.as_int()) return;
  reading.report.add(Rule::loop_option_invalid, loop,
                     fmt::format("{}: pawl:min=\"{}\" is above pawl:max=\"{}\", so that no number "
                                 "of iterations is allowed; raise the maximum or lower the minimum",
                                 title(activity), made.minimum.text, made.maximum.text));
}

}  // namespace

LoopOptions read_loop_options(const Reading& reading, xml::Element activity, xml::Element loop) {
  LoopOptions made;
  for (const xml::Attribute& attribute : loop.attributes()) {
    if (attribute.vocabulary != Vocabulary::pawl) continue;
    if (const Option* option = find_option(attribute.name)) {
      option->read({reading, activity, loop, attribute.name, attribute.value}, made);
      continue;
    }
    reading.report.add(Rule::loop_option_unknown, loop,
                       fmt::format("{}: a multi-instance loop has no option pawl:{}; it has {}",
                                   title(activity), attribute.name.substr(0, 80), known_names()));
  }
  check_bounds(reading, activity, loop, made);
  return made;
}

void refuse_loop_options(const Reading& reading, xml::Element activity, xml::Element loop) {
  for (const xml::Attribute& attribute : loop.attributes()) {
    if (attribute.vocabulary != Vocabulary::pawl) continue;
    reading.report.add(Rule::loop_option_unknown, loop,
                       fmt::format("{}: a standard loop has no option pawl:{}; remove it, or use a "
                                   "multi-instance loop",
                                   title(activity), attribute.name.substr(0, 80)));
  }
}

}  // namespace pawl::bpmn

// SPDX-License-Identifier: Apache-2.0
#include "bpmn/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/limits.hpp"

namespace pawl::bpmn {
namespace {

using Severity = Finding::Severity;

std::optional<Severity> weigh(Level level, const Subject& subject) {
  switch (level) {
    case Level::structure:
      return Severity::error;
    case Level::execution:
      return subject.executable ? Severity::error : Severity::warning;
    case Level::advice:
      return Severity::warning;
    case Level::standard:
      break;
  }
  if (!subject.plain) return std::nullopt;
  return subject.executable && subject.names_schema ? Severity::error : Severity::warning;
}

// The id of the element, or of the nearest one around it that has one.
std::string nearest_id(xml::Element element) {
  while (element && element.attribute("id").empty()) element = element.parent();
  return element ? std::string(element.attribute("id")) : std::string();
}

}  // namespace

void Report::add(Rule rule, xml::Element at, std::string text) {
  const std::optional<Severity> severity = weigh(level_of(rule), subject_);
  if (!severity) return;
  // Errors and warnings have a limit each: a flood of warnings must not hide an error.
  std::size_t& count = *severity == Severity::error ? errors_ : warnings_;
  if (++count > limits::findings) return;
  findings_.push_back({*severity, std::string(name_of(rule)), at ? nearest_id(at) : "",
                       at ? at.place() : model::Place{1, 1}, std::move(text)});
}

void Report::add(const xml::Problem& problem) {
  if (++errors_ > limits::findings) return;
  findings_.push_back({Severity::error, problem.rule, "", problem.place, problem.text});
}

std::vector<Finding> Report::take() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  return std::exchange(findings_, {});
}

std::string title(xml::Element element) {
  const std::string_view id = element.attribute("id");
  if (!id.empty()) return fmt::format("{} \"{}\"", element.name(), id);
  const model::Place place = element.place();
  return fmt::format("{} at {}:{}", element.name(), place.line, place.column);
}

std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeiou").find(noun[0]) != noun.npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

}  // namespace pawl::bpmn

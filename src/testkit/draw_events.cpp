// SPDX-License-Identifier: Apache-2.0
#include "testkit/draw_events.hpp"

#include <stdexcept>

namespace pawl::testkit {
namespace {

using model::EventKind;
using TimerKind = model::TimerDefinition::Kind;

// "2d" is P2D, "90s" is PT90S; anything else is taken as it stands.
std::string spelled_out(std::string_view text) {
  const bool is_short = text.size() > 1 && text.find_first_not_of("0123456789") == text.size() - 1;
  const char unit = is_short ? text.back() : ' ';
  const std::string count(text.substr(0, text.size() - 1));
  if (unit == 'd') return "P" + count + "D";
  if (unit == 'h' || unit == 'm' || unit == 's') {
    return "PT" + count + static_cast<char>(unit - 'a' + 'A');
  }
  return std::string(text);
}

DrawnEvent named_event(EventKind kind, std::string_view name) {
  DrawnEvent event{{.kind = kind}, std::string(name)};
  if (kind == EventKind::escalation) event.name.insert(0, "^");
  if (kind == EventKind::cancel) event.name = "cancel";
  const bool by_code = kind == EventKind::error || kind == EventKind::escalation;
  const bool by_name = kind == EventKind::message || kind == EventKind::signal;
  if (by_name) event.definition.name = read_value(name);
  if (by_code && !name.empty()) {
    event.definition.code = model::Expression::of_literal(Value(name));
  }
  return event;
}

DrawnEvent timed(TimerKind kind, std::string_view text) {
  DrawnEvent event{{.kind = EventKind::timer}, std::string(text)};
  event.definition.timer = {kind, read_value(spelled_out(text))};
  return event;
}

std::string_view after(std::string_view text, std::string_view word) {
  text.remove_prefix(word.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

}  // namespace

model::Expression read_value(std::string_view text) {
  if (!text.starts_with('=')) {
    return model::Expression::of_literal(Value(text), std::string(text));
  }
  auto parsed = model::Expression::of_feel(text.substr(1));
  if (!parsed) throw std::invalid_argument("draw: " + parsed.error().text);
  return *parsed;
}

std::optional<DrawnEvent> read_event(std::string_view part) {
  constexpr std::pair<std::string_view, EventKind> kinds[] = {
      {"on escalation", EventKind::escalation}, {"on undoing", EventKind::compensation},
      {"on cancel", EventKind::cancel},         {"on error", EventKind::error},
      {"on message", EventKind::message},       {"on signal", EventKind::signal}};
  for (const auto& [word, kind] : kinds) {
    if (part.starts_with(word)) return named_event(kind, after(part, word));
  }
  constexpr std::pair<std::string_view, TimerKind> timers[] = {
      {"after ", TimerKind::duration}, {"at ", TimerKind::date}, {"every ", TimerKind::cycle}};
  for (const auto& [word, kind] : timers) {
    if (!part.starts_with(word)) continue;
    const std::string_view text = after(part, word);
    // "at most" and "at once" are words of loops.
    const bool time = text.find_first_of("=-P0123456789") == 0 || kind == TimerKind::cycle;
    if (time) return timed(kind, text);
  }
  return std::nullopt;
}

}  // namespace pawl::testkit

// SPDX-License-Identifier: Apache-2.0
#include "bpmn/timer_text.hpp"

#include <cstddef>

#include "base/ascii.hpp"

namespace pawl::bpmn {
namespace {

// Reads numbers with units that must come in the given order; false if anything is left over.
bool read_units(std::string_view text, std::string_view units) {
  if (text.empty()) return false;
  std::size_t at = 0;
  std::size_t allowed = 0;
  while (at < text.size()) {
    const std::size_t begin = at;
    while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) ++at;
    if (at == begin || at == text.size()) return false;
    const std::size_t unit = units.find(text[at], allowed);
    if (unit == std::string_view::npos) return false;
    allowed = unit + 1;
    ++at;
  }
  return true;
}

bool is_cron_field(std::string_view field) {
  constexpr std::string_view marks = "*/,-?#LW";
  for (const char c : field) {
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!is_digit(c) && !letter && marks.find(c) == std::string_view::npos) return false;
  }
  return true;
}

bool is_cron(std::string_view text) {
  if (!text.empty() && text[0] == '@') return text.find(' ') == std::string_view::npos;
  int fields = 0;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view field = text.substr(0, end);
    if (!field.empty()) {
      if (!is_cron_field(field)) return false;
      ++fields;
    }
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return fields >= 5 && fields <= 7;
}

}  // namespace

bool is_duration_text(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  if (text.size() < 2 || text[0] != 'P') return false;
  text.remove_prefix(1);
  const std::size_t clock = text.find('T');
  if (clock == std::string_view::npos) return read_units(text, "YMWD");
  const bool days = clock == 0 || read_units(text.substr(0, clock), "YMWD");
  return days && read_units(text.substr(clock + 1), "HMS");
}

bool is_date_text(std::string_view text) {
  if (text.size() < 4) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!is_digit(text[i])) return false;
  }
  bool clock = false;
  for (std::size_t i = 4; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 'T' || c == '@' || c == '[') clock = true;
    const bool mark = c == '-' || c == ':' || c == '.' || c == '+' || c == 'T' || c == 'Z';
    const bool zone = clock && (c == '[' || c == ']' || c == '@' || c == '/' || c == '_' ||
                                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
    if (!is_digit(c) && !mark && !zone) return false;
  }
  return text.size() == 4 || text[4] == '-';
}

bool is_cycle_text(std::string_view text) {
  if (text.empty() || text[0] != 'R') return is_cron(text);
  std::size_t slash = text.find('/');
  for (std::size_t i = 1; i < slash && i < text.size(); ++i) {
    if (!is_digit(text[i])) return false;
  }
  while (slash != std::string_view::npos) {
    text.remove_prefix(slash + 1);
    slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    if (!is_duration_text(part) && !is_date_text(part)) return false;
  }
  return true;
}

}  // namespace pawl::bpmn

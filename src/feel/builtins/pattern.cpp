// SPDX-License-Identifier: Apache-2.0
// Functions with regular expressions.
#include <fmt/format.h>

#include "feel/builtins/builtins.hpp"
#include "feel/regex.hpp"
#include "feel/unicode.hpp"

namespace pawl::feel {
namespace {

constexpr std::size_t bytes_searched_per_step = 16;

const Regex* compiled(Call& call, std::size_t pattern, std::optional<std::size_t> flags = {}) {
  const std::string_view letters = flags && call.has(*flags) ? call.text(*flags) : "";
  const Regex* regex = call.machine.regexes().get(call.text(pattern), letters);
  if (regex == nullptr) {
    call.refuse(fmt::format("{} is no regular expression, or one of the flags \"{}\" is unknown",
                            preview(call[pattern], 40), letters));
  }
  return regex;
}

bool search(Machine& machine, const Regex& regex, std::string_view text, std::size_t from,
            Regex::Groups& groups) {
  machine.charge(1 + (text.size() - from) / bytes_searched_per_step);
  const auto outcome = regex.search(text, from, groups);
  if (outcome == Regex::Outcome::too_costly) {
    Machine::halt(Code::budget_exceeded, "a regular expression needs too much work; simplify it");
  }
  return outcome == Regex::Outcome::found;
}

// Calls visit(groups) for each match; an empty match moves on by one character.
template <class Visit>
void for_each_match(Machine& machine, const Regex& regex, std::string_view text, Visit visit) {
  Regex::Groups groups;
  for (std::size_t from = 0; from <= text.size();) {
    if (!search(machine, regex, text, from, groups)) return;
    visit(groups);
    from = groups[0].end;
    if (groups[0].end != groups[0].begin) continue;
    if (from >= text.size()) return;
    next_character(text, from);
  }
}

Value matches(Call& call) {
  const Regex* regex = compiled(call, 1, 2);
  if (regex == nullptr) return nullptr;
  Regex::Groups groups;
  return search(call.machine, *regex, call.text(0), 0, groups);
}

// "$1" is a group, "\$" and "\\" are the characters. False if the text is none of XPath's.
bool append_replacement(std::string& out, std::string_view replacement, std::string_view text,
                        const Regex::Groups& groups) {
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const char c = replacement[i];
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    if (c == '\\') {
      if (next != '\\' && next != '$') return false;
      out += next;
      ++i;
    } else if (c != '$') {
      out += c;
    } else {
      if (next < '0' || next > '9') return false;
      // As many digits as still name a group.
      std::size_t group = static_cast<std::size_t>(next - '0');
      ++i;
      while (i + 1 < replacement.size() && replacement[i + 1] >= '0' && replacement[i + 1] <= '9') {
        const std::size_t longer = group * 10 + static_cast<std::size_t>(replacement[i + 1] - '0');
        if (longer >= groups.size()) break;
        group = longer;
        ++i;
      }
      if (group < groups.size() && groups[group].is_set) {
        out += text.substr(groups[group].begin, groups[group].end - groups[group].begin);
      }
    }
  }
  return true;
}

Value replace(Call& call) {
  const Regex* regex = compiled(call, 1, 3);
  if (regex == nullptr) return nullptr;
  Regex::Groups groups;
  if (search(call.machine, *regex, "", 0, groups)) {
    return call.refuse("the pattern matches the empty text");
  }
  const std::string_view text = call.text(0);
  std::string out;
  std::size_t copied = 0;
  bool is_good = true;
  for_each_match(call.machine, *regex, text, [&](const Regex::Groups& found) {
    out += text.substr(copied, found[0].begin - copied);
    is_good = is_good && append_replacement(out, call.text(2), text, found);
    copied = found[0].end;
    call.machine.check_text(out.size() / 64);
    if (out.size() > call.machine.environment().budget.string_bytes)
      call.machine.check_text(out.size());
  });
  if (!is_good)
    return call.refuse("a \"$\" in the replacement needs a digit behind it, or a \"\\\" before");
  out += text.substr(copied);
  call.machine.check_text(out.size());
  return out;
}

Value split_by_pattern(Call& call) {
  const Regex* regex = compiled(call, 1);
  if (regex == nullptr) return nullptr;
  const std::string_view text = call.text(0);
  List parts;
  std::size_t begin = 0;
  for_each_match(call.machine, *regex, text, [&](const Regex::Groups& found) {
    const bool is_empty = found[0].begin == found[0].end;
    if (is_empty && (found[0].begin == 0 || found[0].begin == text.size())) return;
    parts.emplace_back(text.substr(begin, found[0].begin - begin));
    begin = found[0].end;
  });
  parts.emplace_back(text.substr(begin));
  call.machine.check_items(parts.size());
  return parts;
}

Value extract(Call& call) {
  const Regex* regex = compiled(call, 1);
  if (regex == nullptr) return nullptr;
  const std::string_view text = call.text(0);
  List found;
  for_each_match(call.machine, *regex, text, [&](const Regex::Groups& groups) {
    found.emplace_back(text.substr(groups[0].begin, groups[0].end - groups[0].begin));
  });
  call.machine.check_items(found.size());
  return found;
}

constexpr Builtin pattern_table[] = {
    {"matches(input: string, pattern: string, flags?: string?)", matches},
    {"replace(input: string, pattern: string, replacement: string, flags?: string?)", replace},
    {"split(string: string, delimiter: string)", split_by_pattern},
    {"extract(string: string, pattern: string)", extract},
};

}  // namespace

std::span<const Builtin> pattern_builtins() { return pattern_table; }

}  // namespace pawl::feel

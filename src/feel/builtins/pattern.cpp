// SPDX-License-Identifier: Apache-2.0
// Functions with regular expressions.
#include <fmt/format.h>

#include <algorithm>

#include "feel/builtins/builtins.hpp"
#include "feel/regex.hpp"
#include "feel/unicode.hpp"

namespace pawl::feel {
namespace {

using Groups = RegexSearch::Groups;

// nullopt if it is none.
std::optional<Regex> compile(Machine& machine, std::string_view pattern, const RegexFlags& flags) {
  constexpr std::uint64_t parts_per_byte = 16;  // of the compiled form
  machine.charge(pattern.size(), cost::walked);
  auto translated = translate_regex(pattern, flags);
  if (!translated) return std::nullopt;
  machine.charge(compile_steps(*translated, flags));
  auto regex = Regex::compile(*std::move(translated), flags);
  if (regex) machine.charge(regex->bytes(), parts_per_byte);
  return regex;
}

const Regex* compiled(Machine& machine, std::string_view pattern, std::string_view letters) {
  machine.charge(letters.size(), cost::scanned);
  const auto flags = regex_flags(letters);
  if (!flags || pattern.size() > limits::feel_pattern_bytes) return nullptr;
  machine.charge(pattern.size(), cost::scanned);
  const RegexCache::Kept* kept = machine.regexes().find(pattern, *flags);
  if (kept == nullptr) {
    kept =
        &machine.regexes().add({std::string(pattern), *flags, compile(machine, pattern, *flags)});
  }
  return kept->regex ? &*kept->regex : nullptr;
}

// nullptr, with a problem, if the argument is no pattern.
const Regex* pattern_in(Call& call, std::size_t pattern, std::optional<std::size_t> flags = {}) {
  const std::string_view letters = flags && call.has(*flags) ? call.text(*flags) : "";
  const Regex* regex = compiled(call.machine, call.text(pattern), letters);
  if (regex == nullptr) {
    call.refuse(fmt::format("{} is no regular expression or too large, or a flag is unknown",
                            preview(call[pattern], 40)));
  }
  return regex;
}

bool find(Machine& machine, RegexSearch& search, std::size_t from, Groups& groups) {
  std::uint64_t parts = machine.parts_left();
  const auto outcome = search.find(from, groups, parts);
  machine.charge(machine.parts_left() - parts, 1);
  if (outcome == RegexSearch::Outcome::too_costly) {
    Machine::halt(
        Code::budget_exceeded,
        "a regular expression needs too much work; simplify it, or search in a shorter text");
  }
  return outcome == RegexSearch::Outcome::found;
}

// Calls visit(groups) for each match; an empty match moves on by one character.
template <class Visit>
void for_each_match(Machine& machine, const Regex& regex, std::string_view text, Visit visit) {
  RegexSearch search(regex, text);
  Groups groups;
  for (std::size_t from = 0; from <= text.size();) {
    if (!find(machine, search, from, groups)) return;
    visit(groups);
    from = groups[0].end;
    if (groups[0].end != groups[0].begin) continue;
    if (from >= text.size()) return;
    next_character(text, from);
  }
}

Value matches(Call& call) {
  const Regex* regex = pattern_in(call, 1, 2);
  if (regex == nullptr) return nullptr;
  RegexSearch search(*regex, call.text(0));
  Groups groups;
  return find(call.machine, search, 0, groups);
}

// A text that grows under the budget.
struct Growing {
  Machine& machine;
  std::string text{};

  void add(std::string_view piece) {
    machine.charge(1, cost::item);
    if (text.size() + piece.size() > machine.environment().budget.string_bytes) {
      machine.check_text(text.size() + piece.size());
    }
    machine.take(piece.size());
    text += piece;
  }
};

// "$1" is a group, "\$" and "\\" are the characters. False if the text is none of XPath's.
bool append_replacement(Growing& out, std::string_view replacement, std::string_view text,
                        const Groups& groups) {
  out.machine.charge(replacement.size(), cost::scanned);
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const char c = replacement[i];
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    if (c == '\\') {
      if (next != '\\' && next != '$') return false;
      out.add({&next, 1});
      ++i;
    } else if (c != '$') {
      const std::size_t end = std::min(replacement.find_first_of("$\\", i), replacement.size());
      out.add(replacement.substr(i, end - i));
      i = end - 1;
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
        out.add(text.substr(groups[group].begin, groups[group].end - groups[group].begin));
      }
    }
  }
  return true;
}

Value replace(Call& call) {
  const Regex* regex = pattern_in(call, 1, 3);
  if (regex == nullptr) return nullptr;
  RegexSearch in_nothing(*regex, "");
  Groups groups;
  if (find(call.machine, in_nothing, 0, groups)) {
    return call.refuse("the pattern matches the empty text");
  }
  const std::string_view text = call.text(0);
  Growing out{call.machine};
  std::size_t copied = 0;
  bool is_good = true;
  for_each_match(call.machine, *regex, text, [&](const Groups& found) {
    out.add(text.substr(copied, found[0].begin - copied));
    is_good = is_good && append_replacement(out, call.text(2), text, found);
    copied = found[0].end;
  });
  if (!is_good)
    return call.refuse("a \"$\" in the replacement needs a digit behind it, or a \"\\\" before");
  out.add(text.substr(copied));
  return out.text;
}

Value split_by_pattern(Call& call) {
  const Regex* regex = pattern_in(call, 1);
  if (regex == nullptr) return nullptr;
  const std::string_view text = call.text(0);
  List parts;
  std::size_t begin = 0;
  for_each_match(call.machine, *regex, text, [&](const Groups& found) {
    const bool is_empty = found[0].begin == found[0].end;
    if (is_empty && (found[0].begin == 0 || found[0].begin == text.size())) return;
    call.machine.append(parts, call.machine.text(text.substr(begin, found[0].begin - begin)));
    begin = found[0].end;
  });
  call.machine.append(parts, call.machine.text(text.substr(begin)));
  return parts;
}

Value extract(Call& call) {
  const Regex* regex = pattern_in(call, 1);
  if (regex == nullptr) return nullptr;
  const std::string_view text = call.text(0);
  List found;
  for_each_match(call.machine, *regex, text, [&](const Groups& groups) {
    const auto size = groups[0].end - groups[0].begin;
    call.machine.append(found, call.machine.text(text.substr(groups[0].begin, size)));
  });
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

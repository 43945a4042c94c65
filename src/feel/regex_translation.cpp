// SPDX-License-Identifier: Apache-2.0
#include "feel/regex_translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ascii.hpp"
#include "feel/unicode.hpp"

namespace pawl::feel {
namespace {

constexpr int deepest_class = 20;

struct Block {
  std::string_view name{};
  std::string_view characters{};  // inside of a class
};

constexpr Block blocks[] = {
    {"BasicLatin", "\\x{0}-\\x{7F}"},
    {"Latin-1Supplement", "\\x{80}-\\x{FF}"},
    {"LatinExtended-A", "\\x{100}-\\x{17F}"},
    {"LatinExtended-B", "\\x{180}-\\x{24F}"},
    {"Greek", "\\x{370}-\\x{3FF}"},
    {"GreekandCoptic", "\\x{370}-\\x{3FF}"},
    {"Cyrillic", "\\x{400}-\\x{4FF}"},
    {"Hebrew", "\\x{590}-\\x{5FF}"},
    {"Arabic", "\\x{600}-\\x{6FF}"},
    {"Thai", "\\x{E00}-\\x{E7F}"},
    {"GeneralPunctuation", "\\x{2000}-\\x{206F}"},
    {"CurrencySymbols", "\\x{20A0}-\\x{20CF}"},
    {"Hiragana", "\\x{3040}-\\x{309F}"},
    {"Katakana", "\\x{30A0}-\\x{30FF}"},
    {"CJKUnifiedIdeographs", "\\x{4E00}-\\x{9FFF}"},
};

// Start and part of an XML name, inside of a class.
constexpr std::string_view name_start =
    ":A-Z_a-z\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}\\x{F8}-\\x{2FF}"
    "\\x{370}-\\x{37D}\\x{37F}-\\x{1FFF}\\x{3001}-\\x{D7FF}";
constexpr std::string_view name_part =
    ":A-Z_a-z\\-.0-9\\x{B7}\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}"
    "\\x{F8}-\\x{37D}\\x{37F}-\\x{1FFF}\\x{3001}-\\x{D7FF}";

bool is_pattern_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
// The flag x: blanks outside of classes mean nothing.
std::string without_blanks(std::string_view pattern) {
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      out += c;
      std::size_t next = i + 1;
      while (depth == 0 && next < pattern.size() && is_pattern_blank(pattern[next])) ++next;
      if (next < pattern.size()) out += pattern[next];
      i = next;
      continue;
    }
    if (c == '[') ++depth;
    if (c == ']' && depth > 0) --depth;
    if (depth > 0 || !is_pattern_blank(c)) out += c;
  }
  return out;
}

class Translator {
 public:
  Translator(std::string_view pattern, const RegexFlags& flags) : in_(pattern), flags_(flags) {}

  std::optional<std::string> run() {
    while (at_ < in_.size() && is_good_) step();
    if (!is_good_) return std::nullopt;
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0';
  }
  void refuse() { is_good_ = false; }

  void step() {
    switch (peek()) {
      case '\\':
        return escape(out_, false);
      case '[':
        out_ += character_class(0);
        return;
      case '.':
        out_ += flags_.dot_all ? "." : "[^\\n\\r]";
        ++at_;
        return;
      case '(':
        return open_group();
      case ')':
        close_group();
        [[fallthrough]];
      default:
        out_ += in_[at_++];
    }
  }

  void open_group() {
    if (peek(1) == '*') return refuse();  // (*VERB) of PCRE2
    const bool captures = peek(1) != '?';
    open_groups_.push_back(captures ? ++groups_ : 0);
    out_ += in_[at_++];
  }

  bool is_closed(int group) const {
    const auto index = static_cast<std::size_t>(group);
    return index < closed_.size() && closed_[index];
  }

  void close_group() {
    if (open_groups_.empty()) return;
    const auto index = static_cast<std::size_t>(open_groups_.back());
    if (closed_.size() <= index) closed_.resize(index + 1);
    closed_[index] = true;
    open_groups_.pop_back();
  }

  // \1 must refer to a group that has been closed; \12 is \1 and "2" if there are not twelve.
  void back_reference() {
    int group = 0;
    std::size_t used = 0;
    for (std::size_t i = 1; i <= 2 && is_digit(peek(i)); ++i) {
      const int longer = group * 10 + (peek(i) - '0');
      if (i > 1 && longer > groups_) break;
      group = longer;
      used = i;
    }
    if (group == 0 || !is_closed(group)) return refuse();
    out_ += fmt::format("\\g{{{}}}", group);
    at_ += 1 + used;
  }

  void property(std::string& out, bool in_class) {
    const bool negated = peek(1) == 'P';
    const std::size_t end = in_.find('}', at_);
    if (peek(2) != '{' || end == std::string_view::npos) return refuse();
    const std::string_view name = in_.substr(at_ + 3, end - at_ - 3);
    at_ = end + 1;
    if (name.find_first_of(" \t\n\r") != std::string_view::npos) return refuse();
    if (name.substr(0, 2) != "Is") {
      out += fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', name);
      return;
    }
    for (const auto& block : blocks) {
      if (block.name != name.substr(2)) continue;
      if (in_class && negated) return refuse();
      out += in_class ? std::string(block.characters)
                      : fmt::format("[{}{}]", negated ? "^" : "", block.characters);
      return;
    }
    refuse();
  }

  void name_class(std::string& out, bool in_class) {
    const char letter = peek(1);
    const bool negated = letter == 'I' || letter == 'C';
    const std::string_view set = letter == 'i' || letter == 'I' ? name_start : name_part;
    at_ += 2;
    if (!in_class) {
      out += fmt::format("[{}{}]", negated ? "^" : "", set);
    } else if (negated) {
      refuse();
    } else {
      out += set;
    }
  }

  void escape(std::string& out, bool in_class) {
    const char next = peek(1);
    if (is_digit(next)) return in_class ? refuse() : back_reference();
    if (next == 'p' || next == 'P') return property(out, in_class);
    if (next == 'i' || next == 'I' || next == 'c' || next == 'C') return name_class(out, in_class);
    if (next == 'u' && peek(2) == '{') {
      out += "\\x";
      at_ += 2;
      return;
    }
    if (next == '\0') return refuse();
    out += '\\';
    out += next;
    at_ += 2;
  }

  // `[a-z-[aeiou]]` becomes `(?:(?![aeiou])[a-z])`.
  std::string character_class(int depth) {
    if (depth > deepest_class) {
      refuse();
      return {};
    }
    std::string inside = "[";
    std::string subtracted;
    ++at_;
    if (peek() == '^') inside += in_[at_++];
    const std::size_t first = inside.size();
    while (is_good_ && at_ < in_.size() && peek() != ']') {
      if (peek() == '-' && peek(1) == '[') {
        ++at_;
        subtracted = character_class(depth + 1);
        if (peek() != ']') refuse();
        break;
      }
      if (peek() == '\\') {
        escape(inside, true);
      } else {
        if (peek() == '[') inside += '\\';
        inside += in_[at_++];
      }
    }
    if (peek() != ']' || inside.size() == first) refuse();
    ++at_;
    inside += ']';
    return subtracted.empty() ? inside : fmt::format("(?:(?!{}){})", subtracted, inside);
  }

  std::string_view in_;
  RegexFlags flags_;
  std::size_t at_{0};
  std::string out_;
  bool is_good_{true};
  int groups_{0};
  std::vector<int> open_groups_;
  std::vector<bool> closed_;  // by group
};

constexpr char32_t last_character = 0x10FFFF;

// The number of `\x{A0}` or `\xA0`, behind the x.
char32_t take_hex_number(std::string_view& pattern) {
  constexpr std::string_view digits = "0123456789abcdefABCDEF";
  const bool has_braces = pattern.starts_with('{');
  if (has_braces) pattern.remove_prefix(1);
  std::size_t number = 0;
  while (!pattern.empty() && digits.find(pattern.front()) != std::string_view::npos) {
    const std::size_t digit = digits.find(pattern.front());
    number = std::min<std::size_t>(number * 16 + (digit < 16 ? digit : digit - 6), last_character);
    pattern.remove_prefix(1);
  }
  if (has_braces && pattern.starts_with('}')) pattern.remove_prefix(1);
  return static_cast<char32_t>(number);
}

// Takes the character at the front of a pattern; `unknown` for one that is written in another way.
char32_t take_character(std::string_view& pattern, char32_t unknown) {
  if (!pattern.starts_with('\\') || pattern.size() == 1) {
    std::size_t size = 0;
    const char32_t character = next_character(pattern, size);
    pattern.remove_prefix(size);
    return character;
  }
  const char letter = pattern[1];
  pattern.remove_prefix(2);
  if (letter == 'x') return take_hex_number(pattern);
  if (letter == 'o' || letter == 'N' || is_digit(letter)) return unknown;
  return static_cast<unsigned char>(letter);
}

// In all that looks like a range.
std::uint64_t characters_in_ranges(std::string_view pattern) {
  std::uint64_t count = 0;
  char32_t low = 0;
  while (!pattern.empty()) {
    if (pattern.front() == '-' && pattern.size() > 1) {
      std::string_view behind = pattern.substr(1);
      const char32_t high = take_character(behind, last_character);
      if (high > low) count += high - low;
    }
    low = take_character(pattern, 0);
  }
  return count;
}

}  // namespace

std::optional<RegexFlags> regex_flags(std::string_view letters) {
  RegexFlags flags;
  for (const char letter : letters) {
    switch (letter) {
      case 's':
        flags.dot_all = true;
        break;
      case 'm':
        flags.multi_line = true;
        break;
      case 'i':
        flags.ignore_case = true;
        break;
      case 'x':
        flags.free_spacing = true;
        break;
      default:
        return std::nullopt;
    }
  }
  return flags;
}

std::uint64_t compile_steps(std::string_view translated, const RegexFlags& flags) {
  constexpr std::uint64_t at_least = 40;
  constexpr std::uint64_t characters_per_step = 8;  // asked for their other cases
  constexpr std::uint64_t pairs_per_step = 16;      // of groups, whose names are compared
  std::uint64_t extensions = 0;
  for (std::size_t at = 0; (at = translated.find("(?", at)) != std::string_view::npos; ++at) {
    ++extensions;
  }
  std::uint64_t steps = at_least + translated.size() + extensions * extensions / pairs_per_step;
  if (flags.ignore_case || extensions > 0) {  // (?i) does not need the flag
    steps += characters_in_ranges(translated) / characters_per_step;
  }
  return steps;
}

std::optional<std::string> translate_regex(std::string_view pattern, const RegexFlags& flags) {
  if (!flags.free_spacing) return Translator(pattern, flags).run();
  const std::string dense = without_blanks(pattern);
  return Translator(dense, flags).run();
}

}  // namespace pawl::feel

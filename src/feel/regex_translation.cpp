// SPDX-License-Identifier: Apache-2.0
#include "feel/regex_translation.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "base/ascii.hpp"

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
        if (!open_groups_.empty()) {
          if (open_groups_.back() > 0) closed_.push_back(open_groups_.back());
          open_groups_.pop_back();
        }
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
    for (const int closed : closed_) {
      if (closed == group) return true;
    }
    return false;
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
  std::vector<int> closed_;
};

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

std::optional<std::string> translate_regex(std::string_view pattern, const RegexFlags& flags) {
  if (!flags.free_spacing) return Translator(pattern, flags).run();
  const std::string dense = without_blanks(pattern);
  return Translator(dense, flags).run();
}

}  // namespace pawl::feel

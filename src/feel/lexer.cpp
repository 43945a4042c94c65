// SPDX-License-Identifier: Apache-2.0
#include "feel/lexer.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/ascii.hpp"
#include "base/limits.hpp"
#include "feel/unicode.hpp"

namespace pawl::feel {
namespace {

bool is_word_start(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '?' ||
         (c >= 0xB7 && !is_space(c) && c != 0xD7 && c != 0xF7 && c != 0x2019);
}

bool is_word_part(char32_t c) { return is_word_start(c) || (c >= '0' && c <= '9'); }

std::optional<unsigned> hex_digit(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

// Resolves the escapes of a text in quotes.
class Unescaper {
 public:
  explicit Unescaper(std::string_view content) : source_(content) {}

  std::string run() {
    std::string text;
    while (at_ < source_.size()) {
      if (peek() == '\\') {
        escape(text);
      } else {
        text += source_[at_++];
      }
    }
    return text;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  std::optional<char32_t> hex(std::size_t offset, int digits) const {
    char32_t value = 0;
    for (int i = 0; i < digits; ++i) {
      const std::size_t at = offset + static_cast<std::size_t>(i);
      const auto digit = at < source_.size() ? hex_digit(source_[at]) : std::nullopt;
      if (!digit) return std::nullopt;
      value = value * 16 + *digit;
    }
    return value;
  }

  // The code unit of \uXXXX, \UXXXX or \UXXXXXX at the cursor; moves behind it.
  std::optional<char32_t> code_unit() {
    if (peek() != '\\' || (peek(1) != 'u' && peek(1) != 'U')) return std::nullopt;
    const auto six = peek(1) == 'U' ? hex(at_ + 2, 6) : std::nullopt;
    const auto unit = six && *six <= 0x10FFFF ? six : hex(at_ + 2, 4);
    if (unit) at_ += unit == six ? 8 : 6;
    return unit;
  }

  bool unicode_escape(std::string& out) {
    const auto unit = code_unit();
    if (!unit) return false;
    if (*unit < 0xD800 || *unit > 0xDBFF) {
      append_character(out, *unit);
      return true;
    }
    const std::size_t behind = at_;
    const auto low = code_unit();
    if (low && *low >= 0xDC00 && *low <= 0xDFFF) {
      append_character(out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
    } else {
      at_ = behind;
      append_character(out, 0xFFFD);
    }
    return true;
  }

  // Unknown escapes keep their backslash: regular expressions are written as "\d+".
  void escape(std::string& out) {
    if (unicode_escape(out)) return;
    constexpr std::string_view letters = "ntrf\"'\\";
    constexpr std::string_view meanings = "\n\t\r\f\"'\\";
    const std::size_t which = letters.find(peek(1));
    if (peek(1) != '\0' && which != std::string_view::npos) {
      out += meanings[which];
      at_ += 2;
      return;
    }
    out += '\\';
    ++at_;
  }

  std::string_view source_;
  std::size_t at_{0};
};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Result<std::vector<Token>> run() {
    for (;;) {
      PAWL_CHECK(skip_blank());
      if (at_ >= source_.size()) break;
      PAWL_CHECK(next());
    }
    push(TokenKind::end, at_, {});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void push(TokenKind kind, std::size_t begin, std::string_view text) {
    tokens_.push_back(
        {kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_), text});
  }

  Result<void> skip_blank() {
    while (at_ < source_.size()) {
      if (peek() == '/' && peek(1) == '/') {
        while (at_ < source_.size() && peek() != '\n') ++at_;
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = source_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          return syntax_error(source_, at_, "this comment is not closed; add \"*/\"");
        }
        at_ = end + 2;
      } else {
        std::size_t after = at_;
        if (!is_space(next_character(source_, after))) break;
        at_ = after;
      }
    }
    return {};
  }

  Result<void> next() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"') return string(TokenKind::string, at_);
    if (c == '`') return quoted_name();
    if (c == '@') {
      const std::size_t begin = at_++;
      PAWL_CHECK(skip_blank());
      if (peek() == '"') return string(TokenKind::literal, begin);
      return syntax_error(source_, begin, "expected a text in quotes after \"@\"");
    }
    std::size_t after = at_;
    if (is_word_start(next_character(source_, after))) return word();
    return symbol();
  }

  Result<void> word() {
    const std::size_t begin = at_;
    while (at_ < source_.size()) {
      std::size_t after = at_;
      if (!is_word_part(next_character(source_, after))) break;
      at_ = after;
    }
    push(TokenKind::name, begin, source_.substr(begin, at_ - begin));
    return {};
  }

  Result<void> quoted_name() {
    const std::size_t begin = at_;
    const std::size_t end = source_.find('`', at_ + 1);
    if (end == std::string_view::npos || end == at_ + 1) {
      return syntax_error(source_, begin, "expected a name between two back-ticks");
    }
    at_ = end + 1;
    push(TokenKind::quoted_name, begin, source_.substr(begin + 1, end - begin - 1));
    return {};
  }

  void digits() {
    while (is_digit(peek())) ++at_;
  }

  Result<void> number() {
    const std::size_t begin = at_;
    digits();
    // `1..3` is a range, not a number with a point.
    if (peek() == '.' && is_digit(peek(1))) {
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      const bool is_signed = peek(1) == '+' || peek(1) == '-';
      if (is_digit(peek(is_signed ? 2 : 1))) {
        at_ += is_signed ? 2 : 1;
        digits();
      }
    }
    push(TokenKind::number, begin, source_.substr(begin, at_ - begin));
    return {};
  }

  Result<void> string(TokenKind kind, std::size_t begin) {
    const std::size_t content = ++at_;
    while (at_ < source_.size() && peek() != '"') {
      const bool is_escaped = peek() == '\\' && (peek(1) == '"' || peek(1) == '\\');
      at_ += is_escaped ? 2 : 1;
    }
    if (at_ >= source_.size()) {
      return syntax_error(source_, begin, "this text is not closed; add a quote (\")");
    }
    const std::string_view text = source_.substr(content, at_ - content);
    ++at_;
    push(kind, begin, text);
    return {};
  }

  Result<void> symbol() {
    static constexpr std::string_view two[] = {"**", "..", "!=", "<=", ">=", "->"};
    const std::size_t begin = at_;
    for (const auto pair : two) {
      if (source_.substr(at_, 2) == pair) {
        at_ += 2;
        push(TokenKind::symbol, begin, pair);
        return {};
      }
    }
    next_character(source_, at_);
    push(TokenKind::symbol, begin, source_.substr(begin, at_ - begin));
    return {};
  }

  std::string_view source_;
  std::size_t at_{0};
  std::vector<Token> tokens_;
};

}  // namespace

std::string unescaped(std::string_view content) { return Unescaper(content).run(); }

std::string position_text(std::string_view source, std::size_t offset) {
  const std::string_view before = source.substr(0, offset);
  std::size_t line = 1;
  std::size_t line_begin = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == '\n') {
      ++line;
      line_begin = i + 1;
    }
  }
  return fmt::format("line {}, column {}", line, count_characters(before.substr(line_begin)) + 1);
}

Error syntax_error(std::string_view source, std::size_t offset, std::string_view message) {
  return fail(Whose::caller, Code::bad_expression,
              fmt::format("{}: {}", position_text(source, offset), message));
}

Result<std::vector<Token>> tokenize(std::string_view source) {
  if (source.size() > limits::feel_source_bytes) {
    return fail(Whose::caller, Code::too_large,
                fmt::format("the expression has {} bytes; at most {} are allowed", source.size(),
                            limits::feel_source_bytes));
  }
  return Lexer(source).run();
}

}  // namespace pawl::feel

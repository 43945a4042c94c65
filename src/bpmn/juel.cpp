// SPDX-License-Identifier: Apache-2.0
#include "bpmn/juel.hpp"

#include "value/json.hpp"

namespace pawl::bpmn {
namespace {

// The place after a quoted text that begins at `at`; its end if it is not closed.
std::size_t after_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return text.size();
}

// The place of the '}' that ends the code beginning at `at`; npos if there is none.
std::size_t end_of_code(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = after_quoted(text, at);
      continue;
    }
    if (c == '{') ++depth;
    if (c == '}' && depth-- == 0) return at;
    ++at;
  }
  return std::string_view::npos;
}

std::size_t find_code(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at + 1 < text.size(); ++at) {
    if ((text[at] == '$' || text[at] == '#') && text[at + 1] == '{') return at;
  }
  return std::string_view::npos;
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

std::string_view symbol_of(std::string_view word) {
  struct Pair {
    std::string_view word;
    std::string_view symbol;
  };
  static constexpr Pair pairs[] = {{"and", "&&"}, {"or", "||"}, {"not", "!"}, {"eq", "=="},
                                   {"ne", "!="},  {"lt", "<"},  {"gt", ">"},  {"le", "<="},
                                   {"ge", ">="},  {"div", "/"}, {"mod", "%"}};
  for (const Pair& pair : pairs) {
    if (pair.word == word) return pair.symbol;
  }
  return {};
}

// Names that Java's expressions allow for variables and JavaScript does not.
bool is_reserved(std::string_view word) {
  static constexpr std::string_view words[] = {
      "var",    "class",  "function", "const", "default", "case",   "switch",  "enum",   "export",
      "import", "with",   "while",    "do",    "for",     "return", "super",   "try",    "catch",
      "throw",  "delete", "void",     "if",    "else",    "break",  "finally", "extends"};
  for (const std::string_view reserved : words) {
    if (reserved == word) return true;
  }
  return false;
}

// The operand of `empty`: a name, path, call or bracketed expression.
std::size_t end_of_operand(std::string_view code, std::size_t at) {
  int depth = 0;
  while (at < code.size()) {
    const char c = code[at];
    if (c == '"' || c == '\'') {
      at = after_quoted(code, at);
      continue;
    }
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth-- == 0) return at;
    const bool inside = depth > 0 || is_word_character(c) || c == '.' || c == ')' || c == ']' ||
                        c == '(' || c == '[';
    if (!inside) return at;
    ++at;
  }
  return at;
}

constexpr std::string_view is_empty =
    "((v) => v == null || v === '' || (typeof v === 'object' && "
    "(Array.isArray(v) ? v.length : Object.keys(v).length) === 0))";

}  // namespace

std::vector<TemplatePart> template_parts(std::string_view text) {
  std::vector<TemplatePart> parts;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = find_code(text, at);
    const std::size_t close = open == std::string_view::npos ? open : end_of_code(text, open + 2);
    if (close == std::string_view::npos) break;
    if (open > at) parts.push_back({text.substr(at, open - at), false});
    parts.push_back({text.substr(open + 2, close - open - 2), true});
    at = close + 1;
  }
  if (at < text.size()) parts.push_back({text.substr(at), false});
  return parts;
}

std::string javascript_of(const std::vector<TemplatePart>& parts) {
  if (parts.size() == 1 && parts[0].is_code) return std::string(parts[0].text);
  std::string out = "\"\"";
  for (const TemplatePart& part : parts) {
    out += " + ";
    if (part.is_code) {
      out += '(';
      out += part.text;
      out += ')';
    } else {
      append_json_string(out, part.text);
    }
  }
  return out;
}

std::string without_word_operators(std::string_view code) {
  std::string out;
  std::size_t at = 0;
  while (at < code.size()) {
    if (code[at] == '"' || code[at] == '\'') {
      const std::size_t end = after_quoted(code, at);
      out += code.substr(at, end - at);
      at = end;
      continue;
    }
    if (!is_word_character(code[at])) {
      out += code[at++];
      continue;
    }
    std::size_t end = at;
    while (end < code.size() && is_word_character(code[end])) ++end;
    const std::string_view word = code.substr(at, end - at);
    const bool member = !out.empty() && out.back() == '.';
    at = end;
    if (!member && word == "empty") {
      while (at < code.size() && code[at] == ' ') ++at;
      const std::size_t last = end_of_operand(code, at);
      out += is_empty;
      out += '(';
      out += code.substr(at, last - at);
      out += ')';
      at = last;
    } else if (!member && is_reserved(word)) {
      out += "_context[\"";
      out += word;
      out += "\"]";
    } else {
      const std::string_view symbol = member ? std::string_view{} : symbol_of(word);
      out += symbol.empty() ? word : symbol;
    }
  }
  return out;
}

}  // namespace pawl::bpmn

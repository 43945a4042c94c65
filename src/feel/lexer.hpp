// SPDX-License-Identifier: Apache-2.0
// Cuts an expression into tokens, which are views into it. Names with spaces or operators in them
// are several tokens here; the parser puts them together, because only it knows which names there
// are. An error says where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace pawl::feel {

enum class TokenKind : std::uint8_t {
  end,
  name,         // a word: letters, digits, `_`, `?`
  quoted_name,  // `a b` with back-ticks; text is what is between them
  number,
  string,   // text is what is between the quotes: see `unescaped`
  literal,  // @"…"; the same
  symbol,   // operators and brackets, and any other single character
};

struct Token {
  TokenKind kind{TokenKind::end};
  std::uint32_t begin{0};  // byte offsets in the source
  std::uint32_t end{0};
  std::string_view text{};
};

// The last token is of kind `end`. The source must outlive them.
Result<std::vector<Token>> tokenize(std::string_view source);

// The content of a text in quotes, with escapes resolved.
std::string unescaped(std::string_view content);

// "line 2, column 7" for a byte offset; columns count characters.
std::string position_text(std::string_view source, std::size_t offset);

// bad_expression with the position in front: `line 1, column 4: expected …`.
Error syntax_error(std::string_view source, std::size_t offset, std::string_view message);

}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
#include "server/rest/exchange.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

int digit_of(char c) {
  if (is_digit(c)) return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view Request::header(std::string_view name) const {
  for (const Header& one : headers) {
    if (same_word(one.name, name)) return one.value;
  }
  return {};
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 &&
                        digit_of(text[i + 2]) >= 0;
    if (!escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
    i += 2;
  }
  return out;
}

std::string query_value(const Request& request, std::string_view name) {
  std::string_view rest = request.query;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (percent_decoded(one.substr(0, equals)) != name) continue;
    return equals == one.size() ? "" : percent_decoded(one.substr(equals + 1));
  }
  return {};
}

Response json_response(const Value& value) {
  return {.content_type = "application/json", .body = to_json(value)};
}

Response no_content() { return {.status = 204}; }

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
#include "server/auth.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace pawl::server {
namespace {

std::string base64(std::string_view text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < text.size() ? static_cast<std::uint8_t>(text[i + j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += i + j > text.size() ? '=' : letters[group >> (18 - 6 * j) & 63];
    }
  }
  return out;
}

// Looks at every byte, whatever it finds.
bool same_in_constant_time(std::string_view a, std::string_view b) {
  std::uint8_t difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<std::uint8_t>(a[i] ^ (b.empty() ? 0 : b[i % b.size()]));
  }
  return difference == 0;
}

}  // namespace

std::string basic_authorization(std::string_view user, std::string_view password) {
  return "Basic " + base64(std::string(user).append(":").append(password));
}

Result<Auth> Auth::parse(std::string_view text) {
  Auth auth;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string kind, first, second, more;
    words >> kind >> first >> second >> more;
    if (kind.empty()) continue;
    if (kind == "token" && !first.empty() && second.empty()) {
      auth.accepted_.push_back("Bearer " + first);
    } else if (kind == "user" && !second.empty() && more.empty()) {
      auth.accepted_.push_back(basic_authorization(first, second));
    } else {
      return fail(
          Whose::caller, Code::bad_file,
          fmt::format("line {}: expected \"token SECRET\" or \"user NAME PASSWORD\"", number));
    }
  }
  if (!auth.on()) {
    return fail(Whose::caller, Code::bad_file,
                "there is no \"token SECRET\" and no \"user NAME PASSWORD\" in it");
  }
  return auth;
}

Result<Auth> Auth::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  if (!file) {
    return fail(Whose::caller, Code::bad_file, fmt::format("cannot read the file \"{}\"", path));
  }
  auto auth = parse(content.str());
  if (!auth) {
    return fail(Whose::caller, auth.error().code, fmt::format("{}: {}", path, auth.error().text));
  }
  return auth;
}

bool Auth::allows(std::string_view authorization) const {
  if (!on()) return true;
  // "bearer" and "BASIC" are right too.
  std::string given(authorization);
  const std::size_t space = std::min(given.find(' '), given.size());
  for (std::size_t i = 0; i < space; ++i) {
    const char c = given[i];
    given[i] = static_cast<char>(i == 0 ? std::toupper(c) : std::tolower(c));
  }
  bool allowed = false;
  for (const std::string& one : accepted_) allowed |= same_in_constant_time(given, one);
  return allowed;
}

}  // namespace pawl::server

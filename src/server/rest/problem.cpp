// SPDX-License-Identifier: Apache-2.0
#include "server/rest/problem.hpp"

#include <fmt/format.h>

#include "feel/unicode.hpp"
#include "server/rejection.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::size_t longest_detail = 8'000;  // one that quotes the request may be any size

// A sentence may quote what the client sent, but JSON must be UTF-8: other bytes are made so.
std::string readable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size() && out.size() < longest_detail;) {
    const char32_t character = feel::next_character(text, at);
    const bool half = character >= 0xD800 && character < 0xE000;  // of a pair of UTF-16
    feel::append_character(out, half ? U'?' : character);
  }
  if (out.size() >= longest_detail) out += "…";
  return out;
}

// The member is a URI reference, so what is no ASCII is escaped.
std::string uri_of(std::string_view path) {
  std::string out;
  for (const char c : path.substr(0, longest_detail)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > ' ' && byte < 0x7F && c != '"' && c != '<' && c != '>' && c != '\\';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

bool is_unreadable(Code code) {
  return code == Code::bad_json || code == Code::too_deep || code == Code::too_large;
}

}  // namespace

std::string_view reason_of(int status) {
  constexpr std::pair<int, std::string_view> rows[] = {
      {100, "Continue"},
      {200, "OK"},
      {204, "No Content"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {421, "Misdirected Request"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  };
  for (const auto& [number, reason] : rows) {
    if (number == status) return reason;
  }
  return "Unknown";
}

Problem problem_of(const Error& error, std::string_view command) {
  const Rejection rejection = rejection_of(error, command);
  Problem problem{.status = http_status_of(rejection.status),
                  .title = std::string(word_of(rejection.status)),
                  .detail = rejection.text};
  if (command.empty() && is_unreadable(error.code)) problem.title = reason_of(400);
  return problem;
}

Response response_of(const Problem& problem, std::string_view path) {
  const Value body = object({{"type", "about:blank"},
                             {"title", problem.title},
                             {"status", problem.status},
                             {"detail", readable(problem.detail)},
                             {"instance", uri_of(path)}});
  return {
      .status = problem.status, .content_type = "application/problem+json", .body = to_json(body)};
}

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
#include "server/log.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdio>

#include "value/json.hpp"

namespace pawl::server::log {
namespace {

std::atomic<bool> as_json{false};

std::string_view word_of_level(Level level) {
  constexpr std::string_view words[] = {"info", "warning", "error"};
  return words[static_cast<std::size_t>(level)];
}

std::string now_text() {
  const auto now = std::chrono::system_clock::now();
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1'000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(now), millis);
}

// A text that would break the line, or look like several fields, is quoted as JSON is.
bool is_plain(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c == '"' || c == '=' || c == '\x7f') return false;
  }
  return !text.empty();
}

void append_log_field(std::string& out, const LogField& field) {
  out += ' ';
  out += field.name;
  out += '=';
  if (field.plain || is_plain(field.text)) {
    out += field.text;
  } else {
    append_json_string(out, field.text);
  }
}

void append_json_field(std::string& out, const LogField& field) {
  out += ',';
  append_json_string(out, field.name);
  out += ':';
  if (field.plain) {
    out += field.text;
  } else {
    append_json_string(out, field.text);
  }
}

void put(std::string_view kind, std::string_view what, std::initializer_list<LogField> fields) {
  const bool json = as_json;
  std::string text;
  if (json) {
    text = fmt::format("{{\"time\":\"{}\",", now_text()) + line(true, kind, what, fields).substr(1);
  } else {
    text = now_text() + ' ' + line(false, kind, what, fields);
  }
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);  // one call: lines do not mix
}

}  // namespace

std::string line(bool json, std::string_view kind, std::string_view what,
                 std::initializer_list<LogField> fields) {
  std::string out;
  if (json) {
    out = fmt::format("{{\"level\":\"{}\",\"message\":", kind);
    append_json_string(out, what);
    for (const LogField& field : fields) append_json_field(out, field);
    return out + '}';
  }
  out = fmt::format("{:<7} {}", kind, what);
  for (const LogField& field : fields) append_log_field(out, field);
  return out;
}

void use_json(bool json) { as_json = json; }

void write(Level level, std::string_view what, std::initializer_list<LogField> fields) {
  put(word_of_level(level), what, fields);
}

void audit(std::string_view who, std::string_view what, std::initializer_list<LogField> fields) {
  std::string out;
  if (as_json) {
    out = fmt::format("{{\"time\":\"{}\",\"level\":\"audit\",\"message\":", now_text());
    append_json_string(out, what);
    append_json_field(out, {"by", who});
    for (const LogField& field : fields) append_json_field(out, field);
    out += "}\n";
  } else {
    out = fmt::format("{} {:<7} {}", now_text(), "audit", what);
    append_log_field(out, {"by", who});
    for (const LogField& field : fields) append_log_field(out, field);
    out += '\n';
  }
  std::fwrite(out.data(), 1, out.size(), stderr);
}

}  // namespace pawl::server::log

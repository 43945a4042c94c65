// SPDX-License-Identifier: Apache-2.0
// Log: one line per thing worth knowing, on standard error: for people, or as JSON for programs.
// Secrets never get here: callers log names of settings, not their values.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace pawl::server {

enum class Level : std::uint8_t { info, warning, error };

struct LogField {
  std::string_view name{};
  std::string text{};

  LogField(std::string_view field_name, std::string_view value) : name(field_name), text(value) {}
  LogField(std::string_view field_name, const char* value) : name(field_name), text(value) {}
  LogField(std::string_view field_name, const std::string& value) : name(field_name), text(value) {}
  LogField(std::string_view field_name, std::integral auto value)
      : name(field_name), text(std::to_string(value)), plain(true) {}

  bool plain{false};  // a number
};

namespace log {

void use_json(bool json);
void write(Level level, std::string_view what, std::initializer_list<LogField> fields = {});
// An operator changed something: who, what, on what.
void audit(std::string_view who, std::string_view what, std::initializer_list<LogField> fields);

// The line without its time, for tests.
std::string line(bool json, std::string_view kind, std::string_view what,
                 std::initializer_list<LogField> fields);

}  // namespace log
}  // namespace pawl::server

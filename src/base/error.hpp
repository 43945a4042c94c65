// SPDX-License-Identifier: Apache-2.0
// An error says whose problem it is, which known case it is (a number with an entry in
// docs/errors.md), and a sentence for the person who reads it: subject, fact, what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl {

// Who has to act. It decides what becomes of the error: a rejection, an incident, or a retry.
enum class Whose : std::uint8_t {
  caller,     // the request cannot be carried out: rejected, nothing changed
  operators,  // the process cannot go on: an incident, repaired by a person or program
  machine,    // store, network, memory: tried again with growing pauses
};

// Numbers are never reused. docs/errors.md has meaning, cause and cure of each; a test compares.
enum class Code : std::uint16_t {
  // 10xx: input that cannot be read
  bad_json = 1001,
  too_deep = 1002,
  too_large = 1003,
  bad_xml = 1004,
  bad_file = 1005,
  // 11xx: models
  invalid_model = 1101,
  not_supported = 1102,
  // 12xx: expressions, scripts and what a process does with them
  bad_expression = 1201,
  evaluation_failed = 1202,
  no_flow_applies = 1203,
  wrong_type = 1204,
  budget_exceeded = 1205,
  script_failed = 1206,
  mapping_failed = 1207,
  unhandled_error = 1208,
  no_retries_left = 1209,
  call_failed = 1210,
  endless = 1211,
  // 13xx: commands
  not_found = 1301,
  invalid_state = 1302,
  invalid_argument = 1303,
  already_exists = 1304,
  busy = 1305,
  late_answer = 1306,
  too_slow = 1307,
  // 14xx: ours
  broken_invariant = 1401,
  // 15xx: the store
  store_unavailable = 1501,
  disk_full = 1502,
  store_in_use = 1503,
  store_damaged = 1504,
  store_too_new = 1505,
};

struct Error {
  Whose whose{Whose::caller};
  Code code{Code::invalid_argument};
  std::string text{};
};

[[nodiscard]] inline Error fail(Whose whose, Code code, std::string text) {
  return Error{whose, code, std::move(text)};
}

// "PAWL-1203", as it is printed and looked up.
std::string code_text(Code code);

}  // namespace pawl

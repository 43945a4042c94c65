// SPDX-License-Identifier: Apache-2.0
// What a client is told when something was not done: a status that its library knows, and a
// sentence for people. gRPC and REST show the same case with different numbers.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace pawl::server {

// The numbers are those of gRPC.
enum class Status : std::uint8_t {
  ok = 0,
  cancelled = 1,
  unknown = 2,
  invalid_argument = 3,
  deadline_exceeded = 4,
  not_found = 5,
  already_exists = 6,
  permission_denied = 7,
  resource_exhausted = 8,
  failed_precondition = 9,
  unimplemented = 12,
  internal = 13,
  unavailable = 14,
  unauthenticated = 16,
};

struct Rejection {
  Status status{Status::ok};
  std::string text{};
};

Status status_of(Code code);
// "NOT_FOUND", "INVALID_STATE": the word in the text of a rejected command, and the title in REST.
std::string_view word_of(Status status);
int http_status_of(Status status);

// "Command 'COMPLETE' rejected with code 'NOT_FOUND': …". What is wrong with the request or the
// server itself is said without that frame.
Rejection rejection_of(const Error& error, std::string_view command);

}  // namespace pawl::server

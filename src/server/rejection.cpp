// SPDX-License-Identifier: Apache-2.0
#include "server/rejection.hpp"

#include <fmt/format.h>

namespace pawl::server {

Status status_of(Code code) {
  switch (code) {
    case Code::not_found:
      return Status::not_found;
    case Code::invalid_state:
    case Code::late_answer:
      return Status::failed_precondition;
    case Code::already_exists:
      return Status::already_exists;
    case Code::too_slow:
      return Status::deadline_exceeded;
    case Code::busy:
    case Code::disk_full:
      return Status::resource_exhausted;
    case Code::not_supported:
      return Status::unimplemented;
    case Code::broken_invariant:
      return Status::internal;
    case Code::store_unavailable:
    case Code::store_in_use:
    case Code::store_damaged:
    case Code::store_too_new:
      return Status::unavailable;
    default:
      return Status::invalid_argument;
  }
}

namespace {

struct Row {
  Status status;
  std::string_view word;
  int http;
};

constexpr Row rejection_rows[] = {
    {Status::ok, "OK", 200},
    {Status::cancelled, "CANCELLED", 499},
    {Status::unknown, "UNKNOWN", 500},
    {Status::invalid_argument, "INVALID_ARGUMENT", 400},
    {Status::deadline_exceeded, "DEADLINE_EXCEEDED", 504},
    {Status::not_found, "NOT_FOUND", 404},
    {Status::already_exists, "ALREADY_EXISTS", 409},
    {Status::permission_denied, "FORBIDDEN", 403},
    {Status::resource_exhausted, "RESOURCE_EXHAUSTED", 503},
    {Status::failed_precondition, "INVALID_STATE", 409},
    {Status::unimplemented, "NOT_IMPLEMENTED", 501},
    {Status::internal, "INTERNAL", 500},
    {Status::unavailable, "UNAVAILABLE", 503},
    {Status::unauthenticated, "Unauthorized", 401},
};

const Row& row_of(Status status) {
  for (const Row& row : rejection_rows) {
    if (row.status == status) return row;
  }
  return row_of(Status::unknown);
}

}  // namespace

std::string_view word_of(Status status) { return row_of(status).word; }
int http_status_of(Status status) { return row_of(status).http; }

Rejection rejection_of(const Error& error, std::string_view command) {
  Status status = status_of(error.code);
  // A model that cannot run here is bad input, not a call that does not exist.
  if (command == "CREATE_DEPLOYMENT" && status == Status::unimplemented)
    status = Status::invalid_argument;
  if (error.whose == Whose::machine || command.empty()) return {status, error.text};
  return {status, fmt::format("Command '{}' rejected with code '{}': {}", command, word_of(status),
                              error.text)};
}

}  // namespace pawl::server

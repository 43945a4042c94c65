// SPDX-License-Identifier: Apache-2.0
// How gRPC writes a message on the wire: a flag (1: compressed), four bytes of length, the bytes.
// And the other texts of its headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "server/rejection.hpp"

namespace pawl::server::grpc {

// What stands before a message of so many bytes.
void append_prefix(std::string& out, std::size_t bytes);

struct Unpacked {
  Rejection rejection{};  // ok: `message` is right
  std::string message{};
};
// The one message of a request. `encoding`: of grpc-encoding. Never makes more than `most` bytes,
// whatever a compressed message claims.
Unpacked unpack(std::string_view bytes, std::string_view encoding, std::size_t most);

// Refuses early: the prefix already announces more than `most` bytes.
bool announces_more_than(std::string_view bytes, std::size_t most);

// "9998774u" → 9999 ms, "0n" → 0 ms; nothing if it is no timeout.
std::optional<Millis> parse_timeout(std::string_view text);

// Of grpc-message: bytes outside printable ASCII, and %, as %XX. Long texts are cut.
std::string percent_encoded(std::string_view text);

}  // namespace pawl::server::grpc

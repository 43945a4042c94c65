// SPDX-License-Identifier: Apache-2.0
// Limits: what a client may ask of its connection, and how long it may take.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.hpp"

namespace pawl::server {

struct Limits {
  // --- bytes
  std::size_t message_bytes{4u << 20};  // of one request, and of one answer with jobs
  std::size_t header_bytes{16u << 10};
  std::size_t pause_bytes{8u << 20};        // answers not taken: then further requests wait
  std::size_t connection_bytes{64u << 20};  // requests, and answers not taken, of one connection
  std::size_t total_bytes{256u << 20};      // the same of all connections together
  // --- streams of HTTP/2
  std::uint32_t calls{10'000};       // open at once on one connection
  std::size_t call_bytes{1u << 10};  // that an open one counts for, besides its request
  // --- time
  Millis greeted_within{10'000};  // the first words of a connection
  Millis request_within{30'000};  // from its first byte to its last
  Millis silence{90'000};         // then it is asked for a sign of life
  Millis sent_within{30'000};     // a client whose socket takes nothing
  Millis taken_within{60'000};    // a client that gives no room for its answers
  Millis linger{1'000};           // for what a client still sends that is told to go
  Millis watch{5'000};            // between two looks at these
};

// Floods. Frames of HTTP/2 that ask for nothing use up patience, which comes back with time and
// with frames that are of use. Clients of gRPC send a ping with many an answer, and two updates of
// windows; nobody needs a thousand more.
namespace flood {
inline constexpr std::uint32_t patience = 10'000;
inline constexpr std::uint32_t back_per_second = 1'000;
inline constexpr std::uint32_t back_per_request = 2;
inline constexpr std::uint32_t back_per_answer = 4;  // a frame of it
inline constexpr std::uint32_t frame = 1;            // ping, priority, window, empty data, …
inline constexpr std::uint32_t settings = 20;
inline constexpr std::uint32_t mistake = 10;    // for which a stream had to be reset
inline constexpr std::uint32_t resets = 1'000;  // by the client, at once
inline constexpr std::uint32_t resets_per_second = 100;
inline constexpr std::uint32_t continuations = 8;  // of one header
inline constexpr std::size_t header_times = 8;     // what one may have, and is still answered
inline constexpr std::uint32_t answers_to_pings = 1'000;  // that the client does not read
}  // namespace flood

}  // namespace pawl::server

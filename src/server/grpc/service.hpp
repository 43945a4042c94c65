// SPDX-License-Identifier: Apache-2.0
// Service: the calls of the Zeebe gateway protocol (proto/gateway.proto), each translated to an
// operation and its answer back. One table of calls; a call that is not in it is UNIMPLEMENTED.
#pragma once

#include <string>

#include "server/grpc/call.hpp"
#include "server/health.hpp"
#include "server/operations.hpp"
#include "server/pool.hpp"

namespace pawl::server::grpc {

// The level of the protocol that is spoken, as clients compare it.
inline constexpr std::string_view protocol_version = "8.9.0";

struct Service {
  Operations& operations;
  Pools& pools;
  Health& health;
  std::string host{};  // where it listens, for the topology
  std::uint16_t port{0};
  std::size_t message_bytes{4u << 20};  // of one answer
  std::size_t most_polls{20'000};
};

void handle(Service& service, const CallPtr& call);

}  // namespace pawl::server::grpc

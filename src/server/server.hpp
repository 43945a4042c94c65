// SPDX-License-Identifier: Apache-2.0
// Server: a node with its doors: gRPC and REST over one set of operations. Both ports speak both;
// the first bytes of a connection tell which it is.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "runtime/local.hpp"
#include "server/auth.hpp"
#include "server/grpc/connection.hpp"
#include "server/listener.hpp"

namespace pawl::server {

struct ServerOptions {
  std::string data{};
  Address grpc{"127.0.0.1", 26500};
  Address http{"127.0.0.1", 8080};
  TlsFiles tls{};
  Auth auth{};
  bool insecure{false};  // listens beyond this machine without authentication
  std::uint32_t shards{1};
  std::uint32_t loops{1};
  std::size_t memory{limits::resident_bytes};
  std::uint32_t iterations{limits::iterations};  // of one loop, at most
  runtime::Retention retention{};
  grpc::Limits limits{};
  std::size_t most_connections{20'000};
  std::size_t most_polls{20'000};
  Millis drain{5'000};  // for what is under way when the server stops
};

class Server {
 public:
  // Ready when it returns. Errors say which address or directory, and what can be done.
  static Result<std::unique_ptr<Server>> open(ServerOptions options);
  virtual ~Server() = default;

  virtual Address grpc_address() const = 0;
  virtual Address http_address() const = 0;
  virtual runtime::Node& node() = 0;
  // No new connections; what is under way is answered, then everything is closed.
  virtual void close() = 0;
};

}  // namespace pawl::server

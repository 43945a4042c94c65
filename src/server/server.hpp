// SPDX-License-Identifier: Apache-2.0
// Server: a node with its doors: gRPC and REST over one set of operations. Both ports speak both,
// and both versions of HTTP: the first bytes of a connection tell the version, and with HTTP/2 the
// content-type of each request tells gRPC from REST.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "runtime/local.hpp"
#include "server/auth.hpp"
#include "server/limits.hpp"
#include "server/listener.hpp"

namespace pawl::server {

struct ServerOptions {
  std::string data{};
  Address grpc{"127.0.0.1", 26500};
  Address http{"127.0.0.1", 8080};
  std::vector<std::string> hosts{};  // names of this server besides its addresses, see doorman.hpp
  TlsFiles tls{};
  Auth auth{};
  std::string backups{};            // below it copies may be made; empty: none
  bool shared_business_ids{false};  // several active instances may have one
  bool insecure{false};             // listens beyond this machine without authentication
  std::uint32_t shards{1};
  std::uint32_t loops{1};
  std::size_t memory{limits::resident_bytes};
  engine::Allowance allowance{};  // of each instance
  runtime::Retention retention{};
  Limits limits{};
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

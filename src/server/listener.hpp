// SPDX-License-Identifier: Apache-2.0
// Listener: accepts connections at one address, does the TLS handshake if there is TLS, and hands
// each connection on with the first bytes the client sent. One that sends nothing is dropped.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "server/transport.hpp"

namespace pawl::server {

struct Address {
  std::string host{};
  std::uint16_t port{0};
};

// "127.0.0.1:26500", "[::1]:8080", "localhost:0".
Result<Address> parse_address(std::string_view text);
bool is_loopback(const Address& address);
bool is_any(const Address& address);  // all of the machine: 0.0.0.0
std::string to_text(const Address& address);

struct TlsFiles {
  std::string certificate{};  // PEM, the whole chain; empty: no TLS
  std::string key{};          // PEM
};

// Keys and certificates, read once.
class Tls;
Result<std::shared_ptr<Tls>> read_tls(const TlsFiles& files);

class Listener {
 public:
  using Accepted = std::function<void(TransportPtr, std::string first_bytes)>;
  struct Options {
    Address address{};
    std::shared_ptr<Tls> tls{};
    std::size_t most_connections{20'000};
  };

  // Connections are spread over the loops, which must outlive it.
  static Result<std::unique_ptr<Listener>> open(const Options& options, std::vector<Loop*> loops,
                                                Accepted accepted);
  virtual ~Listener() = default;

  virtual Address address() const = 0;  // with the port that was given if 0 was asked for
  virtual void close() = 0;             // any thread: accepts no more
};

}  // namespace pawl::server

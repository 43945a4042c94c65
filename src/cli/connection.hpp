// SPDX-License-Identifier: Apache-2.0
// Connection: bytes to a server and back, plain or with TLS. Every call has an end in time. The
// text of an error says what the system or the TLS library says.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "server/listener.hpp"

namespace pawl::cli {

class Connection {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // Whose certificate is trusted: the system's, or with `authorities` those of this file.
  struct Security {
    bool tls{false};
    std::string authorities{};
  };

  // Its error also says what to do; one of the caller's is about `authorities`.
  static Result<Connection> open(const server::Address& address, const Security& security,
                                 Deadline until);
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;

  Result<void> write(std::string_view bytes, Deadline until);
  // How many came; 0: the other side has closed.
  Result<std::size_t> read_some(std::span<char> bytes, Deadline until);

 private:
  struct Inside;
  explicit Connection(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace pawl::cli

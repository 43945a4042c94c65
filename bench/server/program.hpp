// SPDX-License-Identifier: Apache-2.0
// Program: `pawl serve` in a process of its own, on a fresh directory that goes away with it, and
// what it uses.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pawl::bench {

class Program {
 public:
  // Waits until it is ready.
  Program(const std::string& pawl, const std::string& parent, std::vector<std::string> more = {});
  ~Program();

  std::uint16_t port() const { return port_; }
  double startup_ms() const { return startup_ms_; }
  double processor_micros() const;  // until now
  double resident_megabytes() const;
  std::uint64_t written_bytes() const;    // written, as the file sizes say
  std::uint64_t directory_bytes() const;  // of all it keeps

 private:
  std::string directory_;
  pid_t process_{-1};
  std::uint16_t port_{0};
  double startup_ms_{0};
};

}  // namespace pawl::bench

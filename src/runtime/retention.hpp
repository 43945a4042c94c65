// SPDX-License-Identifier: Apache-2.0
// Retention: how long instances are kept after their end. The sweeper walks through the index a
// little at a time, and begins again some time after it was through.
#pragma once

#include <map>
#include <string>

#include "runtime/clock.hpp"
#include "store/index.hpp"

namespace pawl::runtime {

struct Retention {
  Millis standard{0};                          // 0: for ever
  std::map<std::string, Millis> of_process{};  // by process id; 0: for ever

  bool on() const { return standard > Millis(0) || !of_process.empty(); }
  Millis of(const std::string& process) const {
    const auto found = of_process.find(process);
    return found == of_process.end() ? standard : found->second;
  }
};

class Sweeper {
 public:
  explicit Sweeper(Retention retention) : retention_(std::move(retention)) {}

  // On the thread that writes the index. True: there is more to look at.
  bool step(store::Index& index, Instant now);

 private:
  Retention retention_;
  Key after_{Key::none};
  Instant rests_until_{};
};

}  // namespace pawl::runtime

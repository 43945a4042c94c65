// SPDX-License-Identifier: Apache-2.0
// Clock: where the runtime's time comes from. A seam: the simulator moves it by hand.
#pragma once

#include "base/time.hpp"

namespace pawl::runtime {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Instant now() const override {
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
  }
};

}  // namespace pawl::runtime

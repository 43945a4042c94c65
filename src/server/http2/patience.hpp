// SPDX-License-Identifier: Apache-2.0
// Patience with one client: used up by frames that ask for nothing, or by requests that it takes
// back; it comes back with time. See limits.hpp.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace pawl::server::http2 {

class Patience {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Patience(double most, double per_second) : most_(most), per_second_(per_second), left_(most) {}

  // False: there is none left.
  bool spend(std::uint32_t cost, Time now) {
    const std::chrono::duration<double> passed = now - at_;
    at_ = now;
    left_ = std::min(most_, left_ + passed.count() * per_second_) - cost;
    return left_ >= 0;
  }
  void earn(std::uint32_t more) { left_ = std::min(most_, left_ + more); }

 private:
  double most_;
  double per_second_;
  double left_;
  Time at_{std::chrono::steady_clock::now()};
};

}  // namespace pawl::server::http2

// SPDX-License-Identifier: Apache-2.0
// Random block-structured processes for property tests, as drawings (draw.hpp). Every block has one
// way in and one way out, so every such process can end; scopes may have event sub-processes.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>

namespace pawl::testkit {

// A small generator of our own: the same numbers on every machine, copyable in mid-run.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  unsigned below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>((state_ >> 33) % bound);
  }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

// One of many; there is at least one.
template <class All>
auto any_of(Dice& dice, const All& all) {
  return *std::next(all.begin(), dice.below(all.size()));
}

std::string random_process(Dice& dice);

}  // namespace pawl::testkit

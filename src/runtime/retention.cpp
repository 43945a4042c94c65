// SPDX-License-Identifier: Apache-2.0
#include "runtime/retention.hpp"

#include <algorithm>

namespace pawl::runtime {
namespace {

constexpr std::size_t rows_per_step = 2'000;
constexpr Millis shortest_rest{1'000}, longest_rest{60'000};

}  // namespace

bool Sweeper::step(store::Index& index, Instant now) {
  if (!retention_.on() || now < rests_until_) return false;
  const auto may = [&](const store::Index::Ended& ended) {
    const Millis kept = retention_.of(ended.process);
    return kept > Millis(0) && ended.at + kept <= now;
  };
  const auto last = index.forget_ended(after_, rows_per_step, may);
  after_ = last ? *last : Key::none;
  if (after_ != Key::none) return true;
  Millis rest = longest_rest;
  if (retention_.standard > Millis(0)) rest = std::min(rest, retention_.standard / 10);
  for (const auto& [process, kept] : retention_.of_process) {
    if (kept > Millis(0)) rest = std::min(rest, kept / 10);
  }
  rests_until_ = now + std::max(rest, shortest_rest);
  return false;
}

}  // namespace pawl::runtime

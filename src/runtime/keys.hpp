// SPDX-License-Identifier: Apache-2.0
// Keys: the fresh keys of one shard, for ever in one order. Its own turns and those that are taken
// beside it draw them in pieces; what is left of a piece when a turn comes back is lost, so that
// the keys of an instance grow with every turn of it, wherever that was taken.
#pragma once

#include <atomic>

#include "base/assert.hpp"
#include "base/ids.hpp"
#include "base/limits.hpp"
#include "engine/turn.hpp"

namespace pawl::runtime {

class Keys final : public engine::KeySource {
 public:
  explicit Keys(std::uint32_t shard)
      : next_((std::uint64_t{shard} << shard_bits) + 1),
        end_(std::uint64_t{shard + 1} << shard_bits) {}

  // Before anything was drawn.
  void begin_at(std::uint64_t next) { next_ = next; }
  // Keys below it are used up. Any thread.
  std::uint64_t used() const { return next_; }
  // Any thread.
  engine::KeyRange more() override {
    const std::uint64_t from = next_.fetch_add(limits::keys_at_once);
    PAWL_ASSERT(from + limits::keys_at_once <= end_);
    return {from, from + limits::keys_at_once};
  }

 private:
  std::atomic<std::uint64_t> next_;
  const std::uint64_t end_;
};

}  // namespace pawl::runtime

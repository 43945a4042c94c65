// SPDX-License-Identifier: Apache-2.0
// Slots: a growing row of things that never move, so that references to them stay valid. It grows
// by blocks: small ones first, because most instances have few element instances and very many
// instances wait in memory; then of 64. Slots are never taken away, only used again.
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace pawl::engine {

template <class T>
class Slots {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return blocks_[block_of(i)][i - first_of(block_of(i))]; }
  const T& operator[](std::size_t i) const {
    return blocks_[block_of(i)][i - first_of(block_of(i))];
  }
  T& emplace_back(T given = {}) {
    const std::size_t block = block_of(size_);
    if (block == blocks_.size()) {
      blocks_.push_back(std::make_unique<T[]>(first_of(block + 1) - first_of(block)));
    }
    T& made = (*this)[size_++];
    made = std::move(given);
    return made;
  }

 private:
  static constexpr std::size_t largest = 64;
  static constexpr std::size_t small_blocks = 6;  // of 2, 2, 4, 8, 16, 32: together `largest`

  static std::size_t block_of(std::size_t i) {
    if (i >= largest) return small_blocks - 1 + i / largest;
    return i < 2 ? 0 : static_cast<std::size_t>(std::bit_width(i)) - 1;
  }
  static std::size_t first_of(std::size_t block) {
    if (block >= small_blocks) return (block - small_blocks + 1) * largest;
    return block == 0 ? 0 : std::size_t{1} << block;
  }

  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t size_{0};
};

}  // namespace pawl::engine

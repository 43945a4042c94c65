// SPDX-License-Identifier: Apache-2.0
// KeyMap: key → slot, O(1), 16 bytes an entry. Open addressing with linear probing; never iterated,
// so its layout cannot influence any outcome. Key::none marks an empty place.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace pawl::engine {

enum class Slot : std::uint32_t { none = 0xFFFFFFFF };
constexpr std::uint32_t number(Slot slot) { return static_cast<std::uint32_t>(slot); }

class KeyMap {
 public:
  void insert(Key key, Slot slot) {
    if ((size_ + 1) * 4 > places_.size() * 3) grow();
    put(key, slot);
    ++size_;
  }

  Slot find(Key key) const {
    if (places_.empty()) return Slot::none;
    for (std::size_t i = home(key);; i = next(i)) {
      if (places_[i].key == key) return places_[i].slot;
      if (places_[i].key == Key::none) return Slot::none;
    }
  }

  void erase(Key key) {
    if (places_.empty()) return;
    std::size_t i = home(key);
    while (places_[i].key != key) {
      if (places_[i].key == Key::none) return;
      i = next(i);
    }
    close_gap(i);
    --size_;
  }

  std::size_t size() const { return size_; }

 private:
  struct Place {
    Key key{Key::none};
    Slot slot{Slot::none};
  };

  std::size_t home(Key key) const {
    return (number(key) * 0x9E3779B97F4A7C15ull >> 20) & (places_.size() - 1);
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (places_.size() - 1); }

  void put(Key key, Slot slot) {
    std::size_t i = home(key);
    while (places_[i].key != Key::none) i = next(i);
    places_[i] = {key, slot};
  }

  void grow() {
    std::vector<Place> old(places_.empty() ? 8 : places_.size() * 2);
    old.swap(places_);
    for (const Place& place : old) {
      if (place.key != Key::none) put(place.key, place.slot);
    }
  }

  // Moves later entries of the same probe chain back, so that no tombstones are needed.
  void close_gap(std::size_t gap) {
    for (std::size_t i = next(gap); places_[i].key != Key::none; i = next(i)) {
      const std::size_t wanted = home(places_[i].key);
      const bool stays = gap < i ? (gap < wanted && wanted <= i) : (gap < wanted || wanted <= i);
      if (stays) continue;
      places_[gap] = places_[i];
      gap = i;
    }
    places_[gap] = {};
  }

  std::vector<Place> places_;
  std::size_t size_{0};
};

}  // namespace pawl::engine

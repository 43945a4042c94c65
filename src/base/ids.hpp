// SPDX-License-Identifier: Apache-2.0
// Strong ids: two kinds of number never mix.
#pragma once

#include <cstdint>

namespace pawl {

// Everything that exists at run time (instance, element instance, job, incident, variable) has a
// key of its own, unique for ever: shard << 51 | counter.
enum class Key : std::uint64_t { none = 0 };

constexpr std::uint64_t number(Key key) { return static_cast<std::uint64_t>(key); }
constexpr Key key_from(std::uint64_t value) { return static_cast<Key>(value); }

inline constexpr int shard_bits = 51;  // of a key, below the number of its shard
constexpr std::uint32_t shard_of(Key key) {
  return static_cast<std::uint32_t>(number(key) >> shard_bits);
}

// Places in a process graph: small integers, so that a look-up is an array access.
enum class ElementIndex : std::uint32_t { none = 0xFFFFFFFF };
enum class FlowIndex : std::uint32_t { none = 0xFFFFFFFF };

constexpr std::uint32_t number(ElementIndex index) { return static_cast<std::uint32_t>(index); }
constexpr std::uint32_t number(FlowIndex index) { return static_cast<std::uint32_t>(index); }

}  // namespace pawl

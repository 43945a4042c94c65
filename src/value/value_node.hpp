// SPDX-License-Identifier: Apache-2.0
// Inside of Value: what the shared kinds point to. Nodes are immutable once they are made; only the
// reference count changes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "value/value.hpp"

namespace pawl {

struct Value::Node {
  mutable std::atomic<std::uint32_t> references{1};
  std::uint32_t depth{0};
};

// The characters follow the node in the same allocation.
struct Value::StringNode : Node {
  std::size_t size{0};

  char* text() { return reinterpret_cast<char*>(this + 1); }
  const char* text() const { return reinterpret_cast<const char*>(this + 1); }
};

template <class T>
struct Value::Boxed : Node {
  explicit Boxed(T held) : value(std::move(held)) {}
  T value;
};

// What is known of all that is inside: found once, from what the parts know of themselves, so that
// the questions cost nothing however often a part is shared.
struct Value::ContainerNode : Node {
  std::uint64_t encoded : 63 {0};  // bytes of the parts, as stored; each time they are shared
  std::uint64_t storable : 1 {1};  // nothing in it has to become text first

  void add(std::size_t bytes, bool as_it_is);
};

struct Value::ListNode : ContainerNode {
  explicit ListNode(List held);
  List items;
};

struct Value::RangeNode : ContainerNode {
  explicit RangeNode(Range held);
  Range range;
};

// Small contexts are searched from the front; larger ones have their positions sorted by key.
struct Value::ContextNode : ContainerNode {
  static constexpr std::size_t searched_in_order = 8;

  explicit ContextNode(std::vector<Entry> held);
  const Value* find(std::string_view key) const;

  std::vector<Entry> entries;
  std::vector<std::uint32_t> by_key{};

 private:
  // Of equal keys the last value wins, at the first one's place.
  void merge_few();
  void merge_many();
  void sort_positions();
};

template <class T>
const T& Value::boxed(Tag tag) const {
  PAWL_ASSERT(tag_ == tag);
  return static_cast<const Boxed<T>*>(payload_.node)->value;
}

}  // namespace pawl

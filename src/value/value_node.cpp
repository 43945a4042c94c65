// SPDX-License-Identifier: Apache-2.0
#include "value/value_node.hpp"

#include <algorithm>

#include "value/decimal_text.hpp"

namespace pawl {
namespace {

template <class Items, class Depth>
std::uint32_t depth_above(const Items& items, Depth depth_of) {
  std::size_t deepest = 0;
  for (const auto& item : items) deepest = std::max(deepest, depth_of(item));
  return static_cast<std::uint32_t>(std::min<std::size_t>(deepest + 1, UINT32_MAX));
}

// A field of the stored form: its number, its length, its bytes.
std::size_t framed_size(std::size_t bytes) {
  std::size_t length = 1;
  for (std::size_t rest = bytes; rest >= 0x80; rest >>= 7) ++length;
  return 1 + length + bytes;
}

}  // namespace

// Sharing can make a value of a few nodes larger than any number: then it is this large.
void Value::ContainerNode::add(std::size_t bytes, bool as_it_is) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  encoded = std::min(most, encoded + std::min<std::uint64_t>(most, bytes));
  if (!as_it_is) storable = 0;
}

Value::ListNode::ListNode(List held) : items(std::move(held)) {
  depth = depth_above(items, [](const Value& item) { return item.depth(); });
  for (const Value& item : items) {
    add(framed_size(item.encoded_size()), item.is_storable());
  }
}

Value::RangeNode::RangeNode(Range held) : range(std::move(held)) {
  depth = static_cast<std::uint32_t>(std::max(range.low.depth(), range.high.depth()) + 1);
  constexpr std::size_t escaped = 6;  // bytes of a character in JSON
  add(escaped * range.low.encoded_size() + escaped * range.high.encoded_size(), false);
}

Value::ContextNode::ContextNode(std::vector<Entry> held) : entries(std::move(held)) {
  if (entries.size() <= searched_in_order) {
    merge_few();
  } else {
    merge_many();
  }
  depth = depth_above(entries, [](const Entry& entry) { return entry.value.depth(); });
  for (const Entry& entry : entries) {
    const std::size_t name = entry.key.empty() ? 0 : framed_size(entry.key.size());
    add(framed_size(name + framed_size(entry.value.encoded_size())), entry.value.is_storable());
  }
}

const Value* Value::ContextNode::find(std::string_view key) const {
  if (by_key.empty()) {
    for (const Entry& entry : entries) {
      if (entry.key == key) return &entry.value;
    }
    return nullptr;
  }
  const auto at = std::lower_bound(
      by_key.begin(), by_key.end(), key,
      [this](std::uint32_t position, std::string_view k) { return entries[position].key < k; });
  return at != by_key.end() && entries[*at].key == key ? &entries[*at].value : nullptr;
}

std::size_t Value::encoded_size() const noexcept {
  constexpr std::size_t temporal = 96;  // at most
  switch (tag_) {
    case Tag::null:
    case Tag::function:
      return 0;
    case Tag::no:
    case Tag::yes:
      return 2;
    case Tag::integer: {
      const auto folded = static_cast<std::uint64_t>(payload_.integer) << 1 ^
                          static_cast<std::uint64_t>(payload_.integer >> 63);
      std::size_t bytes = 2;
      for (std::uint64_t rest = folded; rest >= 0x80; rest >>= 7) ++bytes;
      return bytes;
    }
    case Tag::decimal:
      return framed_size(decimal::text_size(boxed<Decimal>(Tag::decimal)));
    case Tag::string:
      return framed_size(static_cast<const StringNode*>(payload_.node)->size);
    case Tag::list:
    case Tag::context:
    case Tag::range:
      return framed_size(static_cast<const ContainerNode*>(payload_.node)->encoded);
    default:
      return temporal;
  }
}

bool Value::is_storable() const noexcept {
  if (is_container()) return static_cast<const ContainerNode*>(payload_.node)->storable;
  return tag_ <= Tag::string;
}

void Value::ContextNode::merge_few() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::size_t first = 0;
    while (first < kept && entries[first].key != entries[i].key) ++first;
    if (first < kept) {
      entries[first].value = std::move(entries[i].value);
    } else {
      if (kept != i) entries[kept] = std::move(entries[i]);
      ++kept;
    }
  }
  entries.resize(kept);
}

void Value::ContextNode::merge_many() {
  sort_positions();
  const auto same = [this](std::uint32_t a, std::uint32_t b) {
    return entries[a].key == entries[b].key;
  };
  if (std::adjacent_find(by_key.begin(), by_key.end(), same) == by_key.end()) return;

  std::vector<bool> dropped(entries.size());
  for (std::size_t i = 0; i < by_key.size();) {
    std::size_t last = i;
    while (last + 1 < by_key.size() && same(by_key[i], by_key[last + 1])) ++last;
    if (last > i) entries[by_key[i]].value = std::move(entries[by_key[last]].value);
    for (std::size_t j = i + 1; j <= last; ++j) dropped[by_key[j]] = true;
    i = last + 1;
  }
  std::vector<Entry> kept;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!dropped[i]) kept.push_back(std::move(entries[i]));
  }
  entries = std::move(kept);
  sort_positions();
}

void Value::ContextNode::sort_positions() {
  by_key.resize(entries.size());
  for (std::size_t i = 0; i < by_key.size(); ++i) by_key[i] = static_cast<std::uint32_t>(i);
  std::sort(by_key.begin(), by_key.end(), [this](std::uint32_t a, std::uint32_t b) {
    const int order = entries[a].key.compare(entries[b].key);
    return order != 0 ? order < 0 : a < b;
  });
}

}  // namespace pawl

// SPDX-License-Identifier: Apache-2.0
#include "value/value.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

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

namespace {

template <class Items, class Depth>
std::uint32_t depth_above(const Items& items, Depth depth_of) {
  std::size_t deepest = 0;
  for (const auto& item : items) deepest = std::max(deepest, depth_of(item));
  return static_cast<std::uint32_t>(std::min<std::size_t>(deepest + 1, UINT32_MAX));
}

}  // namespace

struct Value::ListNode : Node {
  explicit ListNode(List held) : items(std::move(held)) {
    depth = depth_above(items, [](const Value& item) { return item.depth(); });
  }
  List items;
};

struct Value::RangeNode : Node {
  explicit RangeNode(Range held) : range(std::move(held)) {
    depth = static_cast<std::uint32_t>(std::max(range.low.depth(), range.high.depth()) + 1);
  }
  Range range;
};

// Small contexts are searched from the front; larger ones have their positions sorted by key.
struct Value::ContextNode : Node {
  static constexpr std::size_t searched_in_order = 8;

  explicit ContextNode(std::vector<Entry> held) : entries(std::move(held)) {
    if (entries.size() <= searched_in_order) {
      merge_few();
    } else {
      merge_many();
    }
    depth = depth_above(entries, [](const Entry& entry) { return entry.value.depth(); });
  }

  const Value* find(std::string_view key) const {
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

  std::vector<Entry> entries;
  std::vector<std::uint32_t> by_key{};

 private:
  // Of equal keys the last value wins, at the first one's place.
  void merge_few() {
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

  void merge_many() {
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

  void sort_positions() {
    by_key.resize(entries.size());
    for (std::size_t i = 0; i < by_key.size(); ++i) by_key[i] = static_cast<std::uint32_t>(i);
    std::sort(by_key.begin(), by_key.end(), [this](std::uint32_t a, std::uint32_t b) {
      const int order = entries[a].key.compare(entries[b].key);
      return order != 0 ? order < 0 : a < b;
    });
  }
};

template <class T>
Value::Node* Value::box(const T& value) {
  return new Boxed<T>(value);
}

template <class T>
const T& Value::boxed(Tag tag) const {
  PAWL_ASSERT(tag_ == tag);
  return static_cast<const Boxed<T>*>(payload_.node)->value;
}

Value::Value(bool value) noexcept : tag_(value ? Tag::yes : Tag::no) {}
Value::Value(int value) noexcept : Value(static_cast<std::int64_t>(value)) {}
Value::Value(std::int64_t value) noexcept : tag_(Tag::integer) { payload_.integer = value; }

Value::Value(const Decimal& value) {
  if (const auto whole = value.to_int64()) {
    tag_ = Tag::integer;
    payload_.integer = *whole;
  } else {
    payload_.node = box(value);
    tag_ = Tag::decimal;
  }
}

Value::Value(std::string_view text) {
  auto* node = new (::operator new(sizeof(StringNode) + text.size())) StringNode;
  node->size = text.size();
  if (!text.empty()) std::memcpy(node->text(), text.data(), text.size());
  payload_.node = node;
  tag_ = Tag::string;
}

Value::Value(List items) : Value(Tag::list, new ListNode(std::move(items))) {}
Value::Value(const Date& value) : Value(Tag::date, box(value)) {}
Value::Value(const Time& value) : Value(Tag::time, box(value)) {}
Value::Value(const DateTime& value) : Value(Tag::date_time, box(value)) {}
Value::Value(const DayTimeDuration& value) : Value(Tag::day_time, box(value)) {}
Value::Value(const YearMonthDuration& value) : Value(Tag::year_month, box(value)) {}
Value::Value(Range range) : Value(Tag::range, new RangeNode(std::move(range))) {}
Value::Value(std::shared_ptr<const Callable> function) : Value(Tag::function, box(function)) {}

Value Value::context(std::vector<Entry> entries) {
  return Value(Tag::context, new ContextNode(std::move(entries)));
}

void Value::retain() const noexcept {
  if (is_shared()) payload_.node->references.fetch_add(1, std::memory_order_relaxed);
}

void Value::release() noexcept {
  if (!is_shared()) return;
  if (payload_.node->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    destroy(tag_, payload_.node);
  }
}

// Children that only this value holds are taken apart in a loop: a value nested a million times
// must not need a million stack frames to go.
void Value::destroy(Tag tag, Node* node) {
  List orphans;
  dismantle(tag, node, orphans);
  while (!orphans.empty()) {
    Value orphan = std::move(orphans.back());
    orphans.pop_back();
    const Tag its_tag = std::exchange(orphan.tag_, Tag::null);
    if (orphan.payload_.node->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      dismantle(its_tag, orphan.payload_.node, orphans);
    }
  }
}

void Value::dismantle(Tag tag, Node* node, List& orphans) {
  const auto adopt = [&orphans](Value& child) {
    if (child.is_container() && child.payload_.node->depth > 1) orphans.push_back(std::move(child));
  };
  switch (tag) {
    case Tag::null:
    case Tag::no:
    case Tag::yes:
    case Tag::integer:
      return;
    case Tag::decimal:
      delete static_cast<Boxed<Decimal>*>(node);
      return;
    case Tag::string: {
      auto* text = static_cast<StringNode*>(node);
      text->~StringNode();
      ::operator delete(text);
      return;
    }
    case Tag::list: {
      auto* list = static_cast<ListNode*>(node);
      if (list->depth > 2) std::for_each(list->items.begin(), list->items.end(), adopt);
      delete list;
      return;
    }
    case Tag::context: {
      auto* context = static_cast<ContextNode*>(node);
      if (context->depth > 2) {
        for (Entry& entry : context->entries) adopt(entry.value);
      }
      delete context;
      return;
    }
    case Tag::range: {
      auto* range = static_cast<RangeNode*>(node);
      adopt(range->range.low);
      adopt(range->range.high);
      delete range;
      return;
    }
    case Tag::date:
      delete static_cast<Boxed<Date>*>(node);
      return;
    case Tag::time:
      delete static_cast<Boxed<Time>*>(node);
      return;
    case Tag::date_time:
      delete static_cast<Boxed<DateTime>*>(node);
      return;
    case Tag::day_time:
      delete static_cast<Boxed<DayTimeDuration>*>(node);
      return;
    case Tag::year_month:
      delete static_cast<Boxed<YearMonthDuration>*>(node);
      return;
    case Tag::function:
      delete static_cast<Boxed<std::shared_ptr<const Callable>>*>(node);
      return;
  }
}

Value::Value(const Value& other) noexcept : tag_(other.tag_), payload_(other.payload_) { retain(); }

Value::Value(Value&& other) noexcept
    : tag_(std::exchange(other.tag_, Tag::null)), payload_(other.payload_) {}

Value& Value::operator=(const Value& other) noexcept { return *this = Value(other); }

Value& Value::operator=(Value&& other) noexcept {
  Value taken(std::move(other));
  std::swap(tag_, taken.tag_);
  std::swap(payload_, taken.payload_);
  return *this;
}

Value::~Value() { release(); }

Value::Kind Value::kind() const noexcept {
  static constexpr Kind kinds[] = {
      Kind::null,
      Kind::boolean,
      Kind::boolean,
      Kind::number,
      Kind::number,
      Kind::string,
      Kind::list,
      Kind::context,
      Kind::date,
      Kind::time,
      Kind::date_time,
      Kind::day_time_duration,
      Kind::year_month_duration,
      Kind::range,
      Kind::function,
  };
  return kinds[static_cast<std::size_t>(tag_)];
}

std::size_t Value::depth() const noexcept { return is_container() ? payload_.node->depth : 0; }

bool Value::as_boolean() const {
  PAWL_ASSERT(is_boolean());
  return tag_ == Tag::yes;
}

std::optional<std::int64_t> Value::as_int() const {
  if (tag_ == Tag::integer) return payload_.integer;
  PAWL_ASSERT(tag_ == Tag::decimal);
  return std::nullopt;  // a decimal that fits is held as an integer
}

Decimal Value::as_decimal() const {
  if (tag_ == Tag::integer) return Decimal(payload_.integer);
  return boxed<Decimal>(Tag::decimal);
}

std::string_view Value::as_string() const {
  PAWL_ASSERT(tag_ == Tag::string);
  const auto* node = static_cast<const StringNode*>(payload_.node);
  return {node->text(), node->size};
}

const List& Value::as_list() const {
  PAWL_ASSERT(tag_ == Tag::list);
  return static_cast<const ListNode*>(payload_.node)->items;
}

const std::vector<Entry>& Value::entries() const {
  PAWL_ASSERT(tag_ == Tag::context);
  return static_cast<const ContextNode*>(payload_.node)->entries;
}

const Date& Value::as_date() const { return boxed<Date>(Tag::date); }
const Time& Value::as_time() const { return boxed<Time>(Tag::time); }
const DateTime& Value::as_date_time() const { return boxed<DateTime>(Tag::date_time); }
const DayTimeDuration& Value::as_day_time_duration() const {
  return boxed<DayTimeDuration>(Tag::day_time);
}
const YearMonthDuration& Value::as_year_month_duration() const {
  return boxed<YearMonthDuration>(Tag::year_month);
}
const Range& Value::as_range() const {
  PAWL_ASSERT(tag_ == Tag::range);
  return static_cast<const RangeNode*>(payload_.node)->range;
}
const std::shared_ptr<const Callable>& Value::as_function() const {
  return boxed<std::shared_ptr<const Callable>>(Tag::function);
}

const Value* Value::find(std::string_view key) const {
  if (tag_ != Tag::context) return nullptr;
  return static_cast<const ContextNode*>(payload_.node)->find(key);
}

// Compares without recursion: pairs of containers wait in a list until it is their turn.
struct Value::Comparison {
  std::vector<std::pair<const Value*, const Value*>> waiting{};

  // False as soon as a difference is known; containers are put on the list.
  bool may_equal(const Value& a, const Value& b) {
    if (a.tag_ != b.tag_) return false;
    if (a.is_shared() && a.payload_.node == b.payload_.node) return true;
    switch (a.tag_) {
      case Tag::null:
      case Tag::no:
      case Tag::yes:
        return true;
      case Tag::integer:
        return a.payload_.integer == b.payload_.integer;
      case Tag::decimal:
        return a.boxed<Decimal>(a.tag_) == b.boxed<Decimal>(a.tag_);
      case Tag::string:
        return a.as_string() == b.as_string();
      case Tag::date:
        return a.as_date() == b.as_date();
      case Tag::time:
        return a.as_time() == b.as_time();
      case Tag::date_time:
        return a.as_date_time() == b.as_date_time();
      case Tag::day_time:
        return a.as_day_time_duration() == b.as_day_time_duration();
      case Tag::year_month:
        return a.as_year_month_duration() == b.as_year_month_duration();
      case Tag::function:
        return a.as_function() == b.as_function();
      case Tag::list:
      case Tag::context:
      case Tag::range:
        if (a.payload_.node->depth != b.payload_.node->depth) return false;
        waiting.emplace_back(&a, &b);
        return true;
    }
    return false;
  }

  bool open(const Value& a, const Value& b) {
    if (a.tag_ == Tag::list) return open_lists(a.as_list(), b.as_list());
    if (a.tag_ == Tag::context) return open_contexts(a, b);
    const Range& x = a.as_range();
    const Range& y = b.as_range();
    return x.low_included == y.low_included && x.high_included == y.high_included &&
           may_equal(x.low, y.low) && may_equal(x.high, y.high);
  }

  bool open_lists(const List& a, const List& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!may_equal(a[i], b[i])) return false;
    }
    return true;
  }

  bool open_contexts(const Value& a, const Value& b) {
    const auto& left = a.entries();
    const auto& right = b.entries();
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Value* other = right[i].key == left[i].key ? &right[i].value : b.find(left[i].key);
      if (other == nullptr || !may_equal(left[i].value, *other)) return false;
    }
    return true;
  }
};

bool operator==(const Value& a, const Value& b) {
  Value::Comparison comparison;
  if (!comparison.may_equal(a, b)) return false;
  while (!comparison.waiting.empty()) {
    const auto [x, y] = comparison.waiting.back();
    comparison.waiting.pop_back();
    if (!comparison.open(*x, *y)) return false;
  }
  return true;
}

std::size_t Value::footprint() const {
  std::size_t total = 0;
  std::vector<const Value*> waiting{this};
  while (!waiting.empty()) {
    const Value& value = *waiting.back();
    waiting.pop_back();
    total += sizeof(Value);
    switch (value.tag_) {
      case Tag::string:
        total += sizeof(StringNode) + value.as_string().size();
        break;
      case Tag::list:
        total += sizeof(ListNode);
        for (const Value& item : value.as_list()) waiting.push_back(&item);
        break;
      case Tag::context:
        total += sizeof(ContextNode);
        for (const Entry& entry : value.entries()) {
          total += sizeof(std::string) + entry.key.size();
          waiting.push_back(&entry.value);
        }
        break;
      case Tag::range:
        total += sizeof(RangeNode);
        waiting.push_back(&value.as_range().low);
        waiting.push_back(&value.as_range().high);
        break;
      default:
        total += value.is_shared() ? sizeof(Boxed<DateTime>) : 0;
    }
  }
  return total;
}

}  // namespace pawl

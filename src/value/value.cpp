// SPDX-License-Identifier: Apache-2.0
#include "value/value.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "value/value_node.hpp"

namespace pawl {

template <class T>
Value::Node* Value::box(const T& value) {
  return new Boxed<T>(value);
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

}  // namespace pawl

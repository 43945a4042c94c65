// SPDX-License-Identifier: Apache-2.0
// Equality of values, without recursion: they may be nested deeper than a stack is.
#include <utility>
#include <vector>

#include "value/value_node.hpp"

namespace pawl {

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

}  // namespace pawl

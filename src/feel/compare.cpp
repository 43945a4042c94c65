// SPDX-License-Identifier: Apache-2.0
#include "feel/compare.hpp"

#include <algorithm>

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

const Value& single(const Value& value) {
  return value.is_list() && value.as_list().size() == 1 ? value.as_list().front() : value;
}

// Two texts, as far as they are looked at.
void charge_texts(Machine& machine, std::string_view a, std::string_view b) {
  machine.charge(std::min(a.size(), b.size()), cost::compared);
}

void charge_times(Machine& machine, const Time& a, const Time& b) {
  machine.charge(1);
  for (const Time* time : {&a, &b}) {
    if (time->zone.kind == Zone::Kind::named) machine.charge(cost::zone);
  }
}

// A bare time lies on a fixed day, so that two of them in named zones can be compared.
UtcSeconds on_fixed_day(const Time& time) { return to_utc(DateTime{Date{1970, 1, 1}, time}); }

std::optional<std::strong_ordering> order_times(const Time& a, const Time& b) {
  if (has_zone(a) != has_zone(b)) return std::nullopt;
  return on_fixed_day(a) <=> on_fixed_day(b);
}

std::optional<std::strong_ordering> order_date_times(const DateTime& a, const DateTime& b) {
  if (has_zone(a.time) != has_zone(b.time)) return std::nullopt;
  return to_utc(a) <=> to_utc(b);
}

bool equal_lists(Machine& machine, const List& a, const List& b) {
  if (a.size() != b.size()) return false;
  const Machine::Level level(machine);
  for (std::size_t i = 0; i < a.size(); ++i) {
    machine.charge(1, cost::item);
    if (!same(machine, a[i], b[i])) return false;
  }
  return true;
}

bool equal_contexts(Machine& machine, const Value& a, const Value& b) {
  if (a.entries().size() != b.entries().size()) return false;
  const Machine::Level level(machine);
  for (const auto& entry : a.entries()) {
    const Value* other = machine.find(b, entry.key);
    if (other == nullptr || !same(machine, entry.value, *other)) return false;
  }
  return true;
}

bool equal_ranges(Machine& machine, const Range& a, const Range& b) {
  const Machine::Level level(machine);
  const bool same_low = a.low.is_null() || a.low_included == b.low_included;
  const bool same_high = a.high.is_null() || a.high_included == b.high_included;
  return same_low && same_high && same(machine, a.low, b.low) && same(machine, a.high, b.high);
}

std::optional<bool> equal_kinds(Machine& machine, const Value& a, const Value& b) {
  switch (a.kind()) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return a.as_boolean() == b.as_boolean();
    case Kind::number:
      return a.is_int() && b.is_int() ? a.int_unchecked() == b.int_unchecked()
                                      : a.as_decimal() == b.as_decimal();
    case Kind::string:
      if (a.as_string().size() != b.as_string().size()) return false;
      charge_texts(machine, a.as_string(), b.as_string());
      return a.as_string() == b.as_string();
    case Kind::list:
      return equal_lists(machine, a.as_list(), b.as_list());
    case Kind::context:
      return equal_contexts(machine, a, b);
    case Kind::range:
      return equal_ranges(machine, a.as_range(), b.as_range());
    case Kind::function:
      return a.as_function() == b.as_function();
    case Kind::date:
    case Kind::time:
    case Kind::date_time:
    case Kind::day_time_duration:
    case Kind::year_month_duration:
      break;
  }
  // A local time never is the same as one in a zone.
  const auto ordered = order(machine, a, b);
  return ordered && *ordered == std::strong_ordering::equal;
}

}  // namespace

std::optional<bool> equals(Machine& machine, const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  if (a.kind() == b.kind()) return equal_kinds(machine, a, b);
  const Value& left = single(a);
  const Value& right = single(b);
  if (left.is_null() || left.kind() != right.kind()) return std::nullopt;
  return equal_kinds(machine, left, right);
}

bool same(Machine& machine, const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  return equal_kinds(machine, a, b).value_or(false);
}

std::optional<std::strong_ordering> order(Machine& machine, const Value& a, const Value& b) {
  const Value& left = single(a);
  const Value& right = single(b);
  if (left.kind() != right.kind()) return std::nullopt;
  switch (left.kind()) {
    case Kind::number:
      if (left.is_int() && right.is_int()) return left.int_unchecked() <=> right.int_unchecked();
      return left.as_decimal() <=> right.as_decimal();
    case Kind::string: {
      charge_texts(machine, left.as_string(), right.as_string());
      const int compared = left.as_string().compare(right.as_string());
      return compared <=> 0;
    }
    case Kind::date:
      return left.as_date() <=> right.as_date();
    case Kind::time:
      charge_times(machine, left.as_time(), right.as_time());
      return order_times(left.as_time(), right.as_time());
    case Kind::date_time:
      charge_times(machine, left.as_date_time().time, right.as_date_time().time);
      return order_date_times(left.as_date_time(), right.as_date_time());
    case Kind::day_time_duration:
      return left.as_day_time_duration() <=> right.as_day_time_duration();
    case Kind::year_month_duration:
      return left.as_year_month_duration() <=> right.as_year_month_duration();
    case Kind::null:
    case Kind::boolean:
    case Kind::list:
    case Kind::context:
    case Kind::range:
    case Kind::function:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<bool> contains(Machine& machine, const Range& range, const Value& value) {
  const Value* low = &range.low;
  const Value* high = &range.high;
  bool low_included = range.low_included;
  bool high_included = range.high_included;
  const auto ends = order(machine, *low, *high);
  if (ends && *ends > 0) {  // [6..4] has the same values as [4..6]
    std::swap(low, high);
    std::swap(low_included, high_included);
  }
  if (low->is_null() && high->is_null()) return std::nullopt;
  bool inside = true;
  if (!low->is_null()) {
    const auto ordered = order(machine, value, *low);
    if (!ordered) return std::nullopt;
    inside = *ordered > 0 || (low_included && *ordered == 0);
  }
  if (!high->is_null()) {
    const auto ordered = order(machine, value, *high);
    if (!ordered) return std::nullopt;
    inside = inside && (*ordered < 0 || (high_included && *ordered == 0));
  }
  return inside;
}

std::optional<bool> passes(Machine& machine, const Value& input, const Value& test) {
  if (test.kind() == Kind::range && input.kind() != Kind::range) {
    return contains(machine, test.as_range(), input);
  }
  if (!test.is_list()) return equals(machine, input, test);
  if (input.is_list() && same(machine, input, test)) return true;
  for (const auto& item : test.as_list()) {
    machine.charge(1, cost::item);
    const bool is_range = item.kind() == Kind::range && input.kind() != Kind::range;
    if (is_range ? contains(machine, item.as_range(), input).value_or(false)
                 : same(machine, input, item)) {
      return true;
    }
  }
  return false;
}

}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
#include "feel/members.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/text.hpp"
#include "feel/vocabulary.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

std::optional<Value> date_property(const Date& date, std::string_view name) {
  if (name == "year") return Value(std::int64_t{date.year});
  if (name == "month") return Value(int{date.month});
  if (name == "day") return Value(int{date.day});
  if (name == "weekday") return Value(iso_weekday(date));
  return std::nullopt;
}

std::optional<Value> time_property(const Date& date, const Time& time, std::string_view name) {
  if (name == "hour") return Value(int{time.hour});
  if (name == "minute") return Value(int{time.minute});
  if (name == "second") {
    if (time.nanos == 0) return Value(int{time.second});
    const auto nanos = time.second * 1'000'000'000ull + time.nanos;
    return Value(Decimal::make(false, nanos, -9).value_or(Decimal{}));
  }
  if (name == "time offset") {
    if (time.zone.kind == Zone::Kind::none) return Value();
    return Value(DayTimeDuration{offset_at(time.zone, date, time), 0});
  }
  if (name == "timezone") {
    return time.zone.kind == Zone::Kind::named ? Value(*time.zone.name) : Value();
  }
  return std::nullopt;
}

std::optional<Value> duration_property(const DayTimeDuration& duration, std::string_view name) {
  if (name == "days") return Value(duration.seconds / 86'400);
  if (name == "hours") return Value(duration.seconds / 3'600 % 24);
  if (name == "minutes") return Value(duration.seconds / 60 % 60);
  if (name != "seconds") return std::nullopt;
  if (duration.nanos == 0) return Value(duration.seconds % 60);
  const std::int64_t nanos = duration.seconds % 60 * 1'000'000'000 + duration.nanos;
  const bool negative = nanos < 0;
  const auto size = static_cast<std::uint64_t>(negative ? -nanos : nanos);
  return Value(Decimal::make(negative, size, -9).value_or(Decimal{}));
}

std::optional<Value> range_property(const Range& range, std::string_view name) {
  if (name == "start") return range.low;
  if (name == "end") return range.high;
  if (name == "start included") return Value(range.low_included);
  if (name == "end included") return Value(range.high_included);
  return std::nullopt;
}

std::optional<Value> property(const Value& object, std::string_view name) {
  switch (object.kind()) {
    case Kind::date:
      return date_property(object.as_date(), name);
    case Kind::time:
      return time_property(Date{1970, 1, 1}, object.as_time(), name);
    case Kind::date_time: {
      const DateTime& at = object.as_date_time();
      const auto found = date_property(at.date, name);
      return found ? found : time_property(at.date, at.time, name);
    }
    case Kind::day_time_duration:
      return duration_property(object.as_day_time_duration(), name);
    case Kind::year_month_duration: {
      const std::int64_t months = object.as_year_month_duration().months;
      if (name == "years") return Value(months / 12);
      if (name == "months") return Value(months % 12);
      return std::nullopt;
    }
    case Kind::range:
      return range_property(object.as_range(), name);
    default:
      return std::nullopt;
  }
}

Value members_of_items(Machine& machine, const List& items, const std::string& name) {
  const Machine::Level level(machine);
  machine.check_items(items.size());
  List found;
  found.reserve(items.size());
  for (const auto& item : items) found.push_back(member_of(machine, item, name));
  return found;
}

}  // namespace

Value member_of(Machine& machine, const Value& object, const std::string& name) {
  if (const Value* member = machine.find(object, name)) return *member;
  if (object.is_list()) return members_of_items(machine, object.as_list(), name);
  machine.charge(name.size(), cost::scanned);
  if (object.is_context() && name.find("  ") != std::string::npos) {
    // A key of a context literal has single spaces.
    machine.charge(name.size(), cost::walked);
    if (const Value* member = machine.find(object, with_single_spaces(name))) return *member;
  }
  machine.charge(object.kind() == Kind::date_time ? 2 + cost::zone : 2);
  if (auto found = property(object, name)) return *std::move(found);
  if (!machine.wants_problems()) return nullptr;
  return machine.problem(
      Problem::Kind::no_member,
      fmt::format("no member \"{}\" in {}", preview_text(name), preview(object, 60)));
}

}  // namespace pawl::feel

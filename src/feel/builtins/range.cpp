// SPDX-License-Identifier: Apache-2.0
// How points and ranges lie to each other (DMN 1.5, 10.3.4.11; Allen's interval algebra).
// A point is treated as the range that holds only it, where the standard says the same of both.
#include <optional>

#include "feel/builtins/builtins.hpp"
#include "feel/compare.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

struct Span {
  Range range{};
  bool is_point{false};
};

bool is_measurable(const Value& value) {
  switch (value.kind()) {
    case Kind::number:
    case Kind::date:
    case Kind::time:
    case Kind::date_time:
    case Kind::day_time_duration:
    case Kind::year_month_duration:
      return true;
    default:
      return false;
  }
}

std::optional<Span> span_of(const Value& value) {
  if (value.kind() == Kind::range) {
    const Range& range = value.as_range();
    const bool low_fits = range.low.is_null() || is_measurable(range.low);
    const bool high_fits = range.high.is_null() || is_measurable(range.high);
    if (!low_fits || !high_fits) return std::nullopt;
    return Span{range, false};
  }
  if (!is_measurable(value)) return std::nullopt;
  return Span{Range{value, value, true, true}, true};
}

enum class Side { low, high };

struct End {
  const Value& value;
  Side side;
};

// The order of two ends; an end of null lies at infinity on its side.
std::optional<int> compare(Machine& machine, const End& a, const End& b) {
  const auto rank = [](const End& end) {
    return !end.value.is_null() ? 0 : end.side == Side::low ? -1 : 1;
  };
  if (rank(a) != 0 || rank(b) != 0) return rank(a) - rank(b);
  const auto ordered = order(machine, a.value, b.value);
  if (!ordered) return std::nullopt;
  return *ordered < 0 ? -1 : *ordered > 0 ? 1 : 0;
}

// Two spans whose ends can all be compared.
struct Pair {
  Range a{};
  Range b{};
  bool a_is_point{false};
  bool b_is_point{false};
  int lows{0};  // a.low against b.low, and so on
  int highs{0};
  int high_to_low{0};  // a.high against b.low
  int low_to_high{0};  // a.low against b.high

  Pair swapped() const {
    return {b, a, b_is_point, a_is_point, -lows, -highs, -low_to_high, -high_to_low};
  }
};

bool before(const Pair& p) {
  return p.high_to_low < 0 || (p.high_to_low == 0 && !(p.a.high_included && p.b.low_included));
}

bool after(const Pair& p) { return before(p.swapped()); }

bool meets(const Pair& p) { return p.high_to_low == 0 && p.a.high_included && p.b.low_included; }

bool met_by(const Pair& p) { return meets(p.swapped()); }

bool overlaps(const Pair& p) { return !before(p) && !after(p); }

bool overlaps_before(const Pair& p) {
  const bool begins_earlier = p.lows < 0 || (p.lows == 0 && p.a.low_included && !p.b.low_included);
  const bool ends_inside =
      p.highs < 0 || (p.highs == 0 && (!p.a.high_included || p.b.high_included));
  return begins_earlier && ends_inside && !before(p);
}

bool overlaps_after(const Pair& p) { return overlaps_before(p.swapped()); }

bool finishes(const Pair& p) {
  const bool begins_inside = p.lows > 0 || (p.lows == 0 && (!p.a.low_included || p.b.low_included));
  return p.highs == 0 && p.a.high_included == p.b.high_included && begins_inside;
}

bool finished_by(const Pair& p) { return finishes(p.swapped()); }

bool includes(const Pair& p) {
  const bool low_fits = p.lows < 0 || (p.lows == 0 && (p.a.low_included || !p.b.low_included));
  const bool high_fits = p.highs > 0 || (p.highs == 0 && (p.a.high_included || !p.b.high_included));
  return low_fits && high_fits;
}

bool during(const Pair& p) { return includes(p.swapped()); }

bool starts(const Pair& p) {
  const bool ends_inside =
      p.highs < 0 || (p.highs == 0 && (!p.a.high_included || p.b.high_included));
  return p.lows == 0 && p.a.low_included == p.b.low_included && ends_inside;
}

bool started_by(const Pair& p) { return starts(p.swapped()); }

bool coincides(const Pair& p) {
  return p.lows == 0 && p.highs == 0 && p.a.low_included == p.b.low_included &&
         p.a.high_included == p.b.high_included && p.a_is_point == p.b_is_point;
}

// Which of the two may be a point.
enum class Points { both, only_first, only_second, none };

template <bool (*relation)(const Pair&), Points points>
Value relate(Call& call) {
  const auto a = span_of(call[0]);
  const auto b = span_of(call[1]);
  if (!a || !b) return call.refuse("numbers, dates, times, durations or ranges of them are needed");
  const bool first_fits = !a->is_point || points == Points::both || points == Points::only_first;
  const bool second_fits = !b->is_point || points == Points::both || points == Points::only_second;
  if (!first_fits || !second_fits) return call.refuse("a range is needed instead of a point");
  const End a_low{a->range.low, Side::low};
  const End a_high{a->range.high, Side::high};
  const End b_low{b->range.low, Side::low};
  const End b_high{b->range.high, Side::high};
  const auto lows = compare(call.machine, a_low, b_low);
  const auto highs = compare(call.machine, a_high, b_high);
  const auto high_to_low = compare(call.machine, a_high, b_low);
  const auto low_to_high = compare(call.machine, a_low, b_high);
  if (!lows || !highs || !high_to_low || !low_to_high) {
    return call.refuse("the two can't be compared with each other");
  }
  return relation(Pair{a->range, b->range, a->is_point, b->is_point, *lows, *highs, *high_to_low,
                       *low_to_high});
}

constexpr Builtin range_table[] = {
    {"before(point1|range1|point|range: any, point2|range2|range|point: any)",
     relate<before, Points::both>},
    {"after(point1|range1|point|range: any, point2|range2|range|point: any)",
     relate<after, Points::both>},
    {"meets(range1: any, range2: any)", relate<meets, Points::none>},
    {"met by(range1: any, range2: any)", relate<met_by, Points::none>},
    {"overlaps(range1: any, range2: any)", relate<overlaps, Points::none>},
    {"overlaps before(range1: any, range2: any)", relate<overlaps_before, Points::none>},
    {"overlaps after(range1: any, range2: any)", relate<overlaps_after, Points::none>},
    {"finishes(point|range1: any, range|range2: any)", relate<finishes, Points::only_first>},
    {"finished by(range|range1: any, point|range2: any)", relate<finished_by, Points::only_second>},
    {"includes(range|range1: any, point|range2: any)", relate<includes, Points::only_second>},
    {"during(point|range1: any, range|range2: any)", relate<during, Points::only_first>},
    {"starts(point|range1: any, range|range2: any)", relate<starts, Points::only_first>},
    {"started by(range|range1: any, point|range2: any)", relate<started_by, Points::only_second>},
    {"coincides(point1|range1: any, point2|range2: any)", relate<coincides, Points::both>},
};

}  // namespace

std::span<const Builtin> range_builtins() { return range_table; }

}  // namespace pawl::feel

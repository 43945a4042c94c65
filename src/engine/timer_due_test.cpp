// SPDX-License-Identifier: Apache-2.0
#include "engine/timer_due.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fmt/format.h>

namespace pawl::engine {
namespace {

using TimerKind = model::TimerDefinition::Kind;

Instant at(std::string_view text) { return to_instant(*parse_date_time(text)); }
std::string text_of(Instant instant) { return to_string(from_instant(instant)); }
const Instant now = at("2026-01-31T10:00:00Z");

std::string first(TimerKind kind, const Value& value) {
  const auto made = schedule(kind, value, now);
  if (!made) return "refused";
  return text_of(made->due) +
         (made->repetitions == 0 ? "" : fmt::format(" {:+}", made->repetitions));
}

struct DueRow {
  TimerKind kind;
  Value value;
  const char* due;
};

TEST(TimerDue, a_date_is_due_at_that_date) {  // Z366
  const DueRow rows[] = {
      {TimerKind::date, "2030-01-31T12:00:00Z", "2030-01-31T12:00:00Z"},
      {TimerKind::date, "2030-01-31T12:00:00+02:00", "2030-01-31T10:00:00Z"},
      {TimerKind::date, "2030-07-31T12:00:00@Europe/Berlin", "2030-07-31T10:00:00Z"},
      {TimerKind::date, "2030-07-31T12:00:00+02:00[Europe/Berlin]", "2030-07-31T10:00:00Z"},
      {TimerKind::date, "2030-01-31T12:00:00Z[UTC]", "2030-01-31T12:00:00Z"},
      {TimerKind::date, "2030-01-31T12:00", "2030-01-31T12:00:00Z"},
      {TimerKind::date, "2030-01-31", "2030-01-31T00:00:00Z"},
      {TimerKind::date, "1999-01-31T00:00:00Z", "1999-01-31T00:00:00Z"},  // Z379: fires at once
      {TimerKind::date, *parse_date_time("2030-01-31T12:00:00Z"), "2030-01-31T12:00:00Z"},
      {TimerKind::date, *parse_date("2030-01-31"), "2030-01-31T00:00:00Z"},
  };
  for (const DueRow& row : rows)
    EXPECT_EQ(first(row.kind, row.value), row.due) << preview(row.value);
}

TEST(TimerDue, a_duration_is_due_so_much_later) {  // Z365, Z367
  const DueRow rows[] = {
      {TimerKind::duration, "PT15M", "2026-01-31T10:15:00Z"},
      {TimerKind::duration, "P1DT2H", "2026-02-01T12:00:00Z"},
      {TimerKind::duration, "P2W", "2026-02-14T10:00:00Z"},
      {TimerKind::duration, "P1M", "2026-02-28T10:00:00Z"},
      {TimerKind::duration, "P1Y1M1DT1H", "2027-03-01T11:00:00Z"},  // 28 February and a day
      {TimerKind::duration, "P1MT5M", "2026-02-28T10:05:00Z"},
      {TimerKind::duration, "PT0S", "2026-01-31T10:00:00Z"},
      {TimerKind::duration, "-PT1H", "2026-01-31T09:00:00Z"},
      {TimerKind::duration, "-P1M1D", "2025-12-30T10:00:00Z"},
      {TimerKind::duration, "PT0.25S", "2026-01-31T10:00:00.25Z"},
      {TimerKind::duration, "PT0.0001S", "2026-01-31T10:00:00.001Z"},  // never early
      {TimerKind::duration, *parse_day_time("PT1H"), "2026-01-31T11:00:00Z"},
      {TimerKind::duration, *parse_year_month("P1Y"), "2027-01-31T10:00:00Z"},
  };
  for (const DueRow& row : rows)
    EXPECT_EQ(first(row.kind, row.value), row.due) << preview(row.value);
}

TEST(TimerDue, a_cycle_begins_after_one_interval_or_at_its_start) {  // Z370, Z377, Z378, Z380
  const DueRow rows[] = {
      {TimerKind::cycle, "R3/PT1H", "2026-01-31T11:00:00Z +2"},
      {TimerKind::cycle, "R/PT1H", "2026-01-31T11:00:00Z -1"},
      {TimerKind::cycle, "R1/PT1H", "2026-01-31T11:00:00Z"},
      {TimerKind::cycle, "R0/PT1H", "2026-01-31T11:00:00Z"},
      {TimerKind::cycle, "R3/2026-02-01T00:00:00Z/PT1H", "2026-02-01T00:00:00Z +2"},
      {TimerKind::cycle, "R/2026-02-01T00:00:00@Europe/Berlin/P1D", "2026-01-31T23:00:00Z -1"},
      {TimerKind::cycle, "R3/2020-01-01T00:00:00Z/PT1H", "2026-01-31T10:00:00Z +2"},  // passed: now
      {TimerKind::cycle, "0 0 9 * * *", "2026-02-01T09:00:00Z -1"},
  };
  for (const DueRow& row : rows)
    EXPECT_EQ(first(row.kind, row.value), row.due) << preview(row.value);
}

TEST(TimerDue, refuses_what_is_no_time_of_that_kind) {  // Z371, Z372
  const std::pair<TimerKind, Value> rows[] = {
      {TimerKind::date, Value()},
      {TimerKind::date, 5},
      {TimerKind::date, "tomorrow"},
      {TimerKind::date, "2030-02-30T00:00:00Z"},
      {TimerKind::date, "12030-01-31T00:00:00Z"},
      {TimerKind::date, *parse_day_time("PT1H")},
      {TimerKind::duration, Value()},
      {TimerKind::duration, 5},
      {TimerKind::duration, ""},
      {TimerKind::duration, "P"},
      {TimerKind::duration, "1h"},
      {TimerKind::duration, "P99999Y"},
      {TimerKind::duration, "PT99999999999999999S"},
      {TimerKind::duration, *parse_date_time("2030-01-31T12:00:00Z")},
      {TimerKind::duration, DayTimeDuration{INT64_MIN, 0}},
      {TimerKind::duration, YearMonthDuration{INT64_MIN}},
      {TimerKind::cycle, Value()},
      {TimerKind::cycle, 3},
      {TimerKind::cycle, "PT1H"},
      {TimerKind::cycle, "R3"},
      {TimerKind::cycle, "R3/PT0S"},
      {TimerKind::cycle, "R3/-PT1H"},
      {TimerKind::cycle, "R-1/PT1H"},
      {TimerKind::cycle, "Rx/PT1H"},
      {TimerKind::cycle, "R3/PT1H/2030-01-31T12:00:00Z"},
      {TimerKind::cycle, "0 0 0 30 2 *"},
  };
  for (const auto& [kind, value] : rows) EXPECT_EQ(first(kind, value), "refused") << preview(value);
}

TEST(TimerDue, says_what_it_wanted_and_what_it_got) {
  const auto refused = schedule(TimerKind::duration, Value(5), now);
  EXPECT_EQ(refused.error().text,
            "must give a duration, such as PT15M or P1DT2H, as duration or text, but gave 5 "
            "(number)");
}

struct Series {
  const char* cycle;
  std::vector<const char*> dues;
};

TEST(TimerDue, each_time_follows_from_the_one_before) {  // Z370, Z378
  const Series rows[] = {
      {"R/PT1H", {"2026-01-31T11:00:00Z", "2026-01-31T12:00:00Z", "2026-01-31T13:00:00Z"}},
      // The end of a month does not stick to the 28th.
      {"R/P1M", {"2026-02-28T10:00:00Z", "2026-03-31T10:00:00Z", "2026-04-30T10:00:00Z"}},
      {"R/P1M1DT1H", {"2026-03-01T11:00:00Z", "2026-04-02T12:00:00Z", "2026-05-03T13:00:00Z"}},
      {"R/2026-02-01T00:00:00Z/P1D", {"2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z"}},
      // Months keep the time of day in their zone.
      {"R/2026-02-15T08:00:00@Europe/Berlin/P1M",
       {"2026-02-15T07:00:00Z", "2026-03-15T07:00:00Z", "2026-04-15T06:00:00Z"}},
      {"R/2020-01-01T00:00:00Z/PT7S", {"2026-01-31T10:00:00Z", "2026-01-31T10:00:07Z"}},
      {"0 30 9 L * *", {"2026-02-28T09:30:00Z", "2026-03-31T09:30:00Z"}},
  };
  for (const Series& row : rows) {
    const auto made = schedule(TimerKind::cycle, Value(row.cycle), now);
    ASSERT_TRUE(made) << row.cycle;
    Instant due = made->due;
    for (const char* wanted : row.dues) {
      EXPECT_EQ(text_of(due), wanted) << row.cycle;
      due = *next_due(made->cycle, due);
    }
  }
}

TEST(TimerDue, the_next_time_is_always_later) {
  const bool held = rc::check([] {
    const auto months = *rc::gen::inRange(0, 30);
    const auto seconds = *rc::gen::inRange(months == 0 ? 1 : 0, 5'000'000);
    const auto start = *rc::gen::inRange<std::int64_t>(-2'000'000'000, 4'000'000'000);
    const Instant begin{std::chrono::seconds(start)};
    const std::string cycle =
        months == 0 ? fmt::format("R/PT{}S", seconds) : fmt::format("R/P{}MT{}S", months, seconds);
    const auto made = schedule(TimerKind::cycle, Value(cycle), begin);
    RC_ASSERT(made.has_value());
    RC_ASSERT(made->due > begin);
    Instant due = made->due;
    for (int i = 0; i < 30; ++i) {
      const auto next = next_due(made->cycle, due);
      RC_ASSERT(next.has_value());
      RC_ASSERT(*next > due);
      due = *next;
    }
  });
  EXPECT_TRUE(held);
}

TEST(TimerDue, any_text_is_refused_or_has_times_that_grow) {
  const std::string letters = "RPTYMWDHSZ0123456789/:-+.[]@ *,#L?";
  const bool held = rc::check([&] {
    std::string text = *rc::gen::element<std::string>("", "R/", "R9/P", "0 0 ", "2030-01-01T", "P");
    text += *rc::gen::container<std::string>(rc::gen::elementOf(letters));
    for (const TimerKind kind : {TimerKind::date, TimerKind::duration, TimerKind::cycle}) {
      const auto made = schedule(kind, Value(text), now);
      if (!made || made->repetitions == 0) continue;
      const auto next = next_due(made->cycle, made->due);
      RC_ASSERT(!next || *next > made->due);
    }
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pawl::engine

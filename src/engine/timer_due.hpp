// SPDX-License-Identifier: Apache-2.0
// When a timer is due: at a date, after a duration, or again and again (ISO 8601 cycles and cron).
// Pure arithmetic. The next time of a cycle is counted from the one before, never from the clock,
// and is always later than that.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "model/process.hpp"

namespace pawl::engine {

struct Schedule {
  Instant due{};
  std::int32_t repetitions{0};  // that follow; -1: without end
  std::string cycle{};          // for next_due; empty if none follows
};

// What an expression gave for a timer of this kind, seen from `now`. Dates and durations may be
// values or texts. The error is the end of a sentence: "must be a duration such as …".
Result<Schedule> schedule(model::TimerDefinition::Kind kind, const Value& value, Instant now);

// The time after `previous`; nullopt: there is none. `cycle` is that of a Schedule.
std::optional<Instant> next_due(std::string_view cycle, Instant previous);

}  // namespace pawl::engine

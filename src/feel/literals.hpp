// SPDX-License-Identifier: Apache-2.0
// Texts of dates, times and durations as FEEL accepts them. On top of what `value` reads: times
// without seconds or with a leading "T", the hour 24:00:00, zones in Java's form
// (+02:00[Europe/Berlin]), durations with signs inside ("P-1D"). Weeks are refused, as in FEEL.
#pragma once

#include <optional>
#include <string_view>

#include "value/value.hpp"

namespace pawl::feel {

std::optional<Date> date_from_text(std::string_view text);
std::optional<Time> time_from_text(std::string_view text);
std::optional<DateTime> date_time_from_text(std::string_view text);  // a date alone is midnight
Value duration_from_text(std::string_view text);                     // null if it is none

// The content of @"…": a date, time, date and time or duration; else null.
Value parse_temporal(std::string_view text);

}  // namespace pawl::feel

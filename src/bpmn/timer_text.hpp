// SPDX-License-Identifier: Apache-2.0
// Whether a text is a date, a duration or a cycle as timers write them (ISO 8601; cycles also as
// cron). Only the form is looked at; the engine computes with it.
#pragma once

#include <string_view>

namespace pawl::bpmn {

bool is_duration_text(std::string_view text);  // PT5M, P1Y2M3DT4H, P2W
bool is_date_text(std::string_view text);      // 2024-02-29T10:30:00Z; parts may be missing
bool is_cycle_text(std::string_view text);     // R3/PT10S, R/2024-01-01T00:00:00Z/P1D, 0 0 9 * * ?

}  // namespace pawl::bpmn

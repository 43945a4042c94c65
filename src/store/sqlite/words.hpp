// SPDX-License-Identifier: Apache-2.0
// The words that the tables use for states and kinds, so that people can read and filter them.
#pragma once

#include <string_view>

#include "store/index.hpp"

namespace pawl::store::sqlite {

std::string_view name_of(InstanceState state);
std::string_view name_of(JobAvailability availability);
std::string_view name_of(TimerKind kind);
std::string_view name_of(engine::MailKind kind);

// The other way round; an unknown word gives the first value.
InstanceState instance_state(std::string_view name);
JobAvailability job_availability(std::string_view name);
TimerKind timer_kind(std::string_view name);
engine::MailKind mail_kind(std::string_view name);

}  // namespace pawl::store::sqlite

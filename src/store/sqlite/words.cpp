// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/words.hpp"

#include <array>

namespace pawl::store::sqlite {
namespace {

using Words = std::array<std::string_view, 3>;

constexpr Words states{"active", "completed", "terminated"};
constexpr Words availabilities{"activatable", "backing_off", "out_of_retries"};
constexpr Words timer_kinds{"element", "job_retry", ""};
constexpr Words mail_kinds{"message", "signal", ""};

template <class E>
std::string_view word_for(const Words& words, E value) {
  return words[static_cast<std::size_t>(value)];
}

template <class E>
E value_of(const Words& words, std::string_view name) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name) return static_cast<E>(i);
  }
  return E{};
}

}  // namespace

std::string_view name_of(InstanceState state) { return word_for(states, state); }
std::string_view name_of(JobAvailability availability) {
  return word_for(availabilities, availability);
}
std::string_view name_of(TimerKind kind) { return word_for(timer_kinds, kind); }
std::string_view name_of(engine::MailKind kind) { return word_for(mail_kinds, kind); }

InstanceState instance_state(std::string_view name) {
  return value_of<InstanceState>(states, name);
}
JobAvailability job_availability(std::string_view name) {
  return value_of<JobAvailability>(availabilities, name);
}
TimerKind timer_kind(std::string_view name) { return value_of<TimerKind>(timer_kinds, name); }
engine::MailKind mail_kind(std::string_view name) {
  return value_of<engine::MailKind>(mail_kinds, name);
}

}  // namespace pawl::store::sqlite

// SPDX-License-Identifier: Apache-2.0
// Deliberate faults. A build with PAWL_MUTATIONS can switch one on, and the simulator must then
// find it: this is how we know that it would find a real one. In every other build they do not
// exist.
#pragma once

#include <cstdint>

namespace pawl::runtime {

enum class Mutation : std::uint8_t {
  none,
  reply_before_commit,       // callers are told before the journal has it
  effects_before_commit,     // jobs leave before the journal has the turn
  keep_state_after_failure,  // turns of a failed commit stay in memory
  ignore_fence,              // late answers count
  lose_timer,                // one timer is left out when they are read back
  fire_timer_early,          // a second too soon
  redeliver_message,         // a taken message stays in the mailbox
  forget_offer,              // a message that was given at once is not given again after a crash
  skip_index_record,         // the index passes over one record
  apply_twice,               // recovery applies the last turn twice
  lose_continue,             // a turn that was cut is not continued after a restart
  duplicate_start,           // the name of an instance is not checked
  drop_job_on_expiry,        // a lease that runs out takes the job with it
  reuse_keys,                // after a restart keys begin where the last durable snapshot was
  start_child_twice,         // a call starts two instances
  lose_answer,               // after a restart an ended child does not answer its caller
  count,
};

#ifdef PAWL_MUTATIONS
inline Mutation active_mutation = Mutation::none;
inline bool mutated(Mutation mutation) { return active_mutation == mutation; }
#else
constexpr bool mutated(Mutation) { return false; }
#endif

}  // namespace pawl::runtime

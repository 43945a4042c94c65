// SPDX-License-Identifier: Apache-2.0
// Models: the processes that the benchmarks run, as BPMN.
#pragma once

#include <string>

namespace pawl::bench {

std::string jobs_in_sequence(int count);  // each of type "work"
std::string jobs_in_parallel(int count);  // iterations of one task, joined
std::string timer_at_due();               // waits until the time in its variable "due"
std::string message_with_id();            // waits for "go" with the key in its variable "id"
std::string timer_then_job();             // the same, then a job
std::string message_then_job();
std::string scripts_in_sequence(int count);  // x := x + 1
std::string scripts_in_loop(int count);      // parallel iterations of one script, joined

}  // namespace pawl::bench

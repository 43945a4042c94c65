// SPDX-License-Identifier: Apache-2.0
// Runs a shell command as a filter: text in on standard input, text out. Output beyond a limit or a
// command that outlives its time ends it.
#pragma once

#include <atomic>
#include <string>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace pawl::cli {

inline constexpr int throws_bpmn_error = 42;  // exit code of a command that does a job

struct Filtered {
  int exit_code{0};  // 128 + signal if a signal ended it
  std::string output{};
  std::string errors{};
};

// It does not see PAWL_TOKEN, PAWL_USER and PAWL_PASSWORD. Error: machine trouble (no process, no
// pipe), or invalid_state when time ran out or `stopped` became true and it did not end at once;
// then the command was ended.
Result<Filtered> run_filter(const std::string& command, std::string_view input, Millis timeout,
                            std::size_t output_limit = limits::json_bytes,
                            const std::atomic<bool>* stopped = nullptr);

// The code of the BPMN error that a command throws: the first line of its standard error. Error
// invalid_state if that is empty: such a command has failed.
Result<std::string> thrown_code(const Filtered& ran);

// What a command that failed has to say: its exit code, in words if the shell means something by
// it, and the last lines of its standard error.
std::string failure_of(const Filtered& ran);

}  // namespace pawl::cli

// SPDX-License-Identifier: Apache-2.0
// Metrics: what the server counts itself: how often each operation was asked, how it ended and how
// long it took. What the runtime and the store know is added when somebody looks.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "server/rejection.hpp"

namespace pawl::server {

enum class Operation : std::uint8_t {
  deploy,
  start,
  start_and_wait,
  cancel,
  set_variables,
  resolve_incident,
  activate_jobs,
  stream_jobs,
  complete_job,
  fail_job,
  throw_error,
  update_retries,
  update_lease,
  publish,
  correlate,
  broadcast,
  add_iterations,
  end_loop,
  remove_iteration,
  activate_activities,
  complete_ad_hoc,
  migrate,
  search,
  count_  // how many there are
};

std::string_view name_of(Operation operation);

class Metrics {
 public:
  using Clock = std::chrono::steady_clock;

  void count(Operation operation, Status status, Clock::time_point since) {
    Row& row = rows_[static_cast<std::size_t>(operation)];
    ++row.outcomes[static_cast<std::size_t>(status) % row.outcomes.size()];
    const auto took = Clock::now() - since;
    row.micros += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  }

  struct Row {
    std::array<std::atomic<std::uint64_t>, 17> outcomes{};  // by the number of the status
    std::atomic<std::uint64_t> micros{0};
  };
  const Row& row(Operation operation) const { return rows_[static_cast<std::size_t>(operation)]; }

  // --- of the moment
  std::atomic<std::int64_t> connections{0};
  std::atomic<std::int64_t> calls{0};          // gRPC calls that are open
  std::atomic<std::int64_t> exchanges{0};      // REST requests that are being answered
  std::atomic<std::int64_t> waiting_polls{0};  // of jobs
  std::atomic<std::int64_t> job_streams{0};
  std::atomic<std::uint64_t> jobs_activated{0};
  std::atomic<std::uint64_t> jobs_given_back{0};

 private:
  std::array<Row, static_cast<std::size_t>(Operation::count_)> rows_{};
};

}  // namespace pawl::server

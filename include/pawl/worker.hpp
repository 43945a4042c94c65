// SPDX-License-Identifier: Apache-2.0
// A worker does the jobs of one type in threads of this process. Its handler returns the results as
// JSON; if it throws a BpmnError, the process catches it; if it throws anything else, the job has
// failed and is tried again later, as often as the model allows.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace pawl {

struct WorkItem {
  std::uint64_t key{0};
  std::string type{};
  std::uint64_t instance{0};
  std::string process{};    // id
  std::string element{};    // id of the task in its diagram
  std::string variables{};  // what the task sees, as a JSON object
  std::string details{};    // of a user task, as JSON: assignee, due date …
  std::map<std::string, std::string> headers{};
  int retries{0};
  std::chrono::system_clock::time_point deadline{};  // then somebody else may get it

  // The job has ended meanwhile, or its time is over: nobody needs the result.
  bool cancelled() const { return (gone && *gone) || std::chrono::system_clock::now() >= deadline; }
  std::shared_ptr<const std::atomic<bool>> gone{};
};

// The results as a JSON object; empty: none.
using Handler = std::function<std::string(const WorkItem&)>;

struct WorkerOptions {
  unsigned threads{1};
  unsigned max_active{32};  // jobs that it has at once
  std::chrono::milliseconds lease{std::chrono::minutes(5)};
  std::chrono::milliseconds first_pause{100};  // after a failure; doubled each time, with jitter
  std::chrono::milliseconds longest_pause{std::chrono::minutes(5)};
};

}  // namespace pawl

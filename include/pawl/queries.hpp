// SPDX-License-Identifier: Apache-2.0
// What the engine can be asked about, as plain data. Data of processes is JSON text.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace pawl {

using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

enum class State : std::uint8_t { active, completed, terminated };

struct InstanceInfo {
  std::uint64_t key{0};
  std::string process{};
  int version{0};
  State state{State::active};
  std::string id{};
  std::string business_id{};
  TimePoint started{};
  TimePoint ended{};
  unsigned incidents{0};  // open ones
  unsigned execution{1};  // counted up by continue-as-new
};

struct InstanceFilter {
  std::optional<State> state{};
  std::string process{};  // empty: any
  std::string id{};
  std::string business_id{};
  std::uint64_t after{0};  // pages: keys greater than this
  std::size_t limit{1'000};
};

struct JobInfo {
  std::uint64_t key{0};
  std::uint64_t instance{0};
  std::string type{};
  int retries{0};
  std::string state{};  // activatable, backing_off, out_of_retries
};

struct IncidentInfo {
  std::uint64_t key{0};
  std::uint64_t instance{0};
  std::string element{};
  std::string type{};  // "CONDITION_ERROR"
  std::string message{};
  TimePoint at{};
};

struct ElementInfo {  // an open element instance
  std::uint64_t key{0};
  std::uint64_t scope{0};
  std::string element{};
  unsigned iteration{0};
  bool body{false};  // of a loop
};

struct LoopInfo {  // a loop that runs: its iterations
  std::uint64_t instance{0};
  std::string element{};
  unsigned done{0};
  unsigned active{0};
  unsigned failed{0};
  unsigned cancelled{0};
  unsigned total{0};  // those that have not begun are in none of the others
};

// Something that happened to an instance and is durable.
struct Happening {
  std::uint64_t position{0};  // in the journal: what is at or before it is durable
  std::uint64_t instance{0};
  TimePoint at{};
  std::string name{};     // "ElementCompleted"
  std::string element{};  // id in the diagram; empty: about no element
  std::string data{};     // JSON object
};

}  // namespace pawl

// SPDX-License-Identifier: Apache-2.0
// How a run ended, for people and for programs (the JSON object of the command's contract).
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/run_record.hpp"
#include "server/view/waiting.hpp"

namespace pawl::cli {

struct RunResult {
  struct Incident {
    std::string element{};
    std::string type{};
    std::string message{};
    Code code{};
    model::Place place{};
    std::string process{};
    std::string file{};
  };

  std::string state{};  // completed, incident, waiting, failed, cancelled
  std::string process{};
  std::string file{};
  Key instance{Key::none};
  Value variables{};
  std::vector<std::string> path{};
  std::vector<Incident> incidents{};
  std::vector<server::Wait> waiting{};
  std::size_t events{0};
  Millis took{0};
  bool timed_out{false};
  Exit exit{Exit::done};
};

RunResult result_of(const runtime::Driver& driver, const RunRecord& record, bool timed_out,
                    Millis took);

void print_json(const RunResult& result);
void print_text(const RunResult& result, const std::vector<std::string>& unawaited);

}  // namespace pawl::cli

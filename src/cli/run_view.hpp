// SPDX-License-Identifier: Apache-2.0
// What `pawl run` shows people: one line per event worth seeing, indented by scope, with the time
// since the start; then the outcome, the variables, and for an incident where, why and what to do.
#pragma once

#include <cstdio>
#include <string>

#include "cli/run_record.hpp"

namespace pawl::cli {

class RunView {
 public:
  RunView(const RunRecord& record, Instant start, bool all_events)
      : record_(record), start_(start), all_events_(all_events) {}

  // Of an instance that goes on and on without waiting only the first lines are shown, and its
  // end; what was left out is counted.
  void show(Instant at, const engine::Event& event);
  void finish();  // nothing more comes

 private:
  struct Line {
    Key key{Key::none};  // whose depth and name it has
    std::string verb{};  // "done", "enters" …
    std::string details{};
    bool only_traced{false};
  };
  Line line_of(const engine::Event& event) const;
  Line wait_line_of(const engine::Event& event) const;

  bool is_left_out(const Line& line);
  void tell_left_out();

  std::size_t since_wait_{0};  // lines
  std::size_t left_out_{0};    // and not told yet
  const RunRecord& record_;
  Instant start_;
  bool all_events_;
};

// "2d 3h", "1.5s", "0s"
std::string span_text(Millis span);

// What an operator can do about it, by the number of the error.
std::string advice_for(Code code);

}  // namespace pawl::cli

// SPDX-License-Identifier: Apache-2.0
// What the commands on a data directory share: opening it for reading, words for states and times,
// keys, and progress of long work.
#pragma once

#include <memory>
#include <string>

#include "cli/command.hpp"
#include "runtime/local.hpp"
#include "server/view/show.hpp"
#include "value/value.hpp"

namespace pawl::cli {

inline constexpr Option data_option{
    .name = "--data", .value = "DIR", .help = "the data directory; default: $PAWL_DATA"};
inline constexpr Option json_option{
    .name = "--json", .value = {}, .help = "prints one JSON value instead of text"};

// Such a command reads a directory if one is named (and no server), else it asks the server.
bool reads_data(const Arguments& arguments);
// Of --data or PAWL_DATA. Error invalid_argument: neither is given.
Result<std::unique_ptr<store::Index>> open_data(const Arguments& arguments);

// Prints the error as a complaint and gives its exit code.
Exit refuse(const Error& error);

Result<Key> key_argument(std::string_view text);
std::string_view name_of(store::InstanceState state);
Result<store::InstanceState> state_argument(std::string_view text);

std::string time_text(Instant instant);  // "2026-01-31T12:00:00Z"
using server::key_value;
using server::time_value;

// On a terminal: a line on standard error that is written over a few times per second.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  runtime::Progress report();

 private:
  std::string what_;
  bool visible_;
  bool written_{false};
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace pawl::cli

// SPDX-License-Identifier: Apache-2.0
// What a `pawl run` command line asks for, checked before anything runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "cli/arguments.hpp"
#include "engine/turn.hpp"
#include "feel/feel.hpp"
#include "script/where.hpp"
#include "value/value.hpp"

namespace pawl::cli {

// How jobs of one type are answered.
struct CompleteWith {
  Value variables{};
};
struct CompleteWithResult {
  feel::Expression expression{};
};  // of the job's variables
struct ThrowCode {
  std::string code{};
};
struct FailWith {
  std::string message{};
};
struct RunCommand {
  std::string command{};
};
using Answer = std::variant<CompleteWith, CompleteWithResult, ThrowCode, FailWith, RunCommand>;

struct RunPlan {
  struct Mail {
    bool is_signal{false};
    std::string address{};  // NAME or NAME:KEY
    Value variables{};
  };
  struct Activation {  // in every run of the ad-hoc sub-process, once
    std::string ad_hoc{};
    std::vector<std::string> elements{};  // empty: it is completed
  };
  std::vector<std::string> files{};
  std::string process{};  // empty: the only executable one
  Value variables{};
  std::map<std::string, Answer, std::less<>> answers{};  // by job type
  std::vector<Mail> mail{};
  std::vector<Activation> activations{};
  std::string data{};  // directory; empty: in memory
  bool resume{false};
  bool real_time{false};
  std::optional<Millis> timeout{};
  engine::Allowance allowance{};
  script::Where scripts{script::Where::inside};
  bool trace{false};
  bool json{false};
};

// Error: invalid_argument and the like, a sentence that names the option.
Result<RunPlan> plan_run(const Arguments& arguments);

// "500ms", "10s", "5m", "2h", "1d" or ISO 8601 ("PT10S").
Result<Millis> duration_argument(std::string_view option, std::string_view text);

}  // namespace pawl::cli

// SPDX-License-Identifier: Apache-2.0
#include "script/in_helper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>

#include "base/limits.hpp"
#include "script/messages.hpp"
#include "script/stopped.hpp"

namespace pawl::script {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The helper stops the script itself when its time is up, and says so; only if it does not, it is
// killed.
constexpr milliseconds grace{50};
constexpr int most_by_the_clock = 10;  // times the budget, by the clock

constexpr std::size_t names_remembered = 16;  // of one program
constexpr std::size_t small_bytes = 1'000;    // of a variable that is sent before it is asked for

// The budget is time on the processor, as inside; a busy machine may let the helper wait.
class Budget final : public Patience {
 public:
  Budget(const Child& child, milliseconds budget)
      : child_(child), budget_(budget), processor_start_(child.processor_time()) {}

  int left() override {
    const auto waited = Clock::now() - start_;
    if (waited < budget_ + grace) return millis(budget_ + grace - waited);
    const auto used = child_.processor_time() - processor_start_;
    if (used >= budget_ || waited >= budget_ * most_by_the_clock) return 0;
    return millis(budget_ - used);
  }

  // One that had to be ended has used all of it.
  std::chrono::nanoseconds used() const {
    return child_.has_ended() ? budget_ : child_.processor_time() - processor_start_;
  }

 private:
  static int millis(Clock::duration wait) {
    return static_cast<int>(std::chrono::ceil<milliseconds>(wait).count());
  }

  const Child& child_;
  milliseconds budget_;
  std::chrono::nanoseconds processor_start_;
  Clock::time_point start_{Clock::now()};
};

Failure failure(Code code, std::string text) {
  return {fail(Whose::operators, code, std::move(text)), std::nullopt};
}

Failure killed(int signal, const Environment& environment) {
  switch (signal) {
    case SIGSYS:
      return failure(Code::script_failed,
                     "the script was stopped: it brought the JavaScript engine to ask the system "
                     "for something that scripts have no right to");
    case SIGXCPU:
      return out_of_time(environment);
    case SIGKILL:
      return failure(Code::script_failed,
                     "the script was stopped: the system has ended the process that it ran in, as "
                     "it does when memory is short");
    case 0:
      return failure(Code::script_failed, "the process that the script ran in has ended");
    default:
      return failure(Code::script_failed,
                     fmt::format("the script was stopped: the JavaScript engine crashed ({}); it "
                                 "may have needed more than {} MB of memory",
                                 strsignal(signal), environment.heap_bytes >> 20));
  }
}

Failure nonsense() {
  return failure(Code::script_failed,
                 "the script was stopped: the process that it ran in no longer answers as it "
                 "should");
}

// One order and its reports, until the last.
class Conversation {
 public:
  Conversation(Child& child, const Program& program, const Environment& environment)
      : child_(child),
        program_(program),
        environment_(environment),
        budget_(child, milliseconds(environment.millis)) {}

  std::variant<Outcome, Failure> run() {
    send(RunProgram{.program = program_.id(),
                    .mode = program_.mode(),
                    .now = environment_.now,
                    .seed = environment_.seed,
                    .millis = environment_.millis,
                    .heap_bytes = environment_.heap_bytes,
                    .variables = likely_variables()});
    // Names that a script asks for twice are known to its helper.
    for (std::size_t questions = 0; questions <= limits::script_names + 1; ++questions) {
      auto report = receive();
      if (!report) return ended();
      if (const auto* needed = std::get_if<NeedVariable>(&*report)) {
        send(variable(needed->name));
        remember(needed->name);
      } else if (std::holds_alternative<NeedSource>(*report)) {
        send(Source{program_.text()});
      } else if (auto* done = std::get_if<Done>(&*report)) {
        return std::move(done->outcome);
      } else if (auto* failed = std::get_if<Failed>(&*report)) {
        // What state the engine is in now is not worth a thought.
        if (failed->failure.error.code == Code::budget_exceeded) child_.end();
        return std::move(failed->failure);
      } else {
        break;
      }
    }
    child_.end();
    return nonsense();
  }

  std::chrono::nanoseconds used() const { return budget_.used(); }

  Result<void> check() {
    send(CheckProgram{program_.id(), program_.mode(), program_.text()});
    const auto report = receive();
    if (!report) return ended().error;
    if (const auto* checked = std::get_if<Checked>(&*report)) {
      if (checked->error) return *checked->error;
      return {};
    }
    child_.end();
    return nonsense().error;
  }

 private:
  void send(const Order& order) {
    const auto state = child_.channel().send(to_bytes(order), &budget_);
    if (state_ == Channel::State::fine) state_ = state;
  }

  std::optional<Report> receive() {
    std::string_view bytes;
    if (state_ == Channel::State::fine) {
      state_ = child_.channel().receive(bytes, limits::script_report_bytes, &budget_);
    }
    if (state_ != Channel::State::fine) return std::nullopt;
    auto report = report_from(bytes);
    if (!report) state_ = Channel::State::garbage;
    return report;
  }

  Failure ended() {
    const int signal = child_.end();
    switch (state_) {
      case Channel::State::late:
        return out_of_time(environment_);
      case Channel::State::closed:
        return killed(signal, environment_);
      default:
        return nonsense();
    }
  }

  // Small ones that it has asked for before. The others wait until it asks.
  std::vector<std::pair<std::string, std::optional<Value>>> likely_variables() const {
    std::vector<std::pair<std::string, std::optional<Value>>> likely;
    for (const std::string& name : child_.names_of(program_.id())) {
      Variable found = variable(name);
      const bool small = !found.value || found.value->encoded_size() <= small_bytes;
      if (found.trouble.empty() && small) likely.emplace_back(name, std::move(found.value));
    }
    return likely;
  }

  void remember(const std::string& name) const {
    auto& names = child_.names_of(program_.id());
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    if (!known && names.size() < names_remembered) names.push_back(name);
  }

  // An exception of the caller's becomes one of the script's.
  Variable variable(const std::string& name) const {
    try {
      auto found = environment_.variables ? environment_.variables->find(name) : std::nullopt;
      if (found && (found->encoded_size() > limits::script_order_bytes / 3 ||
                    found->depth() > limits::json_depth)) {
        return {std::nullopt, "it is too large for a script"};
      }
      return {std::move(found), {}};
    } catch (const std::exception& error) {
      return {std::nullopt, error.what()};
    }
  }

  Child& child_;
  const Program& program_;
  const Environment& environment_;
  Budget budget_;
  Channel::State state_{Channel::State::fine};
};

}  // namespace

std::variant<Outcome, Failure> run_with(Child& child, const Program& program,
                                        const Environment& environment) {
  Conversation conversation(child, program, environment);
  auto outcome = conversation.run();
  if (environment.spent != nullptr) {
    *environment.spent += static_cast<std::uint64_t>(conversation.used().count());
  }
  return outcome;
}

std::variant<Outcome, Failure> run_in_helper(const Program& program,
                                             const Environment& environment) {
  auto lease = Children::instance().take();
  if (!lease) return Failure{lease.error(), std::nullopt};
  return run_with(lease->child(), program, environment);
}

Result<void> check_in_helper(const Program& program) {
  PAWL_TRY(lease, Children::instance().take());
  const Environment environment;
  return Conversation(lease.child(), program, environment).check();
}

}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
#include "cli/run_drive.hpp"

#include <fmt/format.h>

#include <thread>

#include "cli/run_activate.hpp"
#include "cli/run_jobs.hpp"

namespace pawl::cli {
namespace {

using engine::MailKind;

// In virtual time, timers that repeat without end would go on for ever, and so would an instance
// that always continues as new.
constexpr int most_endless_timers = 100;
constexpr std::uint32_t most_executions = 1'000;

class Run {
 public:
  Run(const RunPlan& plan, runtime::Driver& driver, Instant start)
      : plan_(plan), driver_(driver), start_(start), sent_(plan.mail.size()), activations_(plan) {}

  // What the world does next, one thing at a time. False: nothing more can happen.
  Result<bool> go_on() {
    PAWL_CHECK(is_bounded());
    if (driver_.instance().ended == engine::Ended::continued) {
      PAWL_CHECK(driver_.start_next());
      return true;
    }
    if (driver_.has_ended()) return false;
    PAWL_TRY(delivered, deliver_mail());
    if (delivered) return true;
    if (const auto command = activations_.next(driver_)) {
      PAWL_CHECK(driver_.send(*command));
      return true;
    }
    PAWL_TRY(answered, answer_jobs());
    if (answered || timed_out_) return answered && !timed_out_;
    return let_time_pass();
  }

  Driven outcome() const {
    Driven driven{.timed_out = timed_out_};
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      const RunPlan::Mail& mail = plan_.mail[i];
      if (sent_[i]) continue;
      driven.unawaited.push_back(
          fmt::format("{} \"{}\"", mail.is_signal ? "signal" : "message", mail.address));
    }
    for (std::string& one : activations_.unused()) driven.unawaited.push_back(std::move(one));
    return driven;
  }

 private:
  Result<void> is_bounded() const {
    if (driver_.instance().execution - first_execution_ < most_executions) return {};
    return fail(Whose::operators, Code::budget_exceeded,
                fmt::format("process \"{}\" continued as new {} times; does it ever end?",
                            driver_.process()->id, most_executions));
  }

  // NAME alone is for any key.
  const runtime::OpenSubscription* addressee(const RunPlan::Mail& mail) const {
    for (const auto& [key, one] : driver_.subscriptions()) {
      if ((one.kind == MailKind::signal) != mail.is_signal) continue;
      const std::string name = one.name.string();
      if (mail.address == name || mail.address == name + ":" + one.correlation) return &one;
    }
    return nullptr;
  }

  Result<bool> deliver_mail() {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      const RunPlan::Mail& mail = plan_.mail[i];
      const auto* found = sent_[i] ? nullptr : addressee(mail);
      if (!found) continue;
      const runtime::OpenSubscription to = *found;
      sent_[i] = true;
      if (mail.is_signal) {
        PAWL_CHECK(driver_.broadcast(to.name.text(), mail.variables));
      } else {
        PAWL_CHECK(driver_.publish(to.name.text(), to.correlation, mail.variables));
      }
      return true;
    }
    return false;
  }

  Result<bool> answer_jobs() {
    bool answered = false;
    const std::set<Key> open = driver_.open_jobs();
    for (const Key job : open) {
      if (!driver_.open_jobs().contains(job)) continue;
      PAWL_TRY(command, answer_job(plan_, driver_, job));
      if (!command) continue;
      PAWL_CHECK(driver_.send(*command));
      answered = true;
      const auto passed = std::chrono::steady_clock::now() - wall_start_;
      timed_out_ = plan_.timeout && passed > *plan_.timeout;
      // Somebody may wait for mail now; it comes first.
      if (timed_out_ || is_mail_wanted()) break;
    }
    return answered;
  }

  bool is_mail_wanted() const {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (!sent_[i] && addressee(plan_.mail[i])) return true;
    }
    return false;
  }

  bool is_endless(Instant due) const {
    for (const auto& [key, at] : driver_.timers()) {
      if (at == due && driver_.home_of(key).find_timer(key)->repetitions < 0) return true;
    }
    return false;
  }

  Result<bool> let_time_pass() {
    const auto due = driver_.next_due();
    if (!due) return false;
    if (plan_.timeout && *due - start_ > *plan_.timeout) {
      timed_out_ = true;
      return false;
    }
    const bool bounded = plan_.timeout || plan_.real_time;
    if (!bounded && is_endless(*due) && ++endless_timers_ > most_endless_timers) return false;
    if (plan_.real_time) std::this_thread::sleep_until(wall_start_ + (*due - start_));
    PAWL_CHECK(driver_.advance_to(*due));
    return true;
  }

  const RunPlan& plan_;
  runtime::Driver& driver_;
  Instant start_;
  std::chrono::steady_clock::time_point wall_start_{std::chrono::steady_clock::now()};
  std::vector<bool> sent_;  // by place in the plan
  Activations activations_;
  std::uint32_t first_execution_{driver_.instance().execution};
  int endless_timers_{0};
  bool timed_out_{false};
};

}  // namespace

Result<Driven> drive(const RunPlan& plan, runtime::Driver& driver, Instant start) {
  Run run(plan, driver, start);
  for (;;) {
    PAWL_TRY(more, run.go_on());
    if (!more) return run.outcome();
  }
}

}  // namespace pawl::cli

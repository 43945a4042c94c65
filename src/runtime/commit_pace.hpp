// SPDX-License-Identifier: Apache-2.0
// CommitPace: should a commit wait a moment for company? Where many callers ask independently of
// each other, a commit for each costs a write of the disk and a round of wake-ups each; a wait of a
// few milliseconds lets about twenty share one. Where callers wait for their answers before they
// ask again, the wait would only slow them down. Both look the same from here, so it is tried: if
// less is done while commits wait, they stop waiting for a while.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace pawl::runtime {

class CommitPace {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Span = std::chrono::steady_clock::duration;

  explicit CommitPace(Span longest = std::chrono::milliseconds{6}) : longest_(longest) {}

  // An append of so many records is done. Times never go back.
  void note(Time now, std::size_t records) {
    if (now - last_ > quiet) begin_trial(now, false);  // what was seen before says nothing of now
    last_ = now;
    ++commits_;
    records_ += records;
    if (now - began_ >= trial) judge(now);
    const Time slot = waits_ ? last_ + wait_ : Time{};
    slot_.store(slot.time_since_epoch().count(), std::memory_order_relaxed);
  }
  // When the next append should begin; long ago: as soon as there is something to append. Any
  // thread.
  Time slot() const { return Time(Span(slot_.load(std::memory_order_relaxed))); }

 private:
  static constexpr std::chrono::milliseconds trial{100}, quiet{50};
  static constexpr std::chrono::seconds first_rest{2}, longest_rest{60};
  static constexpr double much_company = 20;  // records in a commit: more are not worth a wait
  static constexpr double some_company = 3;   // and in one that has waited: else it was for nothing
  static constexpr double slower = 0.8;       // of what was done without waiting

  void begin_trial(Time now, bool waits) {
    waits_ = waits;
    began_ = now;
    commits_ = records_ = 0;
  }
  void judge(Time now) {
    const double per_second =
        static_cast<double>(records_) / std::chrono::duration<double>(now - began_).count();
    const double company = static_cast<double>(records_) / static_cast<double>(commits_);
    const std::chrono::duration<double> until_many(much_company / per_second);
    wait_ = std::min(longest_, std::chrono::duration_cast<Span>(until_many));
    if (!waits_) {
      without_ = per_second;
      const bool worth = company < much_company / 2 &&
                         per_second * std::chrono::duration<double>(wait_).count() >= some_company;
      return begin_trial(now, worth && now >= rests_until_);
    }
    const bool helped = company >= some_company && per_second >= slower * without_;
    if (helped) {
      rest_ = first_rest;
      without_ = std::min(without_, per_second);  // the load may have become less by itself
      return begin_trial(now, true);
    }
    rests_until_ = now + rest_;
    rest_ = std::min<Span>(rest_ * 2, longest_rest);
    begin_trial(now, false);
  }

  const Span longest_;
  std::atomic<Span::rep> slot_{0};
  bool waits_{false};
  Span wait_{0};
  Time began_{}, last_{};
  std::size_t commits_{0}, records_{0};
  double without_{0};  // records per second when commits did not wait
  Time rests_until_{};
  Span rest_{first_rest};
};

}  // namespace pawl::runtime

// SPDX-License-Identifier: Apache-2.0
#include "runtime/commit_pace.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pawl::runtime {
namespace {

using namespace std::chrono_literals;
using Time = CommitPace::Time;
using Span = CommitPace::Span;

// Commits for `span`; `records(waited)` says what comes together in one that has waited so long.
// Gives how many records were committed, and how often a commit waited.
struct Seen {
  std::size_t records{0}, commits{0}, waited{0};
};
template <class Records>
Seen play(CommitPace& pace, Time& now, Span span, Span append, Records records) {
  Seen seen;
  const Time end = now + span;
  while (now < end) {
    const Span wait = std::max(Span{0}, pace.slot() - now);
    const std::size_t count = records(wait + append);
    now += wait + append;
    pace.note(now, count);
    seen.records += count;
    ++seen.commits;
    seen.waited += wait > 0ms;
  }
  return seen;
}

// So many arrive per millisecond, whatever is answered.
auto arriving(double per_ms) {
  return [per_ms, owed = 0.0](Span took) mutable {
    owed += per_ms * std::chrono::duration<double, std::milli>(took).count();
    const double whole = std::max(1.0, std::floor(owed));
    owed -= whole;
    return static_cast<std::size_t>(whole);
  };
}

TEST(CommitPace, CommitsOfCallersWhoDoNotWaitForEachOtherShareAnAppend) {
  CommitPace pace;
  Time now{1h};
  play(pace, now, 500ms, 600us, arriving(2));
  const Seen seen = play(pace, now, 2s, 600us, arriving(2));
  EXPECT_LT(seen.commits, 400u);  // instead of 3,333
  EXPECT_NEAR(static_cast<double>(seen.records), 4'000, 100);
}

TEST(CommitPace, ACallerWhoAsksAgainWhenItIsAnsweredHardlyWaits) {
  CommitPace pace;
  Time now{1h};
  const Seen seen = play(pace, now, 20s, 300us, [](Span) { return 1u; });
  EXPECT_LT(static_cast<double>(seen.waited) / static_cast<double>(seen.commits), 0.01);
}

TEST(CommitPace, SomeCallersWhoAskAgainWhenTheyAreAnsweredHardlyWait) {
  CommitPace pace;
  Time now{1h};
  const Seen seen = play(pace, now, 60s, 300us, [](Span) { return 6u; });
  EXPECT_LT(static_cast<double>(seen.waited) / static_cast<double>(seen.commits), 0.01);
}

TEST(CommitPace, SeldomCommitsNeverWait) {
  CommitPace pace;
  Time now{1h};
  for (int i = 0; i < 1'000; ++i) {
    now += 20ms;
    EXPECT_LE(pace.slot(), now);
    pace.note(now, 1);
  }
}

TEST(CommitPace, CommitsThatAreLargeAnywayDoNotWait) {
  CommitPace pace;
  Time now{1h};
  EXPECT_EQ(play(pace, now, 5s, 500us, [](Span) { return 100u; }).waited, 0u);
}

TEST(CommitPace, AfterAQuietTimeTheFirstOneDoesNotWait) {
  CommitPace pace;
  Time now{1h};
  play(pace, now, 1s, 600us, arriving(2));
  now += 1s;
  EXPECT_LE(pace.slot(), now);
}

}  // namespace
}  // namespace pawl::runtime

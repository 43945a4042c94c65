// SPDX-License-Identifier: Apache-2.0
// How much time and memory a script has. hostile_test.cpp has those that try to take more.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "script/run_for_test.hpp"
#include "script/script.hpp"

namespace pawl::script {
namespace {

using Clock = std::chrono::steady_clock;

// The sanitizer makes everything slow, and others may use the machine.
constexpr auto longest = std::chrono::seconds(8);

class Budget : public testing::TestWithParam<Where> {
 public:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(Where::inside); }
};

INSTANTIATE_TEST_SUITE_P(, Budget, testing::Values(Where::inside, Where::process), name_of_param);

TEST_P(Budget, says_which_one_is_used_up) {
  EXPECT_EQ(failed("while (true) {}").error.text,
            "the script was stopped: it ran for more than 400 ms");
  EXPECT_EQ(failed("new Uint8Array(1e9).fill(1)").error.text,
            "the script was stopped: it needs more than 64 MB of memory");
  EXPECT_EQ(failed("while (true) {}").error.code, Code::budget_exceeded);
  const auto recursion = failed("function f() { f() } f()");
  EXPECT_EQ(recursion.error.code, Code::budget_exceeded);
  EXPECT_NE(recursion.error.text.find("too much recursion"), std::string::npos);
}

TEST_P(Budget, is_the_callers) {
  Environment environment;
  environment.millis = 30;
  const auto program = Program::compile("while (true) {}", Program::Mode::statements);
  const auto start = Clock::now();
  const auto outcome = run(*program, environment);
  EXPECT_LT(Clock::now() - start, longest);
  EXPECT_EQ(std::get<Failure>(outcome).error.text,
            "the script was stopped: it ran for more than 30 ms");

  environment.millis = 400;
  environment.heap_bytes = 4u << 20;
  const auto array = Program::compile("new Uint8Array(6e6).length", Program::Mode::expression);
  EXPECT_TRUE(std::holds_alternative<Failure>(run(*array, environment)));
  environment.heap_bytes = 8u << 20;
  EXPECT_TRUE(std::holds_alternative<Outcome>(run(*array, environment)));
}

TEST_P(Budget, garbage_does_not_count) {
  EXPECT_EQ(evaluated("(() => { let n = 0; for (let i = 0; i < 100; i++) {"
                      " n += new Uint8Array(4e6).length } return n })()"),
            "400000000");
  EXPECT_EQ(
      evaluated(
          "(() => { let n = 0; for (let i = 0; i < 2000; i++) {"
          " const s = 'x'.repeat(50000) + i; s.charCodeAt(3); n += s.length } return n > 0 })()"),
      "true");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(evaluated("'x'.repeat(8e6).length"), "8000000");
}

TEST_P(Budget, each_thread_has_its_own) {
  std::thread hog([] { failed("while (true) {}"); });
  for (int i = 0; i < 200; ++i) EXPECT_EQ(evaluated("1 + 1"), "2");
  hog.join();
}

TEST(Watchdog, wakes_up_again) {
  Environment environment;
  environment.millis = 20;
  const auto program = Program::compile("while (true) {}", Program::Mode::statements);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it has gone to sleep by now
    EXPECT_TRUE(std::holds_alternative<Failure>(run(*program, environment)));
  }
}

}  // namespace
}  // namespace pawl::script

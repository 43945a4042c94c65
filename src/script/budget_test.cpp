// SPDX-License-Identifier: Apache-2.0
// Scripts that try to take all the time or all the memory there is.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "script/run_for_test.hpp"
#include "script/script.hpp"

namespace pawl::script {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t peak_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) / 1024;
  }
  return 0;
}

// The sanitizer keeps freed memory for a while and makes everything slow.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t most_megabytes = 2000;
constexpr auto longest = std::chrono::milliseconds(8000);
constexpr int budget_millis = 150;
#else
constexpr std::size_t most_megabytes = 300;
constexpr auto longest = std::chrono::milliseconds(1000);
constexpr int budget_millis = 400;  // enough to get at the memory before the time is up
#endif

class Hostile : public testing::TestWithParam<const char*> {};

TEST_P(Hostile, script_is_stopped_and_the_next_one_runs) {
  const auto program = Program::compile(GetParam(), Program::Mode::statements);
  ASSERT_TRUE(program) << program.error().text;
  Environment environment;
  environment.millis = budget_millis;
  const auto start = Clock::now();
  const auto outcome = run(*program, environment);
  const auto took = Clock::now() - start;
  const auto* failure = std::get_if<Failure>(&outcome);
  ASSERT_NE(failure, nullptr) << GetParam();
  EXPECT_FALSE(failure->error.text.empty());
  EXPECT_LT(took, longest) << GetParam() << " -> " << failure->error.text;
  EXPECT_LT(peak_megabytes(), most_megabytes) << GetParam() << " -> " << failure->error.text;
  EXPECT_EQ(evaluated("[1, 2].map(x => x + 1)"), "[2,3]");
}

INSTANTIATE_TEST_SUITE_P(
    Time, Hostile,
    testing::Values(
        "while (true) {}", "for (;;) try { throw 1 } catch (e) {}",
        "while (true) { try { while (true) {} } catch (e) {} finally { continue } }",
        "function f() { f() } f()", "function f() { try { f() } catch (e) { f() } } f()",
        "const f = () => { try { f() } finally { f() } }; f()",
        "/^(a+)+$/.test('a'.repeat(40) + 'b')", "/(x+x+)+y/.exec('x'.repeat(60))",
        "/(?:a|aa)+$/.exec('a'.repeat(5000) + 'b')",
        "function f() { Promise.resolve().then(f) } f()",
        "(async () => { while (true) await null })()",
        "const g = (function*() { while (true) yield 1 })(); for (const x of g) {}",
        "_context.x = { get y() { while (true) {} } }", "throw { toString() { while (true) {} } }",
        "_context.x = new Proxy({}, { ownKeys() { while (true) {} } })",
        "[1, 2, 3].sort(() => { while (true) {} })",
        "new Array(1e9).indexOf(5); new Array(4e9).join()", "let x = 1n; while (true) x = x * 3n",
        "'x'.repeat(1e6).replace(/x/g, () => { while (true) {} })",
        "_context.x = new Proxy([], { get(t, k) { return k === 'length' ? 1 : new Proxy([], this) "
        "} })",
        "eval('while (true) {}')", "new Function('while (true) {}')()",
        "Array.from({ length: 1e12 })", "JSON.stringify({ toJSON() { while (true) {} } })"));

INSTANTIATE_TEST_SUITE_P(
    Memory, Hostile,
    testing::Values(
        "'x'.repeat(1 << 30)", "'x'.repeat((1 << 30) - 2).charCodeAt(5)",
        "JSON.stringify('x'.repeat(1 << 29))",
        "let s = 'xy'; while (true) { s += s; s.charCodeAt(1) }",
        "let s = 'xy'; while (true) s += s",
        "const a = []; while (true) a.push('x'.repeat(50000) + a.length); ",
        "const a = []; while (true) { const s = 'x'.repeat(50000) + a.length; s.charCodeAt(9); "
        "a.push(s) }",
        "const a = []; while (true) a.push(a.length)",
        "const a = []; while (true) a.push({ a: [1] })", "new Uint8Array(1e9).fill(1)",
        "new ArrayBuffer(2 ** 31 - 1)",
        "const a = []; while (true) a.push(new Uint8Array(1e6).fill(1))",
        "const a = []; while (true) a.push(new Uint8Array(1000).fill(1))", "new Array(1e8).fill(0)",
        "Array(2 ** 27).fill().map(Math.random)",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, i)",
        "const o = {}; for (let i = 0; ; i++) o['k' + i] = i",
        "let n = 1n; while (true) n = n << 100000n",
        "const a = []; while (true) try { a.push('x'.repeat(1e7).split('')) } catch (e) {}",
        "let o = {}; while (true) o = { o }", "'x'.repeat(1e8).split('')",
        "'x'.repeat(2 ** 28).replace(/x/g, 'yyyy')", "encodeURIComponent('%'.repeat(2 ** 28))",
        "JSON.parse('[' + '1,'.repeat(3e7) + '1]')",
        "const a = new Array(5e6).fill('abcdefghij'); while (true) a.join('').charCodeAt(0)",
        "'ab'.repeat(2 ** 27).toUpperCase()", "'a'.repeat(2 ** 28).normalize('NFD')",
        "function f() { return Promise.resolve().then(f).then(f) } f()",
        "new Array(2 ** 26).fill(1).sort()", "String.fromCharCode(...new Array(1e7))",
        "const r = []; while (true) r.push(new RegExp('a'.repeat(1000) + r.length).test('b'))",
        "let s = ''; while (true) s = eval('(function() { return ' + s.length + ' })') && s + "
        "'abcdefgh'.repeat(1000)"));

TEST(Budget, says_which_one_is_used_up) {
  EXPECT_EQ(failed("while (true) {}").error.text,
            "the script was stopped: it ran for more than 400 ms");
  EXPECT_EQ(failed("new Uint8Array(1e9).fill(1)").error.text,
            "the script was stopped: it needs more than 64 MB of memory");
  EXPECT_EQ(failed("while (true) {}").error.code, Code::budget_exceeded);
  const auto recursion = failed("function f() { f() } f()");
  EXPECT_EQ(recursion.error.code, Code::budget_exceeded);
  EXPECT_NE(recursion.error.text.find("too much recursion"), std::string::npos);
}

TEST(Budget, is_the_callers) {
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

TEST(Budget, garbage_does_not_count) {
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

TEST(Budget, each_thread_has_its_own) {
  std::thread hog([] { failed("while (true) {}"); });
  for (int i = 0; i < 200; ++i) EXPECT_EQ(evaluated("1 + 1"), "2");
  hog.join();
}

TEST(Budget, the_watchdog_wakes_up_again) {
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

// SPDX-License-Identifier: Apache-2.0
// Scripts that try to take all the time or all the memory there is. Each must end when its budget
// does, by processor time, because others may use the machine; then the next script runs.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <string>

#include "script/processor_time.hpp"
#include "script/run_for_test.hpp"
#include "script/script.hpp"
#include "script/where.hpp"

namespace pawl::script {
namespace {

using std::chrono::milliseconds;

// The sanitizer keeps freed memory for a while and makes everything slow.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t most_megabytes = 2000;
constexpr milliseconds most_more{5000};
#else
constexpr std::size_t most_megabytes = 300;
constexpr milliseconds most_more{100};
#endif
constexpr milliseconds a_start{100};  // of a helper; its time is counted as well

struct Row {
  const char* text;
  // Some things the engine does in one go, and nobody can interrupt it; docs/operations.md lists
  // them. Only a process can be ended then.
  bool only_in_a_process{false};
};

constexpr bool only_in_a_process = true;

constexpr Row time_rows[] = {
    // loops, and what tries to go on after the end
    {"while (true) {}"},
    {"for (;;) try { throw 1 } catch (e) {}"},
    {"while (true) { try { while (true) {} } catch (e) {} finally { continue } }"},
    {"a: while (true) { try { while (true) {} } finally { continue a } }"},
    {"function f() { try { while (true) {} } finally { f() } } f()"},
    {"try { while (true) {} } catch (e) { while (true) {} } finally { while (true) {} }"},
    {"for (;;) Date.now()"},
    {"const end = Date.now() + 1000; while (Date.now() < end) {}"},
    {"for (;;) new Date().toLocaleString()"},
    {"for (const x of (function*() { while (true) yield 1 })()) {}"},
    {"const g = (function*() { try { while (true) yield 1 } finally { for (;;) {} } })();"
     "g.next(); g.return()"},
    {"[...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }].length"},
    {"new Set({ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) })"},
    // microtasks
    {"function f() { Promise.resolve().then(f) } f()"},
    {"(async () => { while (true) await null })()"},
    {"const t = { then(r) { r(t) } }; Promise.resolve(t)"},
    {"(async () => { for await (const x of (async function*() { while (true) yield 1 })()) {} "
     "})()"},
    // recursion
    {"function f() { f() } f()"},
    {"function f() { try { f() } catch (e) { f() } } f()"},
    {"const f = () => { try { f() } finally { f() } }; f()"},
    {"const o = {}; o.toString = () => '' + o; '' + o"},
    {"let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x"},
    {"let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f(); while (true) {}"},
    {"let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.toString(); while (true) {}"},
    {"let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)"},
    {"let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a.flat(Infinity); while (true) {}"},
    // hooks while the result is taken
    {"_context.x = { get y() { while (true) {} } }"},
    {"_context.x = new Proxy({}, { ownKeys() { while (true) {} } })"},
    {"_context.x = new Proxy({}, { getOwnPropertyDescriptor() { while (true) {} },"
     " ownKeys: () => ['a'] })"},
    {"_context.x = new Proxy([], { get(t, k) { return k === 'length' ? 1 : new Proxy([], this) } "
     "})"},
    {"_context.x = new Proxy([], { get: (t, k) => k === 'length' ? 999999 : [] })"},
    {"const d = new Date(); d.valueOf = () => { while (true) {} }; _context.x = d"},
    {"const n = new Number(1); n.valueOf = () => { while (true) {} }; _context.x = n"},
    {"const n = new Number(1); n.valueOf = () => n; n.toString = () => { for (;;) {} };"
     "_context.x = n"},
    {"throw { toString() { while (true) {} } }"},
    {"throw { get name() { while (true) {} } }"},
    {"const e = new Error('x'); Object.defineProperty(e, 'message', { get() { for (;;) {} } });"
     "throw e"},
    {"_context[{ [Symbol.toPrimitive]() { while (true) {} } }] = 1"},
    {"execution.getVariable({ toString() { while (true) {} } })"},
    {"+{ valueOf() { while (true) {} } }"},
    {"`${{ toString() { while (true) {} } }}`"},
    {"[1, 2, 3].sort(() => { while (true) {} })"},
    {"'x'.repeat(1e6).replace(/x/g, () => { while (true) {} })"},
    {"JSON.stringify({ toJSON() { while (true) {} } })"},
    {"JSON.parse('[1]', () => { while (true) {} })"},
    {"Array.from({ length: 1e12 })"},
    {"Reflect.ownKeys(new Proxy({}, { ownKeys() { while (true) {} } }))"},
    {"class A { static [Symbol.hasInstance]() { while (true) {} } } 1 instanceof A"},
    // code from text
    {"eval('while (true) {}')"},
    {"new Function('while (true) {}')()"},
    {"for (let i = 0; ; i++) eval('(function f' + i + '() {})')"},
    {"let t = '0'; for (let i = 0; i < 40; i++) t = '(a=' + t + ')=>0'; eval(t)",
     only_in_a_process},
    // regular expressions
    {"/^(a+)+$/.test('a'.repeat(40) + 'b')"},
    {"/(x+x+)+y/.exec('x'.repeat(60))"},
    {"/(?:a|aa)+$/.exec('a'.repeat(5000) + 'b')"},
    {"/(?=a*)b/.test('a'.repeat(1e6))"},
    {"/(?<=a*)b/.test('a'.repeat(1e6))"},
    {"/(a*)*\\1b/.test('a'.repeat(1e5))"},
    {"'a'.repeat(1e6).replace(/a*b/g, '')"},
    {"'a'.repeat(1e5).split(/(?:a*)*b/)"},
    {"new RegExp('(?:a{0,99}){0,99}'.repeat(5000)).test('a')", only_in_a_process},
    {"new RegExp('[\\\\p{L}]'.repeat(20000), 'u').test('a')", only_in_a_process},
    // arrays with holes, and what says that it is one
    {"new Array(1e9).indexOf(5); new Array(4e9).join()"},
    {"Array(2 ** 32 - 1).forEach(x => 1)"},
    {"Array(2 ** 32 - 1).concat(Array(2 ** 32 - 1))"},
    {"Array(2 ** 32 - 1).splice(0, 1)"},
    {"Array(2 ** 32 - 1).shift()"},
    {"Array(2 ** 32 - 1).flat()"},
    {"Array(2 ** 32 - 1).copyWithin(0, 1)"},
    {"Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"},
    {"Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)"},
    {"Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)"},
    {"Array.prototype.reverse.call({ length: 2 ** 53 - 1 })"},
    {"Array.prototype.join.call({ length: 2 ** 53 - 1 }, '')"},
    {"[].concat({ length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true })"},
    {"const a = []; a[4294967290] = 1; a.sort(); a.reverse(); while (true) a.indexOf(2)"},
    {"for (;;) new Uint8Array(5e6).indexOf(1)"},
    {"const u = new Float64Array(3e6); for (;;) u.sort((a, b) => b - a)"},
    {"const u = new Uint8Array(6e7); for (;;) u.copyWithin(0, 1)"},
    // large numbers
    {"let x = 1n; while (true) x = x * 3n"},
    {"let x = 2n ** 100000n; for (;;) x = (x * x) % (2n ** 100000n + 1n)"},
    {"for (;;) (3n ** 10000n).toString()"},
    {"(2n ** 1048575n).toString().length", only_in_a_process},
    {"BigInt('9'.repeat(300000)) > 1n", only_in_a_process},
    {"1n < '9'.repeat(300000)", only_in_a_process},
    {"const x = 3n ** 660000n; x / (3n ** 330000n)", only_in_a_process},
    // long texts
    {"'a'.repeat(3e7).indexOf('a'.repeat(3e4) + 'b')", only_in_a_process},
    {"'a'.repeat(3e7).includes('b' + 'a'.repeat(200))", only_in_a_process},
    {"'a'.repeat(3e6).replace('a'.repeat(3e3) + 'b', '')", only_in_a_process},
    {"new RegExp('b' + 'a'.repeat(200)).test('a'.repeat(5e7)); for (;;) {}", only_in_a_process},
    {"('a' + '\\u0300\\u0316'.repeat(1e6)).normalize('NFC')", only_in_a_process},
    {"for (;;) '\\u1e9b\\u0323'.repeat(1e5).normalize('NFKD')"},
    {"for (;;) 'a'.repeat(1e5).localeCompare('b'.repeat(1e5))"},
    {"for (;;) 'ä'.repeat(1e5).toLocaleUpperCase('de')"},
    {"for (;;) new Intl.NumberFormat('de').format(1e6)"},
    {"for (;;) JSON.parse(JSON.stringify(new Array(1e5).fill('abc')))"},
    {"for (;;) encodeURIComponent('ä'.repeat(1e5))"},
};

constexpr Row memory_rows[] = {
    {"'x'.repeat(1 << 30)"},
    {"'x'.repeat((1 << 30) - 2).charCodeAt(5)"},
    {"'x'.padStart(2 ** 29).charCodeAt(5)"},
    {"JSON.stringify('x'.repeat(1 << 29))"},
    {"let s = 'xy'; while (true) { s += s; s.charCodeAt(1) }"},
    {"let s = 'xy'; while (true) s += s"},
    {"const a = []; while (true) a.push('x'.repeat(50000) + a.length); "},
    {"const a = []; while (true) { const s = 'x'.repeat(50000) + a.length; s.charCodeAt(9); "
     "a.push(s) }"},
    {"const a = []; while (true) a.push(a.length)"},
    {"const a = []; while (true) a.push({ a: [1] })"},
    {"const a = []; while (true) a.push(Symbol('x'))"},
    {"const a = []; while (true) a.push(() => a)"},
    {"const a = []; while (true) a.push(new Date())"},
    {"new Uint8Array(1e9).fill(1)"},
    {"new ArrayBuffer(2 ** 31 - 1)"},
    {"const a = []; while (true) a.push(new Uint8Array(1e6).fill(1))"},
    {"const a = []; while (true) a.push(new Uint8Array(1000).fill(1))"},
    {"const a = []; while (true) a.push(new ArrayBuffer(100))"},
    {"new Array(1e8).fill(0)"},
    {"Array(2 ** 27).fill().map(Math.random)"},
    {"Array(2 ** 32 - 1).sort()"},
    {"const m = new Map(); for (let i = 0; ; i++) m.set(i, i)"},
    {"const m = new WeakMap(); const k = []; for (;;) { k.push({}); m.set(k[k.length - 1], k) }"},
    {"const o = {}; for (let i = 0; ; i++) o['k' + i] = i"},
    {"let n = 1n; while (true) n = n << 100000n"},
    {"const a = []; for (;;) a.push(2n ** 100000n + BigInt(a.length))"},
    {"const a = []; while (true) try { a.push('x'.repeat(1e7).split('')) } catch (e) {}"},
    {"let o = {}; while (true) o = { o }"},
    {"'x'.repeat(1e8).split('')"},
    {"'x'.repeat(2 ** 28).replace(/x/g, 'yyyy')"},
    {"'x'.repeat(1e6).replaceAll('x', 'y'.repeat(1e4))"},
    {"encodeURIComponent('%'.repeat(2 ** 28))"},
    {"JSON.parse('[' + '1,'.repeat(3e7) + '1]')"},
    {"JSON.parse('[' + '{},'.repeat(5e6) + '1]')", only_in_a_process},
    {"const a = new Array(5e6).fill('abcdefghij'); while (true) a.join('').charCodeAt(0)"},
    {"'ab'.repeat(2 ** 27).toUpperCase()"},
    {"'a'.repeat(2 ** 28).normalize('NFD')"},
    {"('a'.repeat(3e7)).localeCompare('a'.repeat(3e7) + 'b')"},
    {"function f() { return Promise.resolve().then(f).then(f) } f()"},
    {"const a = []; for (;;) a.push(new Promise(() => {}))"},
    {"new Array(2 ** 26).fill(1).sort()"},
    {"String.fromCharCode(...new Array(1e7))"},
    {"const r = []; while (true) r.push(new RegExp('a'.repeat(1000) + r.length).test('b'))"},
    {"let s = ''; while (true) s = eval('(function() { return ' + s.length + ' })') && s + "
     "'abcdefgh'.repeat(1000)"},
    {"for (let i = 0; ; i++) _context['v' + i] = 'x'.repeat(1000)"},
    {"const s = 'x'.repeat(1e7); for (let i = 0; i < 9000; i++) _context['v' + i] = s"},
    {"let a = [1]; for (let i = 0; i < 30; i++) a = [a, a]; _context.x = a"},
    {"const a = new Array(1e6).fill('x'.repeat(1e6)); _context.x = a"},
    {"new RegExp('a|'.repeat(3000000)).test('b')", only_in_a_process},
    {"new RegExp('[a-z]|'.repeat(300000)).test('1')", only_in_a_process},
};

std::size_t peak_megabytes(Where where) {
  if (where == Where::process) {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<std::size_t>(used.ru_maxrss) / 1024;
  }
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) / 1024;
  }
  return 0;
}

std::chrono::microseconds used_by(Where where) {
  if (where == Where::inside) {
    return std::chrono::duration_cast<std::chrono::microseconds>(processor_time());
  }
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);  // of those that have ended, as a stopped script's has
  const auto micros = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return micros(used.ru_utime) + micros(used.ru_stime);
}

class Hostile : public testing::TestWithParam<Where> {
 public:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(Where::inside); }

  static void expect_stopped(const Row& row, milliseconds budget) {
    if (row.only_in_a_process && GetParam() == Where::inside) return;
    const auto program = Program::compile(row.text, Program::Mode::statements);
    ASSERT_TRUE(program) << program.error().text;
    const auto before = used_by(GetParam());
    const auto outcome = run(*program, {.millis = static_cast<int>(budget.count())});
    const auto used = used_by(GetParam()) - before;
    const auto* failure = std::get_if<Failure>(&outcome);
    ASSERT_NE(failure, nullptr) << row.text;
    EXPECT_FALSE(failure->error.text.empty());
    const auto most =
        budget + most_more + (GetParam() == Where::process ? a_start : a_start.zero());
    EXPECT_LT(used, most) << row.text << " -> " << failure->error.text;
    EXPECT_LT(peak_megabytes(GetParam()), most_megabytes)
        << row.text << " -> " << failure->error.text;
    EXPECT_EQ(evaluated("[1, 2].map(x => x + 1)"), "[2,3]") << "after " << row.text;
  }
};

TEST_P(Hostile, scripts_that_want_all_the_time_are_stopped) {
  for (const Row& row : time_rows) expect_stopped(row, milliseconds(60));
}

TEST_P(Hostile, scripts_that_want_all_the_memory_are_stopped) {
  for (const Row& row : memory_rows) expect_stopped(row, milliseconds(250));
}

INSTANTIATE_TEST_SUITE_P(, Hostile, testing::Values(Where::inside, Where::process), name_of_param);

}  // namespace
}  // namespace pawl::script

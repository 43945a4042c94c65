// SPDX-License-Identifier: Apache-2.0
#include "script/script.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "script/run_for_test.hpp"
#include "script/where.hpp"
#include "value/json.hpp"

namespace pawl::script {
namespace {

// Everything is the same wherever it runs.
class Script : public testing::TestWithParam<Where> {
 public:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(Where::inside); }
};

INSTANTIATE_TEST_SUITE_P(, Script, testing::Values(Where::inside, Where::process), name_of_param);

TEST_P(Script, sees_variables_by_name_and_in_context) {
  const Given given{R"({"a": 2, "b": {"c": [1, "x", null, true]}, "pi": 3.25})"};
  const std::pair<const char*, const char*> rows[] = {
      {"a + 1", "3"},
      {"_context.a + 1", "3"},
      {"b.c[1] + b.c.length", "\"x4\""},
      {"_context['b'].c", R"([1,"x",null,true])"},
      {"b === _context.b", "true"},
      {"pi * 2", "6.5"},
      {"typeof missing", "\"undefined\""},
      {"_context.missing === undefined", "true"},
      {"'a' in _context && !('missing' in _context)", "true"},
      {"_context.hasOwnProperty('a')", "true"},
      {"execution.getVariable('a')", "2"},
      {"execution.getVariable('missing')", "null"},
      {"execution.hasVariable('a') && !execution.hasVariable('missing')", "true"},
      {"{a, total: a * 2}", R"({"a":2,"total":4})"},
      {"a > 1 // a comment", "true"},
      {"undefined", "null"},
      {"(() => { let s = 0; for (const i of b.c) s += Number(i === 1); return s })()", "1"},
  };
  for (const auto& [text, expected] : rows) {
    EXPECT_EQ(evaluated(text, given), expected) << text;
  }
}

TEST_P(Script, only_touched_variables_are_asked_for) {
  const Given given{R"({"a": 1, "b": 2})"};
  EXPECT_EQ(evaluated("a", given), "1");
  EXPECT_EQ(given.asked, std::vector<std::string>{"a"});
}

TEST_P(Script, an_unknown_name_is_a_reference_error) {
  const auto failure = failed("\n  missing + 1");
  EXPECT_EQ(failure.error.code, Code::script_failed);
  EXPECT_EQ(failure.error.text, "line 2, column 3: ReferenceError: missing is not defined");
}

TEST_P(Script, results_are_what_is_assigned) {
  const Given given{R"({"a": 1, "order": {"total": 1, "items": [1]}, "same": 7, "list": [3, 1]})"};
  const std::pair<const char*, const char*> rows[] = {
      {"_context.x = a + 1", R"({"x":2})"},
      {"execution.setVariable('x', 5); execution.setVariable('y', 'z')", R"({"x":5,"y":"z"})"},
      {"_context.y = 1; _context.x = 2; _context.y = 3", R"({"y":3,"x":2})"},
      {"_context.same = 7", R"({"same":7})"},
      {"_context.order.total = 5", R"({"order":{"total":5,"items":[1]}})"},
      {"order.items.push(2)", R"({"order":{"total":1,"items":[1,2]}})"},
      {"list.sort()", R"({"list":[1,3]})"},
      {"order.total; list.length; a", R"({})"},
      {"a = 5; var b = 6; let c = 7", R"({})"},
      {"_context.x = 1; _context.x += 1; _context.x", R"({"x":2})"},
      {"delete _context.a", R"({"a":null})"},
      {"_context.x = undefined", R"({"x":null})"},
      {"Object.assign(_context, {p: 1, q: [2]})", R"({"p":1,"q":[2]})"},
      {"const o = {}; _context.o = o; o.late = true", R"({"o":{"late":true}})"},
      {"Promise.resolve(4).then(v => { _context.x = v })", R"({"x":4})"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(assigned(text, given), expected) << text;
}

TEST_P(Script, the_value_is_that_of_the_last_statement) {
  EXPECT_EQ(to_json(ran("var x = 3; x * 2").value), "6");
  EXPECT_EQ(to_json(ran("let x = 3;").value), "null");
  EXPECT_EQ(to_json(ran("(function f() {})").value), "null");
  EXPECT_EQ(to_json(ran("var a = {}; a.a = a").value), "null");
  EXPECT_EQ(to_json(ran("(async () => { await null; return 5 })()").value), "5");
}

TEST_P(Script, numbers_stay_exact_where_javascript_can) {
  const Given given{
      R"({"big": 9007199254740993, "min": -9223372036854775808, "huge": 123456789012345678901234567890,
                        "edge": 9007199254740992, "tenth": 0.1, "fine": 0.1234567890123456789012345678901234,
                        "large": 1e30, "o": {"fine": 0.1234567890123456789012345678901234}})"};
  const std::pair<const char*, const char*> rows[] = {
      {"typeof big + typeof min + typeof huge", "\"bigintbigintbigint\""},
      {"typeof edge + typeof tenth + typeof fine + typeof large", "\"numbernumbernumbernumber\""},
      {"big", "9007199254740993"},
      {"min", "-9223372036854775808"},
      {"huge + 1n", "123456789012345678901234567891"},
      {"edge", "9007199254740992"},
      {"tenth", "0.1"},
      {"large", "1000000000000000000000000000000"},
      {"1 / 4", "0.25"},
      {"1e21", "1000000000000000000000"},
      {"-0", "0"},
      {"10n ** 40n", "1E+40"},
      {"new Number(3)", "3"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(evaluated(text, given), expected) << text;
  EXPECT_EQ(assigned("o.fine; o", given), "{}") << "digits that a double loses are no change";
}

TEST_P(Script, texts_and_dates_leave_as_json_has_them) {
  EXPECT_EQ(evaluated("new Date(1709199000500)"), "\"2024-02-29T09:30:00.5Z\"");
  EXPECT_EQ(evaluated("'\\u00e4\\ud83d\\ude00'"), "\"ä😀\"");
  EXPECT_EQ(evaluated("'\\ud800'"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(evaluated("'a\\0b'"), "\"a\\u0000b\"");
  EXPECT_EQ(evaluated("Object('s')"), "\"s\"");
  EXPECT_EQ(evaluated("({b: 1, a: [ , 2]})"), R"({"b":1,"a":[null,2]})");
  EXPECT_EQ(evaluated("JSON.parse('{\"__proto__\": 1}')"), R"({"__proto__":1})");
}

TEST_P(Script, what_json_does_not_have_is_refused) {
  const std::pair<const char*, const char*> rows[] = {
      {"_context.f = () => 1", "variable \"f\" is a function"},
      {"_context.f = Symbol('x')", "variable \"f\" is a symbol"},
      {"_context.f = 0 / 0", "variable \"f\" is NaN"},
      {"_context.f = 1 / 0", "variable \"f\" is infinite"},
      {"_context.f = new Map()", "variable \"f\" is a Map"},
      {"_context.f = new Set()", "variable \"f\" is a Set"},
      {"_context.f = new Proxy(() => 1, {})", "variable \"f\" is a function"},
      {"const d = new Date(); d.valueOf = () => 1e300; _context.f = d", "is an invalid Date"},
      {"_context.f = new Date(NaN)", "variable \"f\" is an invalid Date"},
      {"_context.f = {a: [() => 1]}", "variable \"f\" is a function"},
      {"const a = []; a.push(a); _context.f = a", "contains itself"},
      {"_context.f = []; _context.f[4294967290] = 1", "an array of length 4294967291"},
      {"_context.f = 10n ** 40n + 1n", "a BigInt of more than 34 digits"},
      {"_context.f = 'x'.repeat(1 << 25)", "too large"},
      {"_context.f = {get x() { throw new Error('no') }}", "Error: no"},
      {"await_forever = new Promise(() => {}); await_forever", "never settled"},
      {"Promise.reject(new Error('rejected'))", "Error: rejected"},
  };
  for (const auto& [text, expected] : rows) {
    const auto failure = failed(text);
    EXPECT_EQ(failure.error.code, Code::script_failed) << text;
    EXPECT_NE(failure.error.text.find(expected), std::string::npos)
        << text << " gave " << failure.error.text;
  }
}

TEST_P(Script, deep_values_go_in_and_out) {
  std::string deep = "1";
  for (int i = 0; i < 490; ++i) deep = i % 2 == 0 ? "[" + deep + "]" : "{\"a\":" + deep + "}";
  const Given given{"{\"deep\": " + deep + "}"};
  EXPECT_EQ(evaluated("deep", given), deep);
  EXPECT_EQ(assigned("deep; _context.copy = 1", given), "{\"copy\":1}");
}

TEST_P(Script, may_throw_a_bpmn_error) {
  const auto failure = failed("throw new BpmnError('E1', 'no stock')");
  EXPECT_EQ(failure.error_code, "E1");
  EXPECT_EQ(failure.error.text, "BpmnError: no stock");
  EXPECT_EQ(failed("throw new BpmnError(42)").error_code, "42");
  EXPECT_EQ(failed("throw new Error('x')").error_code, std::nullopt);
  EXPECT_EQ(evaluated("new BpmnError('a', 'b') instanceof Error"), "true");
}

TEST_P(Script, whatever_is_thrown_becomes_a_sentence) {
  const std::pair<const char*, const char*> rows[] = {
      {"throw 'text'", "text"},
      {"throw null", "null"},
      {"throw {toString() { return 'mine' }}", "mine"},
      {"throw {toString() { throw 1 }}", ""},
      {"null.x", "TypeError: null has no properties"},
      {"throw new RangeError('r')", "RangeError: r"},
      {"throw Object.create(null)", ""},
  };
  for (const auto& [text, expected] : rows) {
    const auto failure = failed(text);
    EXPECT_EQ(failure.error.code, Code::script_failed);
    EXPECT_NE(failure.error.text.find(expected), std::string::npos)
        << text << " gave " << failure.error.text;
  }
}

TEST_P(Script, syntax_errors_say_where) {
  using Mode = Program::Mode;
  struct Row {
    const char* text;
    Mode mode;
    const char* expected;
  };
  const Row rows[] = {
      {"let x = ;", Mode::statements,
       "line 1, column 9: SyntaxError: expected expression, got ';'"},
      {"\n\n  @", Mode::statements, "line 3, column 3: SyntaxError"},
      {"a +", Mode::expression, "ends too early"},
      {"", Mode::expression, "ends too early"},
      {"a; b", Mode::expression, "line 1, column 2: SyntaxError"},
      {"if (a) 1", Mode::expression, "line 1, column 1: SyntaxError"},
      {"return 1", Mode::statements, "SyntaxError: return not in function"},
  };
  for (const Row& row : rows) {
    const auto program = Program::compile(row.text, row.mode);
    ASSERT_FALSE(program) << row.text;
    EXPECT_EQ(program.error().code, Code::bad_expression);
    EXPECT_NE(program.error().text.find(row.expected), std::string::npos)
        << row.text << " gave " << program.error().text;
  }
  EXPECT_FALSE(Program::compile(std::string(2u << 20, ' '), Mode::statements));
  EXPECT_FALSE(Program::compile(std::string(100'000, '('), Mode::statements));
  EXPECT_FALSE(
      Program::compile(std::string(100'000, '[') + std::string(100'000, ']'), Mode::expression));
}

TEST_P(Script, time_and_chance_come_from_the_environment) {
  Environment environment;
  environment.now = Instant(Millis(1'709'199'000'500));
  environment.seed = 1;
  const auto with = [&](const char* text) {
    const auto program = Program::compile(text, Program::Mode::expression);
    return to_json(std::get<Outcome>(run(*program, environment)).value);
  };
  EXPECT_EQ(with("Date.now()"), "1709199000500");
  EXPECT_EQ(with("new Date()"), "\"2024-02-29T09:30:00.5Z\"");
  EXPECT_EQ(with("new Date().getTime() === Date.now()"), "true");
  const std::string random = with("[Math.random(), Math.random()]");
  EXPECT_EQ(with("[Math.random(), Math.random()]"), random);
  environment.seed = 2;
  EXPECT_NE(with("[Math.random(), Math.random()]"), random);
  EXPECT_EQ(with("(() => { for (let i = 0; i < 1000; i++) { const r = Math.random();"
                 " if (r < 0 || r >= 1) return i } return 'fine' })()"),
            "\"fine\"");
}

TEST_P(Script, nothing_is_left_for_the_next_run) {
  ran("leak = 1; Array.prototype.leak = 2; Object.prototype.leak3 = 3; Math.leak = 4;"
      "globalThis.JSON = null; String.prototype.trim = () => 'bad'; Promise.resolve().then(() => "
      "{})");
  failed("Promise.resolve().then(() => { Object.prototype.late = 1 }); throw new Error('x')");
  EXPECT_EQ(evaluated("[typeof leak, typeof [].leak, typeof ({}).leak3, typeof Math.leak,"
                      " typeof JSON.parse, ' a '.trim(), typeof ({}).late]"),
            R"(["undefined","undefined","undefined","undefined","function","a","undefined"])");
}

TEST_P(Script, there_is_no_way_out) {
  for (const char* name :
       {"print", "load", "require", "process", "WebAssembly", "SharedArrayBuffer", "Atomics",
        "Debugger", "quit", "os", "read", "setTimeout", "fetch", "importScripts"}) {
    EXPECT_EQ(evaluated("typeof " + std::string(name)), "\"undefined\"") << name;
  }
  EXPECT_EQ(evaluated("new Function('return typeof this.print + typeof load')()"),
            "\"undefinedundefined\"");
  EXPECT_EQ(evaluated("eval('1 + 1')"), "2");
  failed("import('fs').then(m => { _context.x = 1 }); throw 1");
}

// What is executable comes from a file that was loaded.
TEST(Inside, no_code_is_made_at_run_time) {
  ran("let s = 0; for (let i = 0; i < 50000; i++) s += i;"
      "for (let i = 0; i < 200; i++) /(a+)+b/.test('aaa' + i);");
  std::ifstream maps("/proc/self/maps");
  std::string line;
  int libraries = 0;
  while (std::getline(maps, line)) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode, file;
    words >> range >> rights >> offset >> device >> inode >> file;
    if (rights.find('x') == std::string::npos) continue;
    EXPECT_EQ(rights.find('w'), std::string::npos) << line;
    EXPECT_TRUE(file.starts_with("/") || file == "[vdso]" || file == "[vsyscall]") << line;
    ++libraries;
  }
  EXPECT_GT(libraries, 3);
}

class Broken final : public Variables {
 public:
  std::optional<Value> find(std::string_view) const override {
    throw std::runtime_error("store is gone");
  }
};

TEST_P(Script, variables_that_cannot_be_read_are_an_error) {
  const Broken broken;
  Environment environment;
  environment.variables = &broken;
  const auto outcome = run(*Program::compile("a", Program::Mode::expression), environment);
  EXPECT_NE(std::get<Failure>(outcome).error.text.find("store is gone"), std::string::npos);
}

TEST_P(Script, a_variable_may_have_any_name) {
  const Given given{R"({"a b": 1, "ä": 2, "": 3, "__proto__": 4, "constructor": 5, "0": 6})"};
  EXPECT_EQ(evaluated("[_context['a b'], ä, _context[''], _context.__proto__, constructor, "
                      "_context[0]]",
                      given),
            "[1,2,3,4,5,6]");
}

TEST_P(Script, runs_on_many_threads) {
  const auto program = Program::compile("_context.n = n + 1", Program::Mode::statements);
  ASSERT_TRUE(program);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&program, i] {
      const Given given{"{\"n\": " + std::to_string(i) + "}"};
      Environment environment;
      environment.variables = &given;
      for (int j = 0; j < 200; ++j) {
        const auto outcome = run(*program, environment);
        ASSERT_EQ(to_json(std::get<Outcome>(outcome).assigned.at(0).second), std::to_string(i + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Script, more_programs_than_the_cache_holds) {
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 700; ++i) {
      EXPECT_EQ(evaluated(std::to_string(i) + " + 1"), std::to_string(i + 1));
    }
  }
}

TEST_P(Script, says_what_it_took) {
  const auto taken = [](const char* text) {
    std::uint64_t spent = 5;
    const auto program = Program::compile(text, Program::Mode::statements);
    for (int i = 0; i < 3; ++i) {  // the first run has more to do, and the machine may be busy
      spent = 5;
      run(*program, {.spent = &spent});
      if (spent == 50'005) break;
    }
    return spent;
  };
  EXPECT_EQ(taken("1 + 1"), 50'005u) << "all quick ones are alike";
  EXPECT_GT(taken("let s = 0; for (let i = 0; i < 100000; i++) s += i"), 1'000'000u);
}

TEST_P(Script, results_are_bounded_all_together) {
  EXPECT_NE(failed("const s = 'x'.repeat(1e6); for (let i = 0; i < 20; i++) _context['v' + i] = s")
                .error.text.find("all results together"),
            std::string::npos);
  EXPECT_NE(failed("for (let i = 0; i < 20000; i++) _context['v' + i] = i")
                .error.text.find("more than 10000 variables"),
            std::string::npos);
  EXPECT_EQ(
      to_json(ran("const s = 'x'.repeat(1e6); for (let i = 0; i < 12; i++) _context['v' + i] = s;"
                  "1")
                  .value),
      "1");
  EXPECT_NE(failed("for (let i = 0; i < 20000; i++) typeof globalThis['v' + i]")
                .error.text.find("more than 10000 variables"),
            std::string::npos);
}

TEST_P(Script, time_zone_and_languages_are_there) {
  EXPECT_EQ(evaluated("new Intl.NumberFormat('de').format(1234.5)"), "\"1.234,5\"");
  EXPECT_EQ(evaluated("new Date(0).toLocaleDateString('de', {timeZone: 'UTC'})"), "\"1.1.1970\"");
  EXPECT_EQ(evaluated("['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b, 'de'))"),
            R"(["a","ä","z"])");
  EXPECT_NE(evaluated("new Date(2020, 1, 1).toString()").find("Sat Feb 01 2020 00:00:00"),
            std::string::npos);
  EXPECT_EQ(evaluated("typeof new Date(0).getTimezoneOffset()"), "\"number\"");
  EXPECT_EQ(evaluated("'\\u1e9b\\u0323'.normalize('NFKC')"), "\"ṩ\"");
}

TEST_P(Script, an_empty_program_does_nothing) {
  EXPECT_EQ(to_json(std::get<Outcome>(run(Program(), Environment{})).value), "null");
  EXPECT_EQ(to_json(ran("").value), "null");
}

TEST_P(Script, methods_of_java_work_on_texts_lists_and_objects) {
  const Given given{R"({"t": "abc", "items": ["a", "b"], "order": {"id": 7}, "n": 5})"};
  const std::pair<const char*, const char*> rows[] = {
      {"t.contains('b')", "true"},
      {"t.contains('x')", "false"},
      {"t.equals('abc')", "true"},
      {"t.equals('ABC')", "false"},
      {"t.equalsIgnoreCase('ABC')", "true"},
      {"t.isEmpty()", "false"},
      {"items.size() > 1 && items.contains('a') && !items.isEmpty()", "true"},
      {"items.get(1)", "\"b\""},
      {"order.containsKey('id') && !order.containsKey('x')", "true"},
      {"n.equals(5)", "true"},
      {"new Map([['k', 1]]).get('k')", "1"},
  };
  for (const auto& [text, expected] : rows) {
    EXPECT_EQ(evaluated(text, given), expected) << text;
  }
  EXPECT_EQ(evaluated("typeof 'x'.contains"), "\"undefined\"") << "only where one is called";
}

}  // namespace
}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
// Expressions made to hold a thread or to take all memory: each ends by itself or by the budget,
// soon, and says what it has spent.
#include <gtest/gtest.h>

#include <ctime>
#include <new>
#include <stdexcept>

#include "feel/batch.hpp"
#include "feel/feel.hpp"
#include "value/json.hpp"

namespace pawl::feel {
namespace {

constexpr double most_seconds = 3;  // of processor time, with sanitizers; 50 ms is meant without

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

template <class Make>
Value list_of(std::int64_t count, Make make) {
  List items;
  for (std::int64_t i = 1; i <= count; ++i) items.emplace_back(make(i));
  return items;
}

Value context_of(std::size_t count, std::size_t key_bytes) {
  std::vector<Entry> entries;
  for (std::size_t i = 1; i <= count; ++i) {
    entries.push_back({repeated("k", key_bytes) + "key" + std::to_string(i), 1});
  }
  return Value::context(std::move(entries));
}

Value deep_list(int levels) {
  Value value(1);
  for (int i = 0; i < levels; ++i) value = Value(List{value});
  return value;
}

Value doubled_list(int times) {
  Value value(1);
  for (int i = 0; i < times; ++i) value = Value(List{value, value});
  return value;
}

Value moment(std::int64_t i) {
  return *parse_date_time("2024-01-01T10:00:00." + std::to_string(1'000 + i * 79 % 997) +
                          (i % 2 == 0 ? "@Europe/Berlin" : "@America/New_York"));
}

// What an instance may hold, and more: texts of 4 MB, 200,000 items, 50,000 keys, 499 levels, and a
// list that is larger than any memory because it is shared 60 times.
const Value& variables() {
  constexpr std::size_t large = 4'000'000;
  static const Value made = object({
      {"a", repeated("a", large)},
      {"a2", repeated("a", large)},
      {"z", repeated("a", large / 2) + "z"},
      {"inner", repeated("a", 120) + "z" + repeated("a", 120)},
      {"wide", repeated("é", large)},
      {"blanks", repeated(" ", large)},
      {"zeros", repeated("0", large)},
      {"digits", repeated("123,", large)},
      {"quotes", repeated("\"\x01", large)},
      {"prose", repeated("the quick brown fox, who jumps over the lazy dog. ", large)},
      {"base64", repeated("QUJD", large)},
      {"dollars", repeated("$0", 1'000'000)},
      {"short", repeated("a", 20'000)},
      {"two", repeated("a", 10'000) + "b" + repeated("a", 10'000)},
      {"letters", "[" + repeated("ĀĂĄĆĈĊ", 9'000) + "]"},
      {"groups", repeated("(a)?", 9'000)},
      {"names", "(?J)" + repeated("(?<n>a)", 9'000)},
      {"ints", list_of(200'000, [](std::int64_t i) { return Value(i * 7919 % 200'003); })},
      {"ints2", list_of(200'000, [](std::int64_t i) { return Value(i * 7919 % 200'003); })},
      {"texts",
       list_of(100'000, [](std::int64_t i) { return "text " + std::to_string(i * 7919); })},
      {"long_texts",
       list_of(40, [](std::int64_t i) { return repeated("a", 100'000) + std::to_string(i); })},
      {"alike", list_of(5'000,
                        [](std::int64_t i) {
                          return repeated("a", 100) + std::to_string(10'000 + i) +
                                 repeated("a", 100);
                        })},
      {"moments", list_of(5'000, moment)},
      {"rows", list_of(50'000,
                       [](std::int64_t i) {
                         return object({{"a", Value(i)}, {"b", "x"}});
                       })},
      {"context", context_of(50'000, 0)},
      {"context2", context_of(50'000, 0)},
      {"long_keys", context_of(100, 30'000)},
      {"deep", deep_list(499)},
      {"deep2", deep_list(499)},
      {"doubled", doubled_list(60)},
      {"doubled2", doubled_list(60)},
      {"json_ints", "[" + repeated("1,", large) + "1]"},
      {"json_lists", "[" + repeated("[],", large) + "1]"},
      {"json_objects", "[" + repeated("{\"\":1},", large) + "1]"},
      {"json_deep", repeated("[", large)},
      {"json_text", "\"" + repeated("\\u0001", large) + "\""},
  });
  return made;
}

struct Outcome {
  Result<Value> value{Value()};
  std::uint64_t spent{0};
  double seconds{0};
};

Outcome outcome_of(std::string_view text) {
  Outcome outcome;
  const ContextNames names(variables());
  std::vector<Problem> problems;
  const Environment environment{.names = &names, .problems = &problems, .spent = &outcome.spent};
  const double start = processor_seconds();
  const auto expression = parse(text);
  if (expression) {
    outcome.value = evaluate(*expression, environment);
  } else {
    outcome.value = expression.error();
  }
  outcome.seconds = processor_seconds() - start;
  return outcome;
}

// A value, or an error that says that the budget is used up.
void expect_harmless(std::string_view text) {
  const Outcome outcome = outcome_of(text);
  EXPECT_LE(outcome.spent, limits::feel_steps) << text;
  EXPECT_LT(outcome.seconds, most_seconds) << text;
  if (outcome.value) {
    EXPECT_LE(outcome.value->encoded_size(), limits::feel_bytes) << text;
  } else {
    EXPECT_EQ(outcome.value.error().code, Code::budget_exceeded)
        << text << ": " << outcome.value.error().text.substr(0, 200);
  }
}

TEST(FeelBudget, A15_texts_cost_what_is_looked_at) {
  const char* const rows[] = {
      "for i in 1..100000 return contains(a, z)",
      "for i in 1..100000 return contains(a, inner)",
      "for i in 1..100000 return contains(a, \"aaaaaaaaz\")",
      "for i in 1..100000 return contains(wide, \"éz\")",
      "for i in 1..100000 return starts with(a, a2)",
      "for i in 1..100000 return ends with(a, a2)",
      "for i in 1..100000 return a = a2",
      "for i in 1..100000 return a != a2",
      "for i in 1..100000 return a <= a2",
      "for i in 1..100000 return a between a2 and a2",
      "for i in 1..100000 return a in (a2, z)",
      "for i in 1..100000 return string length(wide)",
      "for i in 1..100000 return is blank(blanks)",
      "for i in 1..100000 return trim(blanks)",
      "for i in 1..100000 return string length(trim(a))",
      "for i in 1..100000 return string length(upper case(wide))",
      "for i in 1..100000 return string length(lower case(a))",
      "for i in 1..100000 return substring(a, -1)",
      "for i in 1..100000 return substring(wide, 1, 1000000)",
      "for i in 1..100000 return string length(substring before(a, \"b\"))",
      "for i in 1..100000 return substring after(a, z)",
      "for i in 1..100000 return to base64(a)",
      "for i in 1..100000 return from base64(base64)",
      "for i in 1..100000 return string length(string join([a, a, a, a], a))",
      "for i in 1..100000 return string join(texts, \", \")",
      "for i in 1..100000 return string length(a + a2)",
  };
  for (const auto* text : rows) expect_harmless(text);
}

TEST(FeelBudget, A15_patterns_cost_what_they_match) {
  const char* const rows[] = {
      R"f(matches(short + "!", "^(a+)+$"))f",
      R"f(matches(short, "a*[bc]"))f",
      R"f(matches(a, "a*[bc]"))f",
      R"f(matches(a, "[a-z]*[0-9]"))f",
      R"f(matches(wide, "\w*[0-9]"))f",
      R"f(matches(a, "a{60000}[bc]"))f",
      R"f(matches(a, "[a-c]{60000}[xy]"))f",
      R"f(matches(two, "(a+)b\1[xy]"))f",
      R"f(matches(short, "(a*)*(a*)*(a*)*[bc]"))f",
      R"f(matches(short, "(?=a*[bc])a"))f",
      R"f(matches(short, "a(?R)?[bc]"))f",
      R"f(matches(short, "(a|aa|aaa)*[bc]"))f",
      R"f(matches(short, groups + "[bc]"))f",
      R"f(matches(wide, letters + "*[0-9]"))f",
      R"f(for i in 1..100000 return matches("a", letters + string(i)))f",
      R"f(for i in 1..100000 return matches("a", groups + string(i)))f",
      R"f(for i in 1..100000 return matches("a", names + string(i)))f",
      R"f(for i in 1..100000 return matches("a", "(?i)[\x{80}-\x{10FFFF}]" + string(i)))f",
      R"f(for i in 1..100000 return matches("a", "[\i-[\c]]" + string(i), "i"))f",
      R"f(for i in 1..100000 return matches("a", "((a|b|c|d)*x){1,200}" + string(i)))f",
      R"f(for i in 1..100000 return matches(a, a2))f",
      R"f(for i in 1..100000 return matches(a, "b", a2))f",
      R"f(for i in 1..100000 return matches("a", "(" + string(i)))f",
      R"f(replace(short, "(a+)", dollars))f",
      R"f(replace(a, "a", "$0$0$0$0$0$0$0$0"))f",
      R"f(replace(a, "a", "b"))f",
      R"f(split(a, ""))f",
      R"f(split(a, "a"))f",
      R"f(split(prose, "[\s,]+"))f",
      R"f(extract(prose, "\w"))f",
      R"f(extract(a, "(a|b)*"))f",
  };
  for (const auto* text : rows) expect_harmless(text);
}

TEST(FeelBudget, A18_numbers_cost_what_is_computed) {
  const char* const rows[] = {
      "for i in 1..100000 return 3.3 ** 6000.7",
      "for i in 1..100000 return 1.0001 ** 12345678",
      "for i in 1..100000 return (10 ** 6000 + 1) ** 199",
      "for i in 1..100000 return 0.1234567890123456789012345678901234 ** -199",
      "for i in 1..100000 return log(i / 7)",
      "for i in 1..100000 return exp(i / 7)",
      "for i in 1..100000 return sqrt(i / 7)",
      "for i in 1..100000 return modulo(10 ** 6000, i / 7)",
      "for i in 1..100000 return decimal(i / 7, 20)",
      "for i in 1..100000 return number(zeros)",
      "for i in 1..100000 return number(digits, \",\", \".\")",
      "for i in 1..100000 return string(1 / 3)",
      "for i in 1..100000 return sum(ints)",
      "for i in 1..100000 return median(ints)",
      "for i in 1..100000 return mode(ints)",
      "for i in 1..100000 return stddev(ints)",
      "for i in 1..100000 return product(ints)",
      "for i in 1..100000 return min(long_texts)",
      "for i in 1..100000 return max(moments)",
  };
  for (const auto* text : rows) expect_harmless(text);
}

TEST(FeelBudget, A18_lists_cost_what_is_compared_and_copied) {
  const char* const rows[] = {
      "for i in 1..100000 return list contains(ints, -1)",
      "for i in 1..100000 return list contains(long_texts, a)",
      "for i in 1..100000 return -1 in ints",
      "for i in 1..100000 return index of(ints, -1)",
      "for i in 1..100000 return ints = ints2",
      "for i in 1..100000 return rows.a",
      "for i in 1..100000 return rows[a > 0]",
      "for i in 1..100000 return count(append(ints, 1))",
      "for i in 1..100000 return count(concatenate(ints, ints))",
      "for i in 1..100000 return count(union(ints, ints2))",
      "for i in 1..100000 return count(flatten([ints, ints]))",
      "for i in 1..100000 return count(insert before(ints, 1, 1))",
      "for i in 1..100000 return count(remove(ints, 1))",
      "for i in 1..100000 return count(reverse(ints))",
      "for i in 1..100000 return count(sublist(ints, 2))",
      "for i in 1..100000 return count(list replace(ints, 1, 1))",
      "for i in 1..100000 return count(partition(ints, 1))",
      "list replace(ints, function(x, y) x > y, 1)",
      "distinct values(ints)",
      "distinct values(alike)",
      "distinct values(rows)",
      "distinct values(moments)",
      "duplicate values(concatenate(ints, ints))",
      "sort(ints)",
      "sort(ints, function(x, y) x < y)",
      "sort(long_texts)",
      "sort(moments)",
      "sort(texts, function(x, y) contains(x, y))",
      "for x in ints, y in ints return x * y",
      "some x in ints, y in ints satisfies x = -y",
      "every x in ints satisfies list contains(ints, x)",
      "for x in ints return partial",
      "ints instance of list<number> and every i in 1..100000 satisfies ints instance of "
      "list<number>",
  };
  for (const auto* text : rows) expect_harmless(text);
}

TEST(FeelBudget, A18_contexts_cost_what_is_looked_up_and_copied) {
  const char* const rows[] = {
      "for i in 1..100000 return context put(context, \"x\", i)",
      "for i in 1..100000 return context put(context, [\"x\", \"y\"], i)",
      "for i in 1..100000 return context merge(context, context2)",
      "for i in 1..100000 return context merge(long_keys, long_keys)",
      "for i in 1..100000 return get entries(context)",
      "for i in 1..100000 return context(get entries(context))",
      "for i in 1..100000 return context = context2",
      "for i in 1..100000 return get value(long_keys, a)",
      "for i in 1..100000 return {\"x\": context, \"y\": x.key1, \"z\": y}",
      "for x in get entries(context) return context put(context, x.key, 2)",
      "{f: function(x) context put(x, \"f\", f), r: for i in 1..100000 return f(context)}.r",
  };
  for (const auto* text : rows) expect_harmless(text);
}

TEST(FeelBudget, A18_conversions_cost_what_they_write_and_read) {
  const char* const rows[] = {
      "for i in 1..100000 return string length(string(ints))",
      "for i in 1..100000 return string length(string([a]))",
      "for i in 1..100000 return string length(string(context))",
      "for i in 1..100000 return string length(to json(ints))",
      "for i in 1..100000 return string length(to json(quotes))",
      "for i in 1..100000 return string length(to json(rows))",
      "for i in 1..100000 return to json([a..a2])",
      "for i in 1..100000 return to json([moments..moments])",
      "for i in 1..100000 return from json(json_text)",
      "from json(json_ints)",
      "from json(json_lists)",
      "from json(json_objects)",
      "from json(json_deep)",
      "for i in 1..100000 return from json(json_deep)",
      "for i in 1..100000 return range(\"[1..\" + string(i) + \"]\")",
      "for i in 1..100000 return date(zeros)",
      "for i in 1..100000 return date and time(zeros)",
      "for i in 1..100000 return duration(zeros)",
      "for i in 1..100000 return time(\"10:00:00@No/Where\")",
      "for i in 1..100000 return date and time(\"2024-01-01T10:00:00@Europe/Berlin\")",
      "for i in 1..100000 return date and time(now(), zeros)",
      "for i in 1..100000 return moments[1] + duration(\"PT1H\")",
      "for i in 1..100000 return moments[1] - moments[2]",
      "for i in 1..100000 return before(moments[1], moments[2])",
      "for i in 1..100000 return overlaps([(moments[1])..(moments[3])], moments[2])",
      "for i in 1..100000 return decimal(1, 1, a)",
      "for i in 1..100000 return uuid()",
      "for i in 1..100000 return substring(context, ints)",
  };
  for (const auto* text : rows) expect_harmless(text);
}

TEST(FeelBudget, A3_what_is_made_has_a_limit_in_bytes) {
  const char* const rows[] = {
      "for i in 1..1000 return a + string(i)",
      "for i in 1..100 return substring before(a + \"b\", \"b\")",
      "for i in 1..100 return substring after(\"b\" + a, \"b\")",
      "for i in 1..100 return string join([a, a, a])",
  };
  for (const auto* text : rows) {
    const Outcome outcome = outcome_of(text);
    ASSERT_FALSE(outcome.value) << text;
    EXPECT_EQ(outcome.value.error().code, Code::budget_exceeded) << text;
    EXPECT_EQ(outcome.value.error().text,
              "the expression needs more than 67108864 bytes of memory for what it makes; use "
              "smaller lists and texts, or split the work")
        << text;
    EXPECT_LT(outcome.seconds, most_seconds) << text;
  }
}

TEST(FeelBudget, A3_a_result_counts_as_it_will_be_written) {
  const char* const rows[] = {
      "for i in 1..100 return a",
      "[doubled]",
      "{x: doubled}",
      "to json(doubled)",
      "string(doubled)",
      "doubled = doubled2",
      "list contains([doubled2], doubled)",
      "distinct values([doubled, doubled2])",
      "flatten(doubled)",
      "to json([doubled..doubled])",
      "doubled in doubled2",
  };
  for (const auto* text : rows) {
    const Outcome outcome = outcome_of(text);
    ASSERT_FALSE(outcome.value) << text;
    EXPECT_EQ(outcome.value.error().code, Code::budget_exceeded) << text;
    EXPECT_LT(outcome.seconds, most_seconds) << text;
  }
}

// Each turn of the loop wraps its result 150 times: 100,000 levels.
TEST(FeelBudget, A18_deep_values_need_no_stack) {
  const std::string wrapped = std::string(150, '[') + "partial[-1]" + std::string(150, ']');
  const std::string loop = "for i in 1..700 return if i = 1 then 1 else " + wrapped;
  for (const char* const use :
       {"count(d)", "d = e", "string(d)", "to json(d)", "flatten(d)", "distinct values([d, e])",
        "list contains(d, e)", "d.x", "d[1]", "sort(d)", "{x: d}", "d", "d in e", "[d..e]",
        "min(d, e)", "d instance of list<list<number>>", "context put({}, \"x\", d)"}) {
    expect_harmless("{d: " + loop + ", e: " + loop + ", r: " + use + "}.r");
  }
  expect_harmless("deep = deep2");
  expect_harmless("string(deep) = to json(deep2)");
  const std::string line = to_json(object({{"id", 1}, {"expr", Value("(" + loop + ")[-1]")}}));
  EXPECT_EQ(run_batch_line(line, Instant{}), R"({"id":1,"value":null})");
}

TEST(FeelBudget, A15_leaves_room_for_large_work_that_is_cheap) {
  const std::pair<const char*, const char*> rows[] = {
      {"contains(a, \"b\")", "false"},
      {"contains(a, z)", "false"},
      {"string length(substring before(a, \"b\"))", "0"},
      {"string length(upper case(a))", "4000000"},
      {"a = a2", "true"},
      {"count(distinct values(texts))", "100000"},
      {"count(distinct values(ints))", "200000"},
      {"count(duplicate values(concatenate(texts, [\"x\", \"x\"])))", "1"},
      {"count(sort(texts))", "100000"},
      {"string length(string join(texts, \", \"))", "1585970"},
      {"sum(ints)", "20000123754"},
      {"count(split(substring(prose, 1, 200000), \"[\\s,]+\"))", "40001"},
      {"count(get entries(context))", "50000"},
      {"context = context2", "true"},
      {"count(rows[a > 25000].a)", "25000"},
      {"matches(a, \"b\")", "false"},
      {"matches(prose, \"cat|mouse\")", "false"},
      {"string length(to json(rows)) > 900000", "true"},
      {"count(from json(to json(ints)))", "200000"},
  };
  for (const auto& [text, expected] : rows) {
    const Outcome outcome = outcome_of(text);
    ASSERT_TRUE(outcome.value) << text << ": " << outcome.value.error().text;
    EXPECT_EQ(to_json(*outcome.value), expected) << text << " spent " << outcome.spent;
  }
}

TEST(FeelBudget, A15_tells_what_was_spent_also_when_it_ends_early) {
  EXPECT_GT(outcome_of("for i in 1..100000 return contains(a, z)").spent, limits::feel_steps / 2);
  EXPECT_GT(outcome_of("contains(a, \"ab\")").spent, 100'000u);
  EXPECT_LT(outcome_of("contains(\"a\", \"ab\")").spent, 10u);
  EXPECT_LT(outcome_of("a").spent, 3u);  // a name is free, whatever its value
}

class Failing final : public Names {
 public:
  std::optional<Value> find(std::string_view name) const override {
    if (name == "short") throw std::bad_alloc();
    throw std::length_error("too long");
  }
};

TEST(FeelBudget, A18_lack_of_memory_is_an_error_like_any_other) {
  const Failing names;
  for (const auto* text : {"short", "long", "for i in 1..3 return [short]", "upper case(long)"}) {
    const auto value = evaluate(*parse(text), {.names = &names});
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code, Code::budget_exceeded);
    EXPECT_NE(value.error().text.find("there is not enough memory"), std::string::npos);
  }
}

TEST(FeelBudget, A18_errors_are_short_whatever_they_are_about) {
  const auto value = outcome_of("assert(1, false, a)").value;
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, Code::evaluation_failed);
  EXPECT_LT(value.error().text.size(), limits::message_bytes + 10);
}

TEST(FeelBudget, A18_problems_are_short_whatever_they_are_about) {
  const std::string name = repeated("n", 500'000);
  for (const std::string& text : {"for i in 1..1000 return " + name, "{x: 1}." + name,
                                  "abs(" + name + ": 1)", "(function(x) x)(" + name + ": 1)"}) {
    std::vector<Problem> problems;
    const auto expression = parse(text);
    ASSERT_TRUE(expression);
    (void)evaluate(*expression, {.problems = &problems});
    ASSERT_FALSE(problems.empty());
    EXPECT_LE(problems.size(), limits::feel_problems);
    for (const auto& problem : problems) EXPECT_LT(problem.text.size(), 300u);
  }
}

std::string filled(const std::string& begin, std::string_view part, const std::string& end) {
  return begin + repeated(part, 300'000) + end;
}

std::string times(int count, std::string_view part) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

TEST(FeelBudget, A18_parsing_is_bounded_too) {
  std::string many_names = "{";  // "a+a", "a+a+a", …
  for (std::string name = "a+a"; name.size() < 62; name += "+a")
    many_names += "\"" + name + "\":1,";
  std::string keys = "{";
  for (int i = 0; i < 50'000; ++i) keys += "b" + std::to_string(i) + ":1,";
  std::string uses;
  for (int i = 0; i < 50'000; ++i) uses += "b" + std::to_string(i) + "+";
  const std::string rows[] = {
      filled("", "(", ""),
      filled("[", "1,", "1]"),
      filled("[", "{a:1},", "1]"),
      filled("", "a+", "1"),
      filled("", "a.", "b"),
      filled("f(", "a+", "a)"),
      filled("f(", "a-a,", "a)"),
      filled("", "-", "1"),
      filled("", "/**/", "1"),
      filled("", "/*", ""),
      filled("\"", "\\u0041", "\""),
      filled("", "if true then 1 else ", "1"),
      filled("1 instance of ", "list<", ""),
      filled(many_names + "z: 1}.z + ", "a+", "1"),
      filled("[" + many_names + "z: 1}, " + times(180, "function(x) "), "a+", "1]"),
      filled(times(180, "a["), "b+", "1" + times(180, "]")),
      filled(times(95, "function(x) y["), "b+", "1" + times(95, "]")),
      filled(times(190, "for x in 1..2 return ") + "[", "partial,", "1]"),
      keys + "z: " + times(180, "function() ") + uses + "1}",
  };
  for (const auto& text : rows) {
    const double start = processor_seconds();
    const auto expression = parse(text);
    EXPECT_LT(processor_seconds() - start, most_seconds) << text.substr(0, 60);
    if (!expression) {
      EXPECT_EQ(expression.error().code, Code::bad_expression);
      EXPECT_LT(expression.error().text.size(), 200u);
    }
  }
  const auto laborious = parse(filled(times(95, "function(x) y["), "b+", "1" + times(95, "]")));
  ASSERT_FALSE(laborious);
  EXPECT_NE(laborious.error().text.find("too complicated; split it"), std::string::npos);
}

}  // namespace
}  // namespace pawl::feel

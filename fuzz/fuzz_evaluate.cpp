// SPDX-License-Identifier: Apache-2.0
// Any text as an expression, on variables that make work: whatever it does, it charges for it. It
// must end within its steps, and no step may take much longer than it should.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "feel/feel.hpp"
#include "value/json.hpp"

namespace {

using namespace pawl;

constexpr std::uint64_t most_steps = 500'000;  // 12 ms without sanitizers
constexpr double most_seconds = 2;             // of processor time, with them

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

Value wide_context(std::int64_t count) {
  std::vector<Entry> entries;
  for (std::int64_t i = 1; i <= count; ++i) entries.push_back({"k" + std::to_string(i), Value(i)});
  return Value::context(std::move(entries));
}

Value nested(int levels, bool twice) {
  Value value(1);
  for (int i = 0; i < levels; ++i) value = twice ? Value(List{value, value}) : Value(List{value});
  return value;
}

Value moment(std::int64_t i) {
  return *parse_date_time("2024-01-01T10:00:00." + std::to_string(i) +
                          (i % 2 == 0 ? "@Europe/Berlin" : "@America/New_York"));
}

const Value& variables() {
  constexpr std::size_t mega = 1'000'000;
  static const Value made = object({
      {"a", repeated("a", mega)},
      {"b", repeated("é ", mega)},
      {"c", wide_context(20'000)},
      {"d", nested(499, false)},
      {"e", nested(17, true)},
      {"f", repeated("the quick brown fox. ", 100'000)},
      {"i", list_of(50'000, [](std::int64_t i) { return Value(i * 7919 % 50'021); })},
      {"j", "[" + repeated("{\"a\":[1,\"x\"]},", mega) + "1]"},
      {"m", list_of(500, moment)},
      {"n", repeated("a", mega / 2) + "z"},
      {"p", repeated("(a|b)*[c-e]?", 3'000)},
      {"r", list_of(5'000,
                    [](std::int64_t i) {
                      return object({{"x", Value(i)}, {"y", "z"}});
                    })},
      {"s", repeated("a", 5'000)},
      {"t", list_of(20'000, [](std::int64_t i) { return "text " + std::to_string(i); })},
      {"z", repeated("0", mega)},
  });
  return made;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

[[noreturn]] void complain(const char* about, double amount) {
  std::fprintf(stderr, "fuzz_evaluate: %s: %g\n", about, amount);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const feel::ContextNames names(variables());
  const double start = processor_seconds();
  const auto expression = feel::parse({reinterpret_cast<const char*>(data), size});
  if (!expression) return 0;

  std::uint64_t spent = 0;
  std::vector<feel::Problem> problems;
  feel::Environment environment{.names = &names, .problems = &problems, .spent = &spent};
  environment.budget.steps = most_steps;
  const auto value = feel::evaluate(*expression, environment);
  const double seconds = processor_seconds() - start;
  if (spent > most_steps) complain("too many steps", static_cast<double>(spent));
  if (seconds > most_seconds) complain("too many seconds", seconds);
  if (value && value->encoded_size() > environment.budget.bytes + 2 * 1'000'000) {
    complain("too large", static_cast<double>(value->encoded_size()));
  }
  return 0;
}

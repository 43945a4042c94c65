// SPDX-License-Identifier: Apache-2.0
// Any text as an expression and as unary tests, evaluated with a small budget: no crash, no hang.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "feel/feel.hpp"
#include "value/json.hpp"

namespace {

using namespace pawl;

const Value& variables() {
  static const Value made =
      object({{"a", 1},
              {"b", "text"},
              {"c d", Value::list({1, 2, 3})},
              {"e", Value::list({object({{"x", 1}}), object({{"x", 2}, {"y z", "w"}})})}});
  return made;
}

void evaluate_both(std::string_view text) {
  const feel::ContextNames names(variables());
  std::vector<feel::Problem> problems;
  feel::Environment environment;
  environment.names = &names;
  environment.problems = &problems;
  environment.budget = {.steps = 20'000, .depth = 30, .list_items = 2'000, .string_bytes = 20'000};
  const feel::ParseOptions options{{"c d", "y z"}};
  if (const auto expression = feel::parse(text, options)) {
    const auto value = feel::evaluate(*expression, environment);
    if (value) (void)to_json(*value);
  }
  if (const auto tests = feel::parse_unary_tests(text, options)) {
    (void)feel::evaluate_unary(*tests, Value(5), environment);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  evaluate_both({reinterpret_cast<const char*>(data), size});
  return 0;
}

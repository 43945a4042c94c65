// SPDX-License-Identifier: Apache-2.0
// What a script costs: inside this process, and in a helper process without rights. Each run reads
// two variables and gives one back. Fails if the limits of docs/benchmarks.md are missed.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "script/helper.hpp"
#include "script/script.hpp"
#include "script/where.hpp"
#include "value/value.hpp"

namespace {

using namespace pawl;
using Clock = std::chrono::steady_clock;
using Micros = std::chrono::duration<double, std::micro>;

constexpr int runs = 20'000;
constexpr double most_micros = 80;  // in a helper, the median

class TwoVariables final : public script::Variables {
 public:
  std::optional<Value> find(std::string_view name) const override {
    if (name == "amount") return Value(120);
    if (name == "customer") return object({{"name", "Ada"}, {"level", 3}});
    return std::nullopt;
  }
};

struct Measured {
  double first{0};  // with all that has to be started
  double median{0};
  double slow{0};  // one in a hundred takes longer
};

Measured measure() {
  const TwoVariables variables;
  const auto begin = Clock::now();
  const auto program =
      script::Program::compile("_context.discount = customer.level > 2 ? amount * 0.1 : 0",
                               script::Program::Mode::statements);
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto start = i == 0 ? begin : Clock::now();
    const auto outcome = script::run(*program, {.variables = &variables});
    times.push_back(Micros(Clock::now() - start).count());
    if (!std::holds_alternative<script::Outcome>(outcome)) std::exit(1);
  }
  Measured measured{.first = times.front()};
  std::sort(times.begin(), times.end());
  measured.median = times[times.size() / 2];
  measured.slow = times[times.size() * 99 / 100];
  return measured;
}

void print(std::string_view name, const Measured& measured) {
  fmt::print("{:<10} median {:6.1f} us   99 % {:6.1f} us   the first {:8.0f} us\n", name,
             measured.median, measured.slow, measured.first);
}

}  // namespace

int main(int count, char** words) {
  if (const auto helper = script::serve_if_helper(count, words)) return *helper;
  print("inline", measure());
  script::use(script::Where::process);
  const Measured remote = measure();
  print("process", remote);
  if (remote.median <= most_micros) return 0;
  fmt::print("a script in a helper process takes more than {} us\n", most_micros);
  return 1;
}

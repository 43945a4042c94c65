// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "script/in_helper.hpp"
#include "script/inside.hpp"
#include "script/processor_time.hpp"
#include "script/script.hpp"
#include "script/where.hpp"

namespace pawl::script {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds quick = std::chrono::microseconds(200);
constexpr nanoseconds counted_if_quick = std::chrono::microseconds(50);

void count(nanoseconds took, const Environment& environment) {
  if (environment.spent == nullptr) return;
  *environment.spent +=
      static_cast<std::uint64_t>((took < quick ? counted_if_quick : took).count());
}

Failure switched_off() {
  return {fail(Whose::operators, Code::script_failed,
               "scripts are switched off here; start the program with --scripts process to run "
               "this one, then resolve the incident"),
          std::nullopt};
}

}  // namespace

std::variant<Outcome, Failure> run(const Program& program, const Environment& environment) {
  if (program.empty()) return Outcome{};
  switch (where()) {
    case Where::off:
      break;
    case Where::inside: {
      const nanoseconds start = processor_time();
      auto outcome = run_inside(program, environment);
      count(processor_time() - start, environment);
      return outcome;
    }
    case Where::process: {
      std::uint64_t took = 0;
      Environment measured = environment;
      measured.spent = &took;
      auto outcome = run_in_helper(program, measured);
      count(nanoseconds(took), environment);
      return outcome;
    }
  }
  return switched_off();
}

}  // namespace pawl::script

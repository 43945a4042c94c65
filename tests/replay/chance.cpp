// SPDX-License-Identifier: Apache-2.0
#include "chance.hpp"

#include <fmt/format.h>

#include "testkit/as_xml.hpp"
#include "testkit/draw.hpp"
#include "testkit/random_process.hpp"
#include "value/json.hpp"

namespace pawl::replay {
namespace {

using testkit::Dice;
using namespace std::chrono_literals;

std::string random_file(Dice& dice, const std::string& id) {
  std::string drawing = testkit::random_process(dice);
  if (drawing.starts_with("dialect")) drawing.erase(0, drawing.find('\n') + 1);
  model::Process process = *testkit::draw(drawing);
  process.id = process.elements[0].id = id;
  return testkit::as_xml(process);
}

void serve_one(Recorder& to, Dice& dice, Key instance) {
  const auto jobs = to.jobs_of(instance);
  if (jobs.empty()) return;
  const store::JobRow job = testkit::any_of(dice, jobs);
  const std::string name = fmt::format("v{}", dice.below(4));
  const Value variables = object({{name, static_cast<int>(dice.below(9))}});
  switch (dice.below(8)) {
    case 0:
      return to.try_command(job.key, engine::FailJob{.job = job.key, .retries = 1});
    case 1:
      return to.try_command(job.key, engine::FailJob{.job = job.key, .message = "no"});
    case 2:
      return to.try_command(job.key, engine::ThrowError{.job = job.key, .code = "E"});
    default:
      return to.try_command(job.key, engine::CompleteJob{.job = job.key, .variables = variables});
  }
}

void something_happens(Recorder& to, Dice& dice, Key instance) {
  switch (dice.below(10)) {
    case 0:
      return to.publish({.name = dice.chance(50) ? "m" : "ask",
                         .correlation = fmt::format("{}", dice.below(3)),
                         .variables = object({{"v1", 3}})});
    case 1:
      return to.signal("s");
    case 2:
      return to.pass(dice.chance(50) ? 8min : 1h);
    case 3:
      return to.resolve_all(instance);
    case 4:
      return to.try_command(
          instance, engine::SetVariables{.scope = instance, .variables = object({{"v2", 1}})});
    default:
      return serve_one(to, dice, instance);
  }
}

}  // namespace

void tell_at_random(Recorder& to, int processes) {
  Dice dice(2'027);
  std::vector<Key> instances;
  for (int i = 0; i < processes; ++i) {
    const std::string id = fmt::format("random{}", i);
    to.deploy(id + ".bpmn", random_file(dice, id));
    instances.push_back(to.start(id, id));
  }
  for (int i = 0; i < processes * 25; ++i) {
    something_happens(to, dice, testkit::any_of(dice, instances));
  }
}

}  // namespace pawl::replay

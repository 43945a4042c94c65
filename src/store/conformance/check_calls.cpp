// SPDX-License-Identifier: Apache-2.0
// Instances that were called by others, and the answers that they owe.
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

Events called(std::uint64_t instance, std::uint64_t caller, std::uint64_t at_element,
              std::uint32_t execution = 1) {
  Events events = start(instance, {.execution = execution});
  std::get<InstanceStarted>(events.front()).caller =
      Caller{.instance = k(caller), .element = k(at_element), .root = k(1), .depth = 1};
  return events;
}

void call(Stage& stage) {
  stage.turn(1, start(1) + element(2, 1, 3) + CallStarted{.element = k(2), .child = k(3)});
  stage.turn(3, called(3, 1, 2), {.more = true});
}

void end_child(Stage& stage) {
  stage.turn(3, {CallerAnswered{.caller = k(1), .element = k(2)}, completed(3)}, {.at = 30});
}

std::string callers(Stage& stage) {
  std::string text;
  for (const InstanceRow& row : must(stage.index().instances({}))) {
    text +=
        fmt::format("{} by {} at {} under {}{}; ", number(row.key), number(row.caller),
                    number(row.caller_element), number(row.root), row.owes_answer ? " owes" : "");
  }
  return text;
}

const Check all_call_checks[] = {
    {"a_called_instance_knows_its_caller",
     [](Stage& stage) {
       call(stage);
       equal(callers(stage), "1 by 0 at 0 under 0; 3 by 1 at 2 under 1; ");
       equal(brief(stage.index().instances({.caller = k(1)})), "3 active");
       equal(brief(stage.index().instances({.caller = k(3)})), "");
       equal(number(must(stage.index().past_of(k(3)))->row.caller), 1u);
       stage.reopen();
       equal(callers(stage), "1 by 0 at 0 under 0; 3 by 1 at 2 under 1; ");
     }},
    {"it_owes_an_answer_from_its_end_until_its_caller_has_it",
     [](Stage& stage) {
       call(stage);
       equal(brief(stage.index().instances({.owe_answer = true})), "");
       end_child(stage);
       equal(brief(stage.index().instances({.owe_answer = true})), "3 completed");
       stage.turn(1, {CallEnded{.element = k(2), .child = k(3)}});
       equal(brief(stage.index().instances({.owe_answer = true})), "");
     }},
    {"the_next_execution_has_the_same_caller",
     [](Stage& stage) {
       call(stage);
       stage.turn(3, {InstanceContinued{}, terminated(3)});
       stage.turn(3, called(3, 1, 2, 2), {.execution = 2});
       equal(callers(stage), "1 by 0 at 0 under 0; 3 by 1 at 2 under 1; ");
     }},
    {"what_owes_an_answer_is_not_forgotten",
     [](Stage& stage) {
       call(stage);
       end_child(stage);
       const auto all = [](const Index::Ended&) { return true; };
       must(stage.index().forget_ended(Key::none, 10, all));
       equal(brief(stage.index().instances({.owe_answer = true})), "3 completed");
       stage.turn(1, {CallEnded{.element = k(2), .child = k(3)}});
       must(stage.index().forget_ended(Key::none, 10, all));
       equal(brief(stage.index().instances({})), "1 active");
     }},
};

}  // namespace

std::span<const Check> call_checks() { return all_call_checks; }

}  // namespace pawl::store::conformance

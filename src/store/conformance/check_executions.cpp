// SPDX-License-Identifier: Apache-2.0
// Continue-as-new: several executions of one instance.
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

InstanceRow row_of(Stage& stage) {
  const auto rows = must(stage.index().instances({}));
  equal(rows.size(), 1u);
  return rows.front();
}

void end_first(Stage& stage) {
  stage.turn(1, start(1, {.id = "a", .at = 10}) + set(1, "old", 1) + element(2, 1, 3) + job(3, 2));
  stage.turn(1, {InstanceContinued{}, JobCanceled{k(3)}, terminated(2), terminated(1)}, {.at = 20});
}

const Check all_execution_checks[] = {
    {"an_execution_that_continues_leaves_the_instance_active_and_busy",  // G5
     [](Stage& stage) {
       end_first(stage);
       const InstanceRow row = row_of(stage);
       equal(row.state == InstanceState::active, true);
       equal(row.busy, true);
       equal(row.execution, 1u);
       equal(row.ended.time_since_epoch().count(), 0);
       equal(brief(stage.index().elements(k(1))), "");
       equal(brief(stage.index().jobs({})), "");
     }},
    {"the_next_execution_replaces_the_row_but_not_the_first_start",
     [](Stage& stage) {
       end_first(stage);
       stage.turn(1, start(1, {.process = "order2", .execution = 2, .id = "a", .at = 30}),
                  {.execution = 2});
       const InstanceRow row = row_of(stage);
       equal(row.process, "order2");
       equal(row.execution, 2u);
       equal(row.busy, false);
       equal(row.started.time_since_epoch().count(), 10);
       equal(brief(stage.index().elements(k(1))), "1 77:0 in 0");
     }},
    {"the_next_execution_begins_without_the_variables_of_the_last",
     [](Stage& stage) {
       end_first(stage);
       equal(brief(stage.index().variables(k(1))), "old=1");
       stage.turn(1, start(1, {.execution = 2}) + set(1, "fresh", 2), {.execution = 2});
       equal(brief(stage.index().variables(k(1))), "fresh=2");
     }},
    {"the_last_execution_ends_the_instance",
     [](Stage& stage) {
       end_first(stage);
       stage.turn(1, start(1, {.execution = 2}), {.execution = 2});
       stage.turn(1, {completed(1)}, {.execution = 2, .at = 50});
       const InstanceRow row = row_of(stage);
       equal(row.state == InstanceState::completed, true);
       equal(row.ended.time_since_epoch().count(), 50);
       equal(row.busy, false);
     }},
    {"an_execution_may_say_that_it_continues_long_before_it_ends",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3));
       stage.turn(1, {InstanceContinued{}, ElementTerminating{k(1)}}, {.more = true});
       equal(row_of(stage).busy, true);
       stage.turn(1, {terminated(2)}, {.more = true});
       stage.turn(1, {terminated(1)});
       equal(row_of(stage).state == InstanceState::active, true);
       equal(row_of(stage).busy, true);
     }},
    {"saying_that_it_continues_holds_for_one_execution",
     [](Stage& stage) {
       end_first(stage);
       stage.turn(1, start(1, {.execution = 2}), {.execution = 2});
       stage.turn(1, {terminated(1)}, {.execution = 2});
       equal(brief(stage.index().instances({})), "1 terminated");
     }},
    {"what_the_old_execution_left_open_goes_and_the_new_stays",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2) +
                         TimerCreated{.key = k(4), .element = k(2), .due = ms(9)});
       stage.turn(1, {InstanceContinued{}, completed(1)});
       stage.turn(1,
                  start(1, {.execution = 2}) + element(12, 1, 4) + job(13, 12, "ship") +
                      TimerCreated{.key = k(14), .element = k(12), .due = ms(19)},
                  {.execution = 2});
       equal(brief(stage.index().elements(k(1))), "1 77:0 in 0; 12 77:4 in 1");
       equal(brief(stage.index().jobs({})), "13 ship activatable retries 3");
       equal(brief(stage.index().timers(k(1))), "14 due 19");
     }},
    {"many_executions_count_up",  // G11
     [](Stage& stage) {
       for (std::uint32_t i = 1; i <= 20; ++i) {
         stage.turn(1, start(1, {.execution = i}) + set(1, "i", static_cast<int>(i)),
                    {.execution = i});
         stage.turn(1, {InstanceContinued{}, completed(1)}, {.execution = i});
       }
       equal(row_of(stage).execution, 20u);
       equal(brief(stage.index().variables(k(1))), "i=20");
       equal(must(stage.index().history(k(1))).size(), 40u);
     }},
    {"the_past_is_that_of_the_newest_execution_and_history_that_of_all",
     [](Stage& stage) {
       end_first(stage);
       stage.turn(1, start(1, {.execution = 2}), {.execution = 2});
       stage.turn(1, {element(22, 1, 3)}, {.execution = 2});
       equal(must(stage.index().past_of(k(1)))->turns.size(), 2u);
       equal(must(stage.index().past_of(k(1)))->turns[0], stage.journal()[2].bytes);
       equal(brief(stage.index().history(k(1))), "1; 2; 3; 4");
     }},
    {"a_snapshot_does_not_outlive_its_execution",
     [](Stage& stage) {
       stage.turn(1, start(1));
       must(stage.index().keep_snapshot(k(1), position_from(1), "old"));
       stage.turn(1, {InstanceContinued{}, completed(1)});
       stage.turn(1, start(1, {.execution = 2}), {.execution = 2});
       must(stage.index().keep_snapshot(k(1), position_from(2), "late"));  // of the old one
       const auto past = must(stage.index().past_of(k(1)));
       equal(past->snapshot, "");
       equal(past->turns.size(), 1u);
     }},
};

}  // namespace

std::span<const Check> execution_checks() { return all_execution_checks; }

}  // namespace pawl::store::conformance

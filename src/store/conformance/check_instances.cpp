// SPDX-License-Identifier: Apache-2.0
// Instances, their elements and the variables of their root scope.
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

InstanceRow only(Stage& stage) {
  const auto rows = must(stage.index().instances({}));
  equal(rows.size(), 1u);
  return rows.front();
}

const Check all_instance_checks[] = {
    {"a_new_index_has_applied_nothing_and_holds_nothing",
     [](Stage& stage) {
       equal(number(stage.index().applied()), 0u);
       equal(brief(stage.index().instances({})), "");
       equal(must(stage.index().next_key(0)), 0u);
     }},
    {"a_started_instance_is_active_with_what_its_start_says",
     [](Stage& stage) {
       stage.turn(1, start(1, {.id = "order-1", .business_id = "b-1", .at = 500}), {.shard = 3});
       const InstanceRow row = only(stage);
       equal(row.process, "order");
       equal(row.version, 2);
       equal(number(row.definition), 77u);
       equal(row.state == InstanceState::active, true);
       equal(row.execution, 1u);
       equal(row.id, "order-1");
       equal(row.business_id, "b-1");
       equal(row.started.time_since_epoch().count(), 500);
       equal(row.ended.time_since_epoch().count(), 0);
       equal(row.shard, 3u);
     }},
    {"an_instance_ends_completed_when_its_root_completes",
     [](Stage& stage) {
       stage.turn(1, start(1), {.at = 10});
       stage.turn(1, {completed(1)}, {.at = 20});
       const InstanceRow row = only(stage);
       equal(row.state == InstanceState::completed, true);
       equal(row.ended.time_since_epoch().count(), 20);
       equal(brief(stage.index().elements(k(1))), "");
     }},
    {"ended_instances_are_forgotten_with_all_they_left_as_the_caller_decides",
     [](Stage& stage) {
       stage.turn(1, start(1) + set(1, "a", 1) + completed(1), {.at = 10});
       stage.turn(2, start(2, {.process = "keep"}) + completed(2), {.at = 20});
       stage.turn(3, start(3), {.at = 5});
       stage.turn(4, start(4) + set(4, "b", 1) + completed(4), {.at = 90});
       const auto old = [](const Index::Ended& ended) {
         return ended.process != "keep" && ended.at < ms(50);
       };
       equal(number(must(stage.index().forget_ended(Key::none, 100, old))), 0u);
       equal(brief(stage.index().instances({})), "2 completed; 3 active; 4 completed");
       equal(brief(stage.index().variables(k(1))), "");
       equal(brief(stage.index().history(k(1))), "");
       equal(brief(stage.index().variables(k(4))), "b=1");
       equal(must(stage.index().forgotten()).time_since_epoch().count(), 10);
     }},
    {"forgetting_goes_on_behind_the_key_where_it_stopped",
     [](Stage& stage) {
       for (std::uint64_t i = 1; i <= 5; ++i) stage.turn(i, start(i) + completed(i), {.at = 10});
       const auto all = [](const Index::Ended&) { return true; };
       equal(number(must(stage.index().forget_ended(Key::none, 2, all))), 2u);
       equal(brief(stage.index().instances({})), "3 completed; 4 completed; 5 completed");
       equal(number(must(stage.index().forget_ended(k(2), 2, all))), 4u);
       equal(number(must(stage.index().forget_ended(k(4), 2, all))), 0u);
       equal(brief(stage.index().instances({})), "");
     }},
    {"an_instance_ends_terminated_when_its_root_is_terminated",
     [](Stage& stage) {
       stage.turn(1, start(1));
       stage.turn(1, {ElementTerminating{k(1)}, terminated(1)}, {.at = 30});
       equal(only(stage).state == InstanceState::terminated, true);
       equal(only(stage).ended.time_since_epoch().count(), 30);
     }},
    {"an_instance_that_starts_and_ends_in_one_turn_is_kept",
     [](Stage& stage) {
       stage.turn(1, start(1) + set(1, "a", 1) + completed(1), {.at = 5});
       equal(brief(stage.index().instances({})), "1 completed");
       equal(brief(stage.index().variables(k(1))), "a=1");
       equal(brief(stage.index().history(k(1))), "1");
     }},
    {"the_end_of_another_element_does_not_end_the_instance",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + completed(2));
       equal(brief(stage.index().instances({})), "1 active");
     }},
    {"an_instance_with_work_left_is_busy_until_it_has_none",
     [](Stage& stage) {
       stage.turn(1, start(1), {.more = true});
       equal(only(stage).busy, true);
       stage.turn(1, {StepTaken{}}, {.more = false});
       equal(only(stage).busy, false);
     }},
    {"an_instance_that_ended_is_not_busy",
     [](Stage& stage) {
       stage.turn(1, start(1), {.more = true});
       stage.turn(1, {completed(1)}, {.more = true});
       equal(only(stage).busy, false);
     }},
    {"open_elements_are_listed_with_id_and_scope_by_key",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(4, 1, 5) + element(3, 1, 9));
       equal(brief(stage.index().elements(k(1))), "1 77:0 in 0; 3 77:9 in 1; 4 77:5 in 1");
     }},
    {"an_element_that_ended_is_gone",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + element(3, 1, 4));
       stage.turn(1, {completed(2)});
       equal(brief(stage.index().elements(k(1))), "1 77:0 in 0; 3 77:4 in 1");
       stage.turn(1, {ElementTerminating{k(3)}, terminated(3)});
       equal(brief(stage.index().elements(k(1))), "1 77:0 in 0");
     }},
    {"an_element_knows_its_iteration_and_whether_it_is_a_body",
     [](Stage& stage) {
       stage.turn(1, start(1) + ElementActivating{.key = k(2), .scope = k(1), .body = true} +
                         ElementActivating{.key = k(3), .scope = k(2), .iteration = 7});
       const auto rows = must(stage.index().elements(k(1)));
       equal(rows.size(), 3u);
       equal(rows[1].body, true);
       equal(rows[1].iteration, 0u);
       equal(rows[2].body, false);
       equal(rows[2].iteration, 7u);
     }},
    {"elements_of_one_instance_are_not_those_of_another",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3));
       stage.turn(5, start(5) + element(6, 5, 4));
       equal(brief(stage.index().elements(k(5))), "5 77:0 in 0; 6 77:4 in 5");
       equal(brief(stage.index().elements(k(9))), "");
     }},
    {"variables_of_the_root_are_kept_by_name_and_the_last_value_counts",
     [](Stage& stage) {
       stage.turn(1, start(1) + set(1, "b", 1) + set(1, "a", "x"));
       stage.turn(1, {VariableUpdated{k(1), "b", 2}});
       stage.turn(1, {VariableUpdated{k(1), "b", 3}});
       equal(brief(stage.index().variables(k(1))), "a=\"x\"; b=3");
     }},
    {"variables_of_inner_scopes_are_not_kept",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + set(2, "inner", 1));
       stage.turn(1, {VariableUpdated{k(2), "inner", 2}});
       equal(brief(stage.index().variables(k(1))), "");
     }},
    {"variables_of_two_instances_do_not_mix",
     [](Stage& stage) {
       stage.turn(1, start(1) + set(1, "a", 1));
       stage.turn(2, start(2) + set(2, "a", 2));
       equal(brief(stage.index().variables(k(1))), "a=1");
       equal(brief(stage.index().variables(k(2))), "a=2");
     }},
    {"variables_outlive_the_instance",
     [](Stage& stage) {
       stage.turn(1, start(1) + set(1, "a", 1));
       stage.turn(1, {set(1, "b", 2), completed(1)});
       equal(brief(stage.index().variables(k(1))), "a=1; b=2");
     }},
    {"what_is_still_open_goes_with_its_instance",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2) +
                         TimerCreated{.key = k(4), .element = k(2), .due = ms(9)} +
                         SubscriptionOpened{.key = k(5), .element = k(2), .name = "paid"} +
                         IncidentRaised{.key = k(6), .element = k(2)});
       stage.turn(1, {completed(1)});
       equal(brief(stage.index().elements(k(1))), "");
       equal(brief(stage.index().jobs({})), "");
       equal(brief(stage.index().timers(k(1))), "");
       equal(brief(stage.index().subscriptions()), "");
       equal(brief(stage.index().incidents(Key::none)), "");
     }},
};

}  // namespace

std::span<const Check> instance_checks() { return all_instance_checks; }

}  // namespace pawl::store::conformance

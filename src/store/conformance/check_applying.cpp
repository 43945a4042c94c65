// SPDX-License-Identifier: Apache-2.0
// Positions, windows, restarts.
#include "store/conformance/index_kit.hpp"
#include "store/describe.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

// Something in every table.
void fill(Stage& stage) {
  Record deployed;
  deployed.notices = {ResourceDeployed{k(500), "order.bpmn", "<xml/>", "c0ffee"},
                      ProcessDeployed{k(77), "order", 2, k(500)}};
  stage.put(deployed);
  stage.turn(1,
             start(1, {.id = "a", .at = 3}) + set(1, "x", 1) + element(2, 1, 3) + job(3, 2) +
                 TimerCreated{.key = k(4), .element = k(2), .due = ms(9)} +
                 SubscriptionOpened{.key = k(5), .element = k(2), .name = "paid"} +
                 IncidentRaised{.key = k(6), .element = k(2)},
             {.next_key = 7});
  stage.beside(
      MessagePublished{.key = k(8), .name = "paid", .expires = ms(100), .offered = {k(5)}});
  stage.beside(SignalBroadcast{.key = k(9), .name = "alarm"});
  stage.beside(WorkSetAside{.key = k(10), .instance = k(1), .work = "w", .reason = "r"});
  stage.turn(20, start(20) + completed(20), {.next_key = 21});
}

const Check all_applying_checks[] = {
    {"applied_is_the_position_of_the_last_record",
     [](Stage& stage) {
       fill(stage);
       equal(number(stage.index().applied()), stage.journal().size());
     }},
    {"records_that_are_applied_already_are_passed_over",
     [](Stage& stage) {
       fill(stage);
       const std::string before = describe(stage.index());
       must(stage.index().apply(stage.journal()));
       must(stage.index().apply(std::span(stage.journal()).first(2)));
       equal(describe(stage.index()), before);
     }},
    {"a_span_may_begin_with_records_that_are_applied_already",
     [](Stage& stage) {
       fill(stage);
       static_cast<void>(stage.index());
       stage.turn(1, {JobCompleted{k(3)}});
       std::vector<Committed> all = stage.journal();
       must(stage.index().apply(all));
       equal(number(stage.index().applied()), all.size());
       equal(brief(stage.index().jobs({})), "");
       equal(brief(stage.index().history(k(1))), "2; 7");
     }},
    {"a_gap_is_refused_and_changes_nothing",
     [](Stage& stage) {
       fill(stage);
       const std::string before = describe(stage.index());
       std::vector<Committed> later = {stage.journal().back()};
       later[0].position = stage.index().applied() + 2;
       const auto refused = stage.index().apply(later);
       equal(refused.has_value(), false);
       equal(code_text(refused.error().code), code_text(Code::store_damaged));
       equal(describe(stage.index()), before);
     }},
    {"a_gap_inside_the_span_changes_nothing",
     [](Stage& stage) {
       fill(stage);
       const std::string before = describe(stage.index());
       std::vector<Committed> later(2, stage.journal().back());
       later[0].position = stage.index().applied() + 1;
       later[1].position = stage.index().applied() + 3;
       equal(stage.index().apply(later).has_value(), false);
       equal(describe(stage.index()), before);
     }},
    {"nothing_to_apply_is_fine",
     [](Stage& stage) {
       must(stage.index().apply({}));
       equal(number(stage.index().applied()), 0u);
     }},
    {"a_record_with_nothing_in_it_moves_the_position",
     [](Stage& stage) {
       stage.put({});
       equal(number(stage.index().applied()), 1u);
       equal(brief(stage.index().instances({})), "");
     }},
    {"a_restart_keeps_everything",
     [](Stage& stage) {
       fill(stage);
       must(stage.index().keep_snapshot(k(1), position_from(2), "snap"));
       const std::string before = describe(stage.index());
       stage.reopen();
       equal(describe(stage.index()), before);
     }},
    {"after_a_restart_it_goes_on_where_it_was",
     [](Stage& stage) {
       fill(stage);
       stage.reopen();
       stage.turn(1, {JobCompleted{k(3)}, TimerCanceled{k(4)}, SubscriptionClosed{k(5)},
                      IncidentResolved{k(6)}, completed(2), completed(1)});
       stage.reopen();
       equal(brief(stage.index().instances({})), "1 completed; 20 completed");
       equal(brief(stage.index().jobs({})), "");
       equal(brief(stage.index().incidents(Key::none)), "");
       equal(brief(stage.index().timers(k(1))), "");
     }},
    {"what_is_made_durable_is_everything_applied",
     [](Stage& stage) {
       equal(number(must(stage.index().make_durable())), 0u);
       fill(stage);
       equal(number(must(stage.index().make_durable())), stage.journal().size());
       equal(number(must(stage.index().make_durable())), stage.journal().size());
     }},
    {"the_next_key_of_a_shard_only_grows",
     [](Stage& stage) {
       stage.turn(1, start(1), {.next_key = 10});
       stage.turn(1, {StepTaken{}}, {.next_key = 30});
       stage.turn(1, {StepTaken{}}, {.next_key = 20});
       stage.turn(1ull << 51 | 1, start(1ull << 51 | 1), {.next_key = 1ull << 51 | 2, .shard = 1});
       equal(must(stage.index().next_key(0)), 30u);
       equal(must(stage.index().next_key(1)), 1ull << 51 | 2);
       equal(must(stage.index().next_key(2)), 0u);
     }},
    {"many_instances_in_one_window_do_not_get_in_each_others_way",
     [](Stage& stage) {
       for (std::uint64_t i = 1; i <= 300; ++i) {
         stage.turn(i * 10, start(i * 10) + set(i * 10, "n", static_cast<int>(i)) +
                                element(i * 10 + 1, i * 10, 3) + job(i * 10 + 2, i * 10 + 1));
       }
       for (std::uint64_t i = 1; i <= 300; i += 2) {
         stage.turn(i * 10,
                    {JobCompleted{k(i * 10 + 2)}, completed(i * 10 + 1), completed(i * 10)});
       }
       equal(must(stage.index().instances({.state = InstanceState::completed})).size(), 150u);
       equal(must(stage.index().offerable_jobs("pay", no_limit)).size(), 150u);
       equal(brief(stage.index().variables(k(1230))), "n=123");
       equal(must(stage.index().history(k(1230))).size(), 2u);
     }},
};

}  // namespace

std::span<const Check> applying_checks() { return all_applying_checks; }

}  // namespace pawl::store::conformance

// SPDX-License-Identifier: Apache-2.0
// Instances that follow another process: what is open keeps its key and has another place.
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

constexpr ElementIndex at(std::uint32_t index) { return static_cast<ElementIndex>(index); }

// To version 5 of "later", definition 88. Elements may change places.
Event migrated(std::vector<ElementMove> moves = {{at(3), at(4)}, {at(4), at(3)}}) {
  return InstanceMigrated{
      .definition = k(88), .process = "later", .version = 5, .moves = std::move(moves)};
}
Event incident(std::uint64_t key, std::uint64_t element) {
  return IncidentRaised{.key = k(key), .element = k(element), .message = "bad"};
}
Event waits(std::uint64_t key) {
  return SubscriptionOpened{.key = k(key), .element = k(1), .name = "paid", .correlation = "7"};
}
std::string processes(Stage& stage) {
  std::string text;
  for (const auto& row : must(stage.index().subscriptions())) text += row.process + " ";
  return text;
}

const Check all_migration_checks[] = {
    {"Z469_the_row_of_a_migrated_instance_names_the_other_process",
     [](Stage& stage) {
       stage.turn(1, start(1, {.id = "a", .business_id = "b", .at = 10}));
       stage.turn(1, {migrated()});
       const auto rows = must(stage.index().instances({.process = "later", .business_id = "b"}));
       equal(rows.size(), 1u);
       equal(rows[0].version, 5);
       equal(number(rows[0].definition), 88u);
       equal(rows[0].id, "a");
       equal(rows[0].started.time_since_epoch().count(), 10);
       equal(brief(stage.index().instances({.process = "order"})), "");
       equal(number(must(stage.index().past_of(k(1)))->row.definition), 88u);
     }},
    {"Z469_open_elements_have_their_places_in_the_other_process",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + element(3, 1, 4) + element(9, 1, 3));
       stage.turn(1, {completed(9), migrated()});
       equal(brief(stage.index().elements(k(1))), "1 88:0 in 0; 2 88:4 in 1; 3 88:3 in 1");
       stage.turn(1, {element(4, 1, 3)});
       equal(brief(stage.index().elements(k(1))),
             "1 88:0 in 0; 2 88:4 in 1; 3 88:3 in 1; 4 88:3 in 1");
     }},
    {"Z469_elements_before_and_after_a_migration_of_one_window_are_told_apart",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + migrated() + element(3, 1, 3) +
                         migrated({{at(3), at(7)}, {at(4), at(8)}}) + element(4, 1, 3));
       equal(brief(stage.index().elements(k(1))),
             "1 88:0 in 0; 2 88:8 in 1; 3 88:7 in 1; 4 88:3 in 1");
       equal(must(stage.index().elements(k(1)))[1].element == at(8), true);
     }},
    {"Z469_jobs_timers_variables_and_incidents_stay",
     [](Stage& stage) {
       stage.turn(1, start(1) + set(1, "a", 1) + element(2, 1, 3) + job(3, 2) + incident(4, 2) +
                         incident(5, 1) + TimerCreated{.key = k(6), .element = k(2), .due = ms(9)});
       stage.turn(1, {migrated()});
       equal(brief(stage.index().jobs({})), "3 pay activatable retries 3");
       equal(brief(stage.index().timers(k(1))), "6 due 9");
       equal(brief(stage.index().variables(k(1))), "a=1");
       equal(brief(stage.index().incidents(k(1))),
             "4 UNKNOWN at 88:4 job 3: bad; 5 UNKNOWN at 88:0 job 0: bad");
     }},
    {"Z469_an_incident_after_the_migration_names_the_other_element",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3));
       stage.turn(1, {migrated(), incident(4, 2)});
       equal(brief(stage.index().incidents(k(1))), "4 UNKNOWN at 88:4 job 0: bad");
     }},
    {"Z469_subscriptions_belong_to_the_other_process",
     [](Stage& stage) {
       stage.turn(1, start(1) + waits(5));
       stage.turn(2, start(2) + waits(6));
       stage.turn(1, {migrated(), waits(7)});
       equal(processes(stage), "later order later ");
       stage.beside(MessagePublished{
           .key = k(20), .name = "paid", .correlation = "7", .expires = ms(99), .offered = {k(5)}});
       stage.turn(1, {MailReceived{.subscription = k(5), .mail = k(20)}});
       equal(brief(stage.index().messages()), "20 paid/7 by later");
     }},
    {"Z469_a_migrated_instance_ends_as_any_other",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3));
       stage.turn(1, {migrated(), completed(2), completed(1)}, {.at = 30});
       const auto rows = must(stage.index().instances({}));
       equal(rows[0].process, "later");
       equal(rows[0].state == InstanceState::completed, true);
       equal(brief(stage.index().elements(k(1))), "");
     }},
    {"Z469_the_next_execution_is_that_of_its_start",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3));
       stage.turn(1, {migrated(), InstanceContinued{}, completed(2), completed(1)});
       stage.turn(1, start(1, {.process = "order", .execution = 2}) + element(12, 1, 3),
                  {.execution = 2});
       equal(must(stage.index().instances({}))[0].process, "order");
       equal(brief(stage.index().elements(k(1))), "1 77:0 in 0; 12 77:3 in 1");
     }},
    {"Z469_a_migration_survives_a_restart",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3));
       stage.turn(1, {migrated()});
       stage.reopen();
       equal(brief(stage.index().elements(k(1))), "1 88:0 in 0; 2 88:4 in 1");
       equal(must(stage.index().instances({}))[0].process, "later");
     }},
};

}  // namespace

std::span<const Check> migration_checks() { return all_migration_checks; }

}  // namespace pawl::store::conformance

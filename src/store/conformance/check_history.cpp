// SPDX-License-Identifier: Apache-2.0
// History, snapshots, and whose a key is: what brings an instance back.
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

Past past_of(Stage& stage, std::uint64_t instance) {
  auto past = must(stage.index().past_of(k(instance)));
  equal(past.has_value(), true);
  return std::move(*past);
}

void three_turns(Stage& stage) {
  stage.turn(1, start(1));
  stage.turn(1, {element(2, 1, 3)});
  stage.turn(1, {element(3, 1, 4)});
}

std::uint64_t owner(Stage& stage, std::uint64_t key) {
  return number(must(stage.index().owner_of(k(key))).value_or(Key::none));
}

const Check all_history_checks[] = {
    {"history_has_every_record_of_the_instance_as_it_was",
     [](Stage& stage) {
       stage.turn(1, start(1));
       stage.turn(5, start(5));
       stage.turn(1, {element(2, 1, 3)});
       stage.turn(1, {completed(1)});
       const auto entries = must(stage.index().history(k(1)));
       equal(brief(stage.index().history(k(1))), "1; 3; 4");
       for (const HistoryEntry& entry : entries) {
         equal(entry.bytes, stage.journal()[number(entry.position) - 1].bytes);
       }
       equal(brief(stage.index().history(k(5))), "2");
     }},
    {"an_unknown_instance_has_no_history_and_no_past",
     [](Stage& stage) {
       three_turns(stage);
       equal(brief(stage.index().history(k(9))), "");
       equal(must(stage.index().past_of(k(9))).has_value(), false);
     }},
    {"without_a_snapshot_the_past_is_all_turns",
     [](Stage& stage) {
       three_turns(stage);
       const Past past = past_of(stage, 1);
       equal(past.turns.size(), 3u);
       equal(past.snapshot, "");
       equal(past.row.process, "order");
       std::size_t bytes = 0;
       for (const auto& one : stage.journal()) bytes += one.bytes.size();
       equal(past.bytes, bytes);
     }},
    {"with_a_snapshot_the_past_is_the_turns_after_it",
     [](Stage& stage) {
       three_turns(stage);
       must(stage.index().keep_snapshot(k(1), position_from(2), "snap"));
       const Past past = past_of(stage, 1);
       equal(past.snapshot, "snap");
       equal(number(past.snapshot_at), 2u);
       equal(past.turns.size(), 1u);
       equal(past.turns[0], stage.journal()[2].bytes);
       equal(past.bytes, stage.journal()[2].bytes.size());
       equal(brief(stage.index().history(k(1))), "1; 2; 3");
     }},
    {"turns_after_a_snapshot_are_added_to_the_past",
     [](Stage& stage) {
       three_turns(stage);
       must(stage.index().keep_snapshot(k(1), position_from(3), "snap"));
       equal(past_of(stage, 1).turns.size(), 0u);
       stage.turn(1, {completed(2)});
       equal(past_of(stage, 1).turns.size(), 1u);
     }},
    {"a_new_snapshot_replaces_the_old_one",
     [](Stage& stage) {
       three_turns(stage);
       must(stage.index().keep_snapshot(k(1), position_from(1), "one"));
       must(stage.index().keep_snapshot(k(1), position_from(3), "two"));
       equal(past_of(stage, 1).snapshot, "two");
       equal(past_of(stage, 1).turns.size(), 0u);
     }},
    {"a_snapshot_of_what_is_not_applied_is_ignored",
     [](Stage& stage) {
       three_turns(stage);
       must(stage.index().keep_snapshot(k(1), position_from(4), "too new"));
       equal(past_of(stage, 1).snapshot, "");
     }},
    {"a_snapshot_of_an_instance_that_is_unknown_or_ended_is_ignored",
     [](Stage& stage) {
       three_turns(stage);
       stage.turn(1, {completed(1)});
       must(stage.index().keep_snapshot(k(1), position_from(2), "late"));
       must(stage.index().keep_snapshot(k(99), position_from(2), "whose"));
       equal(past_of(stage, 1).snapshot, "");
       equal(must(stage.index().past_of(k(99))).has_value(), false);
     }},
    {"the_snapshot_goes_when_the_instance_ends",
     [](Stage& stage) {
       three_turns(stage);
       must(stage.index().keep_snapshot(k(1), position_from(3), "snap"));
       stage.turn(1, {completed(1)});
       const Past past = past_of(stage, 1);
       equal(past.snapshot, "");
       equal(past.turns.size(), 4u);
     }},
    {"a_snapshot_with_any_bytes_comes_back_as_it_was",
     [](Stage& stage) {
       three_turns(stage);
       std::string bytes;
       for (int i = 0; i < 200'000; ++i) bytes.push_back(static_cast<char>(i * 7));
       must(stage.index().keep_snapshot(k(1), position_from(3), bytes));
       stage.reopen();
       equal(past_of(stage, 1).snapshot == bytes, true);
     }},
    {"everything_open_knows_its_instance",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2) +
                         TimerCreated{.key = k(4), .element = k(2), .due = ms(9)} +
                         SubscriptionOpened{.key = k(5), .element = k(2), .name = "paid"} +
                         IncidentRaised{.key = k(6), .element = k(2)});
       for (std::uint64_t key = 1; key <= 6; ++key) equal(owner(stage, key), 1u);
       equal(owner(stage, 7), 0u);
     }},
    {"what_has_ended_belongs_to_nobody",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2));
       stage.turn(1, {JobCompleted{k(3)}, completed(2), completed(1)});
       for (std::uint64_t key = 1; key <= 3; ++key) equal(owner(stage, key), 0u);
     }},
};

}  // namespace

std::span<const Check> history_checks() { return all_history_checks; }

}  // namespace pawl::store::conformance

// SPDX-License-Identifier: Apache-2.0
// Timers and subscriptions.
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

Event timer(std::uint64_t key, std::int64_t due) {
  return TimerCreated{.key = k(key), .element = k(1), .due = ms(due)};
}
Event subscription(std::uint64_t key, const char* name, const char* correlation = "") {
  return SubscriptionOpened{
      .key = k(key), .element = k(1), .name = name, .correlation = correlation};
}

const Check all_waiting_checks[] = {
    {"a_timer_is_open_until_it_triggers",
     [](Stage& stage) {
       stage.turn(1, start(1) + timer(5, 100));
       equal(brief(stage.index().timers(k(1))), "5 due 100");
       stage.turn(1, {TimerTriggered{k(5)}});
       equal(brief(stage.index().timers(k(1))), "");
     }},
    {"a_timer_is_open_until_it_is_canceled",
     [](Stage& stage) {
       stage.turn(1, start(1) + timer(5, 100) + timer(6, 50));
       stage.turn(1, {TimerCanceled{k(6)}});
       equal(brief(stage.index().timers(k(1))), "5 due 100");
     }},
    {"a_timer_that_repeats_has_one_open_row",
     [](Stage& stage) {
       stage.turn(1, start(1) + timer(5, 100));
       stage.turn(1, {TimerTriggered{k(5)}, timer(6, 200)});
       stage.turn(1, {TimerTriggered{k(6)}, timer(7, 300)});
       equal(brief(stage.index().timers(k(1))), "7 due 300");
     }},
    {"timers_come_by_due_time_then_key",
     [](Stage& stage) {
       stage.turn(1, start(1) + timer(9, 100) + timer(5, 100) + timer(7, 50));
       equal(brief(stage.index().timers_after(Instant::min(), Key::none, no_limit)),
             "7 due 50; 5 due 100; 9 due 100");
     }},
    {"timers_are_read_in_pages_without_loss_and_without_repetition",
     [](Stage& stage) {
       Events events = start(1);
       for (std::uint64_t i = 0; i < 25; ++i) events.push_back(timer(100 + i, 10 * (i % 4)));
       stage.turn(1, events);
       Instant due = Instant::min();
       Key key = Key::none;
       std::size_t seen = 0;
       for (;;) {
         const auto page = must(stage.index().timers_after(due, key, 4));
         for (const TimerRow& row : page)
           equal(std::pair(due, key) < std::pair(row.due, row.key), true);
         if (page.empty()) break;
         seen += page.size();
         due = page.back().due;
         key = page.back().key;
       }
       equal(seen, 25u);
     }},
    {"timers_before_1970_come_first",
     [](Stage& stage) {
       stage.turn(1, start(1) + timer(5, 1) + timer(6, -1));
       equal(brief(stage.index().timers_after(Instant::min(), Key::none, 1)), "6 due -1");
       equal(brief(stage.index().timers_after(ms(-1), k(6), 5)), "5 due 1");
     }},
    {"a_subscription_is_open_until_it_is_closed",
     [](Stage& stage) {
       stage.turn(1, start(1) + subscription(5, "paid", "42"));
       equal(brief(stage.index().subscriptions()), "5 message paid/42 of 1");
       equal(must(stage.index().subscriptions())[0].process, "order");
       equal(number(must(stage.index().subscriptions())[0].opened), 1u);
       stage.turn(1, {SubscriptionClosed{k(5)}});
       equal(brief(stage.index().subscriptions()), "");
     }},
    {"a_subscription_of_an_older_instance_knows_its_process",
     [](Stage& stage) {
       stage.turn(1, start(1, {.process = "invoice"}));
       equal(brief(stage.index().subscriptions()), "");
       stage.turn(1, {subscription(5, "paid")});
       equal(must(stage.index().subscriptions())[0].process, "invoice");
     }},
    {"signals_and_messages_are_told_apart",
     [](Stage& stage) {
       stage.turn(1, start(1) + SubscriptionOpened{
                                    .key = k(5), .kind = MailKind::signal, .name = "alarm"});
       equal(brief(stage.index().subscriptions()), "5 signal alarm/ of 1");
     }},
    {"subscriptions_can_be_asked_for_by_instance",
     [](Stage& stage) {
       stage.turn(1, start(1) + subscription(5, "a"));
       stage.turn(11, start(11) + subscription(15, "b"));
       equal(brief(stage.index().subscriptions_of(k(11))), "15 message b/ of 11");
       equal(brief(stage.index().subscriptions()), "5 message a/ of 1; 15 message b/ of 11");
     }},
};

}  // namespace

std::span<const Check> waiting_checks() { return all_waiting_checks; }

}  // namespace pawl::store::conformance

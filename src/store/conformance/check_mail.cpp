// SPDX-License-Identifier: Apache-2.0
// Messages and signals on their way.
#include "store/conformance/index_kit.hpp"
#include "value/json.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

MessagePublished message(std::uint64_t key, std::int64_t expires, std::vector<Key> offered = {}) {
  return {.key = k(key),
          .name = "paid",
          .correlation = "42",
          .id = "m-1",
          .expires = ms(expires),
          .variables = object({{"total", 8}}),
          .offered = std::move(offered)};
}

void waiting_instance(Stage& stage) {
  stage.turn(1, start(1) + SubscriptionOpened{
                               .key = k(5), .element = k(1), .name = "paid", .correlation = "42"});
}

const Check all_mail_checks[] = {
    {"a_kept_message_is_there_with_all_that_it_says",
     [](Stage& stage) {
       stage.beside(message(9, 100), 50);
       const auto rows = must(stage.index().messages());
       equal(rows.size(), 1u);
       equal(rows[0].message.name.string(), "paid");
       equal(rows[0].message.correlation, "42");
       equal(rows[0].message.id, "m-1");
       equal(rows[0].message.expires.time_since_epoch().count(), 100);
       equal(to_json(rows[0].message.variables), "{\"total\":8}");
     }},
    {"a_message_that_is_not_kept_and_offered_to_nobody_is_dead",  // G6
     [](Stage& stage) {
       stage.beside(message(9, 50), 50);
       equal(brief(stage.index().messages()), "");
     }},
    {"a_message_that_is_not_kept_lives_until_all_have_answered",
     [](Stage& stage) {
       waiting_instance(stage);
       stage.beside(message(9, 50, {k(6), k(5)}), 50);
       equal(brief(stage.index().messages()), "9 paid/42 to 5 to 6");
       stage.turn(1, {MailReceived{.subscription = k(5), .mail = k(9)}});
       equal(brief(stage.index().messages()), "9 paid/42 to 6 by order");
       stage.beside(MessageRefused{k(9), k(6)});
       equal(brief(stage.index().messages()), "");
     }},
    {"a_kept_message_stays_after_it_was_taken",
     [](Stage& stage) {
       waiting_instance(stage);
       stage.beside(message(9, 100, {k(5)}), 50);
       stage.turn(1, {MailReceived{.subscription = k(5), .mail = k(9)}});
       equal(brief(stage.index().messages()), "9 paid/42 by order");
     }},
    {"a_process_takes_a_message_once_in_the_list",
     [](Stage& stage) {
       waiting_instance(stage);
       stage.beside(message(9, 100, {k(5)}), 50);
       stage.turn(1, {MailReceived{.subscription = k(5), .mail = k(9)}});
       stage.turn(1, {MailReceived{.subscription = k(6), .mail = k(9)}});
       equal(brief(stage.index().messages()), "9 paid/42 by order");
     }},
    {"several_processes_take_a_message_in_the_order_of_their_names",
     [](Stage& stage) {
       stage.beside(message(9, 100), 50);
       stage.turn(1,
                  start(1, {.process = "zoo"}) + MailReceived{.subscription = k(5), .mail = k(9)});
       stage.turn(2,
                  start(2, {.process = "bar"}) + MailReceived{.subscription = k(6), .mail = k(9)});
       equal(brief(stage.index().messages()), "9 paid/42 by bar by zoo");
     }},
    {"a_message_is_offered_later_to_one_who_came_later",
     [](Stage& stage) {
       stage.beside(message(9, 100), 50);
       waiting_instance(stage);
       stage.beside(MessageOffered{k(9), k(5)});
       stage.beside(MessageOffered{k(9), k(4)});
       stage.beside(MessageOffered{k(9), k(5)});
       equal(brief(stage.index().messages()), "9 paid/42 to 4 to 5");
     }},
    {"an_offer_of_a_message_that_is_gone_changes_nothing",
     [](Stage& stage) {
       stage.beside(message(9, 50, {k(5)}), 50);
       stage.beside(MessageRefused{k(9), k(5)});
       stage.beside(MessageOffered{k(9), k(6)});
       equal(brief(stage.index().messages()), "");
     }},
    {"an_expired_message_is_gone",
     [](Stage& stage) {
       stage.beside(message(9, 100, {k(5)}), 50);
       stage.beside(message(8, 100), 50);
       stage.beside(MessageExpired{k(9)});
       equal(brief(stage.index().messages()), "8 paid/42");
     }},
    {"mail_to_a_stored_message_is_remembered_after_a_restart",
     [](Stage& stage) {
       stage.beside(message(9, 100, {k(5), k(6)}), 50);
       stage.reopen();
       waiting_instance(stage);
       stage.turn(1, {MailReceived{.subscription = k(5), .mail = k(9)}});
       stage.reopen();
       equal(brief(stage.index().messages()), "9 paid/42 to 6 by order");
     }},
    {"a_signal_waits_until_all_have_had_it",
     [](Stage& stage) {
       stage.beside(SignalBroadcast{.key = k(9), .name = "alarm", .variables = object({{"a", 1}})});
       equal(brief(stage.index().signals()), "9 alarm at 1");
       equal(to_json(must(stage.index().signals())[0].signal.variables), "{\"a\":1}");
       stage.beside(SignalDelivered{k(9)});
       equal(brief(stage.index().signals()), "");
     }},
    {"receiving_a_signal_touches_no_message",
     [](Stage& stage) {
       stage.beside(message(9, 100, {k(5)}), 50);
       stage.beside(SignalBroadcast{.key = k(10), .name = "alarm"});
       waiting_instance(stage);
       stage.turn(1, {MailReceived{.subscription = k(5), .mail = k(10)}});
       equal(brief(stage.index().messages()), "9 paid/42 to 5");
       equal(brief(stage.index().signals()), "10 alarm at 2");
     }},
    {"a_message_without_variables_comes_back_without",
     [](Stage& stage) {
       stage.beside(MessagePublished{.key = k(9), .name = "x", .expires = ms(5)});
       equal(must(stage.index().messages())[0].message.variables.is_null(), true);
     }},
};

}  // namespace

std::span<const Check> mail_checks() { return all_mail_checks; }

}  // namespace pawl::store::conformance

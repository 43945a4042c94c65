// SPDX-License-Identifier: Apache-2.0
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

void one_job(Stage& stage) { stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2)); }

const Check all_job_checks[] = {
    {"a_new_job_can_be_offered",
     [](Stage& stage) {
       one_job(stage);
       equal(brief(stage.index().offerable_jobs("pay", 10)), "3 pay activatable retries 3");
       const auto rows = must(stage.index().jobs({}));
       equal(number(rows[0].instance), 1u);
       equal(number(rows[0].element), 2u);
     }},
    {"a_completed_job_is_gone",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobCompleted{k(3)}});
       equal(brief(stage.index().jobs({})), "");
       equal(must(stage.index().owner_of(k(3))).has_value(), false);
     }},
    {"a_canceled_job_is_gone_with_its_back_off",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobFailed{.key = k(3), .retries = 2, .retry_at = ms(100)}});
       stage.turn(1, {JobCanceled{k(3)}});
       equal(brief(stage.index().jobs({})), "");
       equal(brief(stage.index().timers(k(1))), "");
     }},
    {"a_failed_job_with_retries_is_offered_again_at_once",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobFailed{.key = k(3), .retries = 2}});
       equal(brief(stage.index().offerable_jobs("pay", 10)), "3 pay activatable retries 2");
       equal(brief(stage.index().timers(k(1))), "");
     }},
    {"a_failed_job_with_back_off_waits_for_its_timer",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobFailed{.key = k(3), .retries = 2, .retry_at = ms(100)}});
       equal(brief(stage.index().offerable_jobs("pay", 10)), "");
       equal(brief(stage.index().jobs({})), "3 pay backing_off retries 2");
       equal(brief(stage.index().timers(k(1))), "3 retries at 100");
     }},
    {"a_job_whose_back_off_is_over_is_offered_again",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobFailed{.key = k(3), .retries = 2, .retry_at = ms(100)}});
       stage.turn(1, {JobRetryDue{k(3)}});
       equal(brief(stage.index().offerable_jobs("pay", 10)), "3 pay activatable retries 2");
       equal(brief(stage.index().timers(k(1))), "");
     }},
    {"a_job_may_back_off_twice",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobFailed{.key = k(3), .retries = 2, .retry_at = ms(100)}});
       stage.turn(1, {JobRetryDue{k(3)}});
       stage.turn(1, {JobFailed{.key = k(3), .retries = 1, .retry_at = ms(300)}});
       equal(brief(stage.index().jobs({})), "3 pay backing_off retries 1");
       equal(brief(stage.index().timers(k(1))), "3 retries at 300");
     }},
    {"a_job_without_retries_waits_for_an_operator",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobFailed{.key = k(3), .retries = 0}});
       equal(brief(stage.index().offerable_jobs("pay", 10)), "");
       equal(brief(stage.index().jobs({})), "3 pay out_of_retries retries 0");
     }},
    {"new_retries_alone_do_not_offer_a_job",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobFailed{.key = k(3), .retries = 0}});
       stage.turn(1, {JobRetriesUpdated{k(3), 5}});
       equal(brief(stage.index().jobs({})), "3 pay out_of_retries retries 5");
     }},
    {"a_job_that_threw_an_error_is_not_offered",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobErrorThrown{.key = k(3), .code = "E"}});
       equal(brief(stage.index().jobs({})), "3 pay out_of_retries retries 3");
     }},
    {"a_job_goes_when_its_element_begins_to_terminate",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobErrorThrown{.key = k(3), .code = "E"}});
       stage.turn(1, {ElementTerminating{k(2)}});
       equal(brief(stage.index().jobs({})), "");
       stage.turn(1, {terminated(2)});
       equal(brief(stage.index().jobs({})), "");
     }},
    {"a_job_may_be_made_for_an_element_that_is_already_open",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3));
       stage.turn(1, {job(3, 2)});
       equal(brief(stage.index().jobs({.instance = k(1)})), "3 pay activatable retries 3");
       stage.turn(1, {JobErrorThrown{.key = k(3)}, ElementTerminating{k(2)}});
       equal(brief(stage.index().jobs({})), "");
     }},
    {"an_element_may_have_one_job_after_the_other",
     [](Stage& stage) {
       one_job(stage);
       stage.turn(1, {JobCompleted{k(3)}, job(4, 2, "again")});
       equal(brief(stage.index().jobs({.instance = k(1)})), "4 again activatable retries 3");
     }},
    {"a_process_may_have_one_job_after_the_other",
     [](Stage& stage) {
       stage.turn(1, start(1) + job(2, 1, "first"));
       equal(brief(stage.index().jobs({.instance = k(1)})), "2 first activatable retries 3");
       stage.turn(1, {JobCompleted{k(2)}, element(3, 1, 3), job(4, 3)});
       stage.turn(1, {JobCompleted{k(4)}, completed(3), job(5, 1, "last")});
       equal(brief(stage.index().jobs({.instance = k(1)})), "5 last activatable retries 3");
       stage.turn(1, {JobCompleted{k(5)}, completed(1)});
       equal(brief(stage.index().jobs({})), "");
     }},
    {"a_job_of_a_process_is_offered_again_when_its_incident_is_resolved",
     [](Stage& stage) {
       stage.turn(1, start(1) + job(2, 1));
       stage.turn(1, {JobFailed{.key = k(2), .retries = 0},
                      IncidentRaised{.key = k(3), .element = k(1), .message = "m"}});
       equal(number(must(stage.index().incidents(k(1))).at(0).job), 2u);
       stage.turn(1, {JobRetriesUpdated{k(2), 1}, IncidentResolved{k(3)}});
       equal(brief(stage.index().offerable_jobs("pay", 10)), "2 pay activatable retries 1");
       stage.turn(1, {JobCompleted{k(2)}});
       stage.turn(1, {IncidentRaised{.key = k(4), .element = k(1), .message = "m"}});
       equal(must(stage.index().incidents(k(1))).at(0).job == Key::none, true);
     }},
    {"a_job_of_a_process_that_threw_an_error_goes_with_it",
     [](Stage& stage) {
       stage.turn(1, start(1) + job(2, 1));
       stage.turn(11, start(11) + job(12, 11));
       stage.turn(1, {JobErrorThrown{.key = k(2), .code = "E"}});
       stage.turn(1, {ElementTerminating{k(1)}, terminated(1)});
       equal(brief(stage.index().jobs({})), "12 pay activatable retries 3");
     }},
    {"jobs_are_offered_by_priority_then_key",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(9, 2, "pay", 0));
       stage.turn(11, start(11) + element(12, 11, 3) + job(13, 12, "pay", 50));
       stage.turn(21, start(21) + element(22, 21, 3) + job(23, 22, "pay", -1));
       stage.turn(31, start(31) + element(32, 31, 3) + job(33, 32, "pay", 50));
       std::string order;
       for (const JobRow& row : must(stage.index().offerable_jobs("pay", 3))) {
         order += fmt::format("{} ", number(row.key));
       }
       equal(order, "13 33 9 ");
     }},
    {"offerable_types_are_those_with_a_job_to_offer",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2, "b") + element(4, 1, 3) +
                         job(5, 4, "a") + element(6, 1, 3) + job(7, 6, "b") + element(8, 1, 3) +
                         job(9, 8, "stuck") + JobFailed{.key = k(9), .retries = 0});
       equal(fmt::format("{}", fmt::join(must(stage.index().offerable_types()), " ")), "a b");
     }},
    {"jobs_can_be_asked_for_by_type_instance_and_availability",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2, "a") + element(4, 1, 3) +
                         job(5, 4, "b") + JobFailed{.key = k(5), .retries = 0});
       stage.turn(11, start(11) + element(12, 11, 3) + job(13, 12, "a"));
       Index& index = stage.index();
       equal(brief(index.jobs({.type = "a"})),
             "3 a activatable retries 3; 13 a activatable retries 3");
       equal(brief(index.jobs({.instance = k(1)})),
             "3 a activatable retries 3; 5 b out_of_retries retries 0");
       equal(brief(index.jobs({.type = "a", .instance = k(11)})), "13 a activatable retries 3");
       equal(brief(index.jobs({.availability = JobAvailability::out_of_retries})),
             "5 b out_of_retries retries 0");
       equal(must(index.jobs({.limit = 2})).size(), 2u);
     }},
};

}  // namespace

std::span<const Check> job_checks() { return all_job_checks; }

}  // namespace pawl::store::conformance

// SPDX-License-Identifier: Apache-2.0
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

void stuck_job(Stage& stage) {
  stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2));
  stage.turn(1,
             {JobFailed{.key = k(3), .retries = 0}, IncidentRaised{.key = k(4),
                                                                   .element = k(2),
                                                                   .kind = IncidentKind::no_retries,
                                                                   .message = "no retries"}},
             {.at = 70});
}

std::uint32_t count(Stage& stage) { return must(stage.index().instances({}))[0].incidents; }

const Check all_incident_checks[] = {
    {"an_incident_names_its_element_its_job_and_its_kind",
     [](Stage& stage) {
       stuck_job(stage);
       equal(brief(stage.index().incidents(Key::none)),
             "4 JOB_NO_RETRIES at 77:3 job 3: no retries");
       const auto rows = must(stage.index().incidents(k(1)));
       equal(number(rows[0].element), 2u);
       equal(number(rows[0].instance), 1u);
       equal(rows[0].at.time_since_epoch().count(), 70);
       equal(count(stage), 1u);
     }},
    {"an_incident_of_an_element_without_job_names_none",
     [](Stage& stage) {
       stage.turn(1,
                  start(1) + element(2, 1, 3) +
                      IncidentRaised{.key = k(4), .element = k(2), .kind = IncidentKind::mapping});
       equal(brief(stage.index().incidents(k(1))), "4 IO_MAPPING_ERROR at 77:3 job 0: ");
     }},
    {"an_incident_after_the_job_ended_names_none",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2));
       stage.turn(1, {JobCompleted{k(3)}, IncidentRaised{.key = k(4), .element = k(2)}});
       equal(brief(stage.index().incidents(k(1))), "4 UNKNOWN at 77:3 job 0: ");
       stage.turn(1, {IncidentResolved{k(4)}});
       equal(brief(stage.index().jobs({})), "");
     }},
    {"an_incident_of_the_root_names_the_process",
     [](Stage& stage) {
       stage.turn(1, start(1));
       equal(brief(stage.index().incidents(k(1))), "");
       stage.turn(1, {IncidentRaised{.key = k(4), .element = k(1)}});
       equal(brief(stage.index().incidents(k(1))), "4 UNKNOWN at 77:0 job 0: ");
     }},
    {"a_resolved_incident_is_gone_and_its_job_is_offered_again",
     [](Stage& stage) {
       stuck_job(stage);
       stage.turn(1, {JobRetriesUpdated{k(3), 2}});
       stage.turn(1, {IncidentResolved{k(4)}});
       equal(brief(stage.index().incidents(Key::none)), "");
       equal(brief(stage.index().offerable_jobs("pay", 9)), "3 pay activatable retries 2");
       equal(count(stage), 0u);
     }},
    {"a_job_that_threw_is_offered_again_when_its_incident_is_resolved",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2));
       stage.turn(1, {JobErrorThrown{.key = k(3), .code = "E"},
                      IncidentRaised{.key = k(4), .element = k(2)}});
       stage.turn(1, {IncidentResolved{k(4)}});
       equal(brief(stage.index().jobs({})), "3 pay activatable retries 3");
     }},
    {"resolving_in_the_course_of_a_termination_offers_nothing",
     [](Stage& stage) {
       stage.turn(1, start(1) + element(2, 1, 3) + job(3, 2));
       stage.turn(1, {JobErrorThrown{.key = k(3), .code = "E"},
                      IncidentRaised{.key = k(4), .element = k(2)}});
       stage.turn(1, {ElementTerminating{k(2)}, IncidentResolved{k(4)}});
       equal(brief(stage.index().jobs({})), "");
       stage.turn(1, {terminated(2)});
       equal(brief(stage.index().jobs({})), "");
     }},
    {"incidents_are_counted_per_instance_and_found_by_it",
     [](Stage& stage) {
       stuck_job(stage);
       stage.turn(11, start(11));
       stage.turn(1, {element(5, 1, 4), IncidentRaised{.key = k(6), .element = k(5)}});
       equal(brief(stage.index().instances({.with_incidents = true})), "1 active");
       equal(count(stage), 2u);
       equal(must(stage.index().incidents(k(11))).size(), 0u);
     }},
    {"work_that_was_set_aside_is_an_incident_until_it_is_resumed",  // G9
     [](Stage& stage) {
       stage.turn(1, start(1));
       stage.beside(WorkSetAside{.key = k(9),
                                 .instance = k(1),
                                 .subject = k(5),
                                 .work = "trigger timer",
                                 .reason = "it broke",
                                 .at = ms(80)});
       equal(brief(stage.index().incidents(k(1))),
             "9 WORK_SET_ASIDE at  job 0: trigger timer: it broke");
       const auto row = must(stage.index().incidents(k(1)))[0];
       equal(number(row.subject), 5u);
       equal(row.at.time_since_epoch().count(), 80);
       equal(count(stage), 1u);
       equal(number(must(stage.index().owner_of(k(9))).value_or(Key::none)), 1u);
       stage.beside(WorkResumed{k(9)});
       equal(brief(stage.index().incidents(Key::none)), "");
     }},
    {"work_that_was_set_aside_goes_with_its_instance",
     [](Stage& stage) {
       stage.turn(1, start(1));
       stage.beside(WorkSetAside{.key = k(9), .instance = k(1)});
       stage.turn(1, {terminated(1)});
       equal(brief(stage.index().incidents(Key::none)), "");
     }},
};

}  // namespace

std::span<const Check> incident_checks() { return all_incident_checks; }

}  // namespace pawl::store::conformance

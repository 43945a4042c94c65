// SPDX-License-Identifier: Apache-2.0
// Questions about instances, deployments, and texts that try to be more than texts.
#include "store/conformance/index_kit.hpp"
#include "value/json.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

void five_instances(Stage& stage) {
  stage.turn(1, start(1, {.process = "a", .id = "one"}));
  stage.turn(2, start(2, {.process = "b", .business_id = "case"}), {.more = true});
  stage.turn(3, start(3, {.process = "a", .business_id = "case"}) + completed(3));
  stage.turn(4, start(4, {.process = "a", .id = "one"}) + terminated(4));
  stage.turn(5, start(5, {.process = "a"}), {.more = true});
}

const Check all_query_checks[] = {
    {"instances_can_be_asked_for_by_each_property",
     [](Stage& stage) {
       five_instances(stage);
       const std::pair<InstanceQuery, const char*> rows[] = {
           {{.state = InstanceState::active}, "1 active; 2 active; 5 active"},
           {{.state = InstanceState::completed}, "3 completed"},
           {{.state = InstanceState::terminated}, "4 terminated"},
           {{.process = "b"}, "2 active"},
           {{.state = InstanceState::active, .process = "a"}, "1 active; 5 active"},
           {{.id = "one"}, "1 active; 4 terminated"},
           {{.state = InstanceState::active, .id = "one"}, "1 active"},
           {{.business_id = "case"}, "2 active; 3 completed"},
           {{.state = InstanceState::active, .process = "b", .business_id = "case"}, "2 active"},
           {{.busy = true}, "2 active; 5 active"},
           {{.with_incidents = true}, ""},
           {{.process = "a", .busy = true}, "5 active"},
           {{.id = "nobody"}, ""},
       };
       for (const auto& [query, expected] : rows) {
         equal(brief(stage.index().instances(query)), expected);
       }
     }},
    {"instances_are_read_in_pages",
     [](Stage& stage) {
       five_instances(stage);
       equal(brief(stage.index().instances({.limit = 2})), "1 active; 2 active");
       equal(brief(stage.index().instances({.after = k(2), .limit = 2})),
             "3 completed; 4 terminated");
       equal(brief(stage.index().instances({.after = k(4), .limit = 2})), "5 active");
       equal(brief(stage.index().instances({.after = k(5)})), "");
       equal(brief(stage.index().instances({.limit = 0})), "");
     }},
    {"instances_of_several_shards_come_by_key",
     [](Stage& stage) {
       const std::uint64_t high = 3ull << 51;
       stage.turn(high | 1, start(high | 1), {.shard = 3});
       stage.turn(7, start(7));
       equal(brief(stage.index().instances({})), fmt::format("7 active; {} active", high | 1));
       equal(must(stage.index().instances({.after = k(7)})).at(0).shard, 3u);
     }},
    {"hostile_texts_are_only_texts",
     [](Stage& stage) {
       stage.turn(1, start(1, {.process = hostile, .id = hostile, .business_id = hostile}) +
                         set(1, hostile, hostile) + element(2, 1, 3) + job(3, 2, hostile) +
                         SubscriptionOpened{.key = k(4), .name = hostile, .correlation = hostile} +
                         IncidentRaised{.key = k(5), .element = k(2), .message = hostile});
       Index& index = stage.index();
       equal(brief(index.instances({.process = hostile, .id = hostile, .business_id = hostile})),
             "1 active");
       equal(must(index.variables(k(1))).at(0).name, hostile);
       equal(must(index.variables(k(1))).at(0).value.as_string(), hostile);
       equal(must(index.offerable_jobs(hostile, 1)).size(), 1u);
       equal(must(index.jobs({.type = hostile})).size(), 1u);
       equal(must(index.offerable_types()).at(0), hostile);
       equal(must(index.subscriptions()).at(0).correlation, hostile);
       equal(must(index.incidents(k(1))).at(0).message, hostile);
     }},
    {"a_hostile_question_finds_nothing",
     [](Stage& stage) {
       five_instances(stage);
       equal(brief(stage.index().instances({.id = "' OR '1'='1"})), "");
       equal(brief(stage.index().jobs({.type = "' OR 1 --"})), "");
       equal(brief(stage.index().instances({})).empty(), false);
     }},
    {"every_script_of_the_world_and_a_zero_byte_come_back",
     [](Stage& stage) {
       const std::string text("\xC3\xBC\xE2\x82\xAC\xF0\x9F\x90\xBE\0end", 13);
       stage.turn(1, start(1, {.id = text}) + set(1, "t", text));
       stage.reopen();
       equal(must(stage.index().instances({.id = text})).at(0).id, text);
       equal(must(stage.index().variables(k(1))).at(0).value.as_string(), text);
     }},
    {"values_of_every_kind_come_back",
     [](Stage& stage) {
       const char* rows[] = {
           "null", "true", "-1",    "9223372036854775807",       "0.1", "\"\"", "[]",
           "{}",   "1e40", "[[1]]", "{\"\":[null,{\"a\":2.50}]}"};
       Events events = start(1);
       for (std::size_t i = 0; i < std::size(rows); ++i) {
         events.push_back(set(1, fmt::format("v{:02}", i).c_str(), must(parse_json(rows[i]))));
       }
       stage.turn(1, events);
       const auto found = must(stage.index().variables(k(1)));
       equal(found.size(), std::size(rows));
       for (std::size_t i = 0; i < std::size(rows); ++i) {
         equal(to_json(found[i].value), to_json(must(parse_json(rows[i]))));
       }
     }},
    {"large_values_and_records_come_back",
     [](Stage& stage) {
       const std::string large(3'000'000, 'x');
       stage.turn(1, start(1) + set(1, "large", large));
       stage.turn(1, {VariableUpdated{k(1), "other", large}});
       stage.reopen();
       equal(must(stage.index().variables(k(1))).at(0).value.as_string() == large, true);
       equal(must(stage.index().history(k(1))).at(0).bytes == stage.journal()[0].bytes, true);
     }},
    {"a_deployment_is_there_with_its_processes",
     [](Stage& stage) {
       Record record;
       record.notices = {ResourceDeployed{k(5), "order.bpmn", "<xml/>", "c0ffee"},
                         ProcessDeployed{k(6), "order", 1, k(5)},
                         ProcessDeployed{k(7), "ship", 4, k(5)}};
       stage.put(record);
       const auto rows = must(stage.index().definitions());
       equal(rows.size(), 2u);
       equal(rows[1].process.id, "ship");
       equal(rows[1].process.version, 4);
       equal(number(rows[1].process.resource), 5u);
       equal(rows[0].resource_name, "order.bpmn");
       equal(rows[0].checksum, "c0ffee");
       equal(must(stage.index().resource(k(5))), "<xml/>");
     }},
    {"a_resource_that_is_not_there_is_an_error_of_the_caller",
     [](Stage& stage) {
       const auto missing = stage.index().resource(k(5));
       equal(missing.has_value(), false);
       equal(code_text(missing.error().code), code_text(Code::not_found));
     }},
    {"a_resource_may_be_empty_and_may_be_binary",
     [](Stage& stage) {
       const std::string binary("\0\xFF\x01", 3);
       stage.beside(ResourceDeployed{.key = k(5), .name = "e"});
       stage.beside(ResourceDeployed{.key = k(6), .name = "b", .content = binary});
       equal(must(stage.index().resource(k(5))), "");
       equal(must(stage.index().resource(k(6))), binary);
     }},
};

}  // namespace

std::span<const Check> query_checks() { return all_query_checks; }

}  // namespace pawl::store::conformance

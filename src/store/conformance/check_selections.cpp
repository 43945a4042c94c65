// SPDX-License-Identifier: Apache-2.0
// Selections: every operator on every kind of column, orders with ties and absent cells, pages in
// both directions, values that try to be SQL, and whose a key is.
#include <algorithm>

#include "store/conformance/index_kit.hpp"
#include "store/selection.hpp"

namespace pawl::store::conformance {
namespace {

using namespace engine;  // NOLINT: a table of events

Cell num(std::int64_t value) { return value; }
Cell txt(std::string value) { return value; }

Cell fact_for_test(Key definition, ElementIndex element, bool body, Fact fact) {
  return fmt::format("{}/{}/{}/{}", number(definition), number(element), body,
                     static_cast<int>(fact));
}

// The keys of the rows; of variables, their names.
std::string keys(Stage& stage, Selection selection) {
  selection.facts = fact_for_test;
  selection.count_limit = 100;
  std::string text;
  for (const Cells& row : must(stage.index().find_rows(selection)).rows) {
    text += text.empty() ? "" : " ";
    text += selection.table == Table::variables
                ? std::string(row.text_at(Column::name))
                : fmt::format("{}", number(row.key_at(Column::key)));
  }
  return text;
}

void some_instances(Stage& stage) {
  stage.turn(1, start(1, {.process = "a", .business_id = "x*y", .at = 10}));
  stage.turn(2, start(2, {.process = "b", .business_id = "xay", .at = 20}));
  stage.turn(3, start(3, {.process = "a", .at = 20}) + completed(3), {.at = 30});
  stage.turn(4, start(4, {.process = hostile, .at = 10}) + terminated(4), {.at = 25});
  stage.turn(5, start(5, {.process = "a", .business_id = "äy", .at = 30}) + element(50, 5, 3) +
                    IncidentRaised{.key = k(51), .element = k(50), .message = "broke"});
}

struct Case {
  Condition condition;
  const char* expected;
};

void expect_cases(Stage& stage, Table table, std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    equal(keys(stage, {.table = table, .all = {.where = {one.condition}}}), one.expected);
  }
}

constexpr Column all_instances = Column::key;

const Check all_selection_checks[] = {
    {"selections_know_every_operator_on_texts",
     [](Stage& stage) {
       some_instances(stage);
       constexpr Column process = Column::process, business = Column::business_id;
       expect_cases(stage, Table::instances,
                    {{{process, Op::in, {txt("a")}}, "1 3 5"},
                     {{process, Op::in, {txt("b"), txt(hostile), txt("c")}}, "2 4"},
                     {{process, Op::in, {}}, ""},
                     {{process, Op::not_in, {txt("a")}}, "2 4"},
                     {{process, Op::not_in, {}}, "1 2 3 4 5"},
                     {{process, Op::like, {txt("x'; DROP*")}}, "4"},
                     {{process, Op::like, {txt("%")}}, ""},
                     {{process, Op::like, {txt("*")}}, "1 2 3 4 5"},
                     {{business, Op::exists, {}}, "1 2 5"},
                     {{business, Op::absent, {}}, "3 4"},
                     {{business, Op::not_in, {txt("xay")}}, "1 3 4 5"},
                     {{business, Op::like, {txt("x?y")}}, "1 2"},
                     {{business, Op::like, {txt("x\\*y")}}, "1"},
                     {{business, Op::like, {txt("?y")}}, "5"},
                     {{business, Op::like, {txt("X*")}}, ""},
                     {{business, Op::greater, {txt("xay")}}, "5"},
                     {{business, Op::at_most, {txt("xay")}}, "1 2"}});
     }},
    {"selections_know_every_operator_on_numbers",
     [](Stage& stage) {
       some_instances(stage);
       constexpr Column started = Column::started, ended = Column::ended;
       expect_cases(stage, Table::instances,
                    {{{started, Op::in, {num(10)}}, "1 4"},
                     {{started, Op::in, {num(30), num(10)}}, "1 4 5"},
                     {{started, Op::not_in, {num(10)}}, "2 3 5"},
                     {{started, Op::greater, {num(20)}}, "5"},
                     {{started, Op::at_least, {num(20)}}, "2 3 5"},
                     {{started, Op::less, {num(20)}}, "1 4"},
                     {{started, Op::at_most, {num(20)}}, "1 2 3 4"},
                     {{ended, Op::exists, {}}, "3 4"},
                     {{ended, Op::absent, {}}, "1 2 5"},
                     {{ended, Op::less, {num(30)}}, "4"},
                     {{ended, Op::not_in, {num(30)}}, "1 2 4 5"},
                     {{Column::has_incident, Op::in, {num(1)}}, "5"},
                     {{Column::has_incident, Op::in, {num(0)}}, "1 2 3 4"},
                     {{Column::has_incident, Op::in, {num(0), num(1)}}, "1 2 3 4 5"},
                     {{all_instances, Op::in, {num(2), num(9)}}, "2"}});
     }},
    {"selections_know_states_and_what_models_say",
     [](Stage& stage) {
       some_instances(stage);
       expect_cases(stage, Table::instances,
                    {{{Column::state, Op::in, {txt("active")}}, "1 2 5"},
                     {{Column::state, Op::in, {txt("completed")}}, "3"},
                     {{Column::state, Op::in, {txt("active"), txt("terminated")}}, "1 2 4 5"},
                     {{Column::state, Op::in, {txt("' OR 1 --")}}, ""},
                     {{Column::process_name, Op::in, {txt("77/0/false/0")}}, "1 2 3 4 5"},
                     {{Column::version_tag, Op::like, {txt("*/1")}}, "1 2 3 4 5"},
                     {{Column::version_tag, Op::like, {txt("*/0")}}, ""}});
       equal(keys(stage, {.all = {.where = {{Column::state, Op::in, {txt("active")}},
                                            {Column::business_id, Op::in, {txt("xay")}}}}}),
             "2");
       equal(keys(stage, {.table = Table::elements,
                          .all = {.where = {{Column::element_type, Op::like, {txt("77/3/*/3")}}}}}),
             "50");
     }},
    {"selections_tell_a_path_from_its_sub_process_and_from_a_body",
     [](Stage& stage) {
       const auto made = [](std::uint64_t key, std::uint64_t scope, bool body, bool path) {
         return ElementActivating{.key = k(key),
                                  .scope = k(scope),
                                  .element = ElementIndex{3},
                                  .body = body,
                                  .path = path};
       };
       stage.turn(1, start(1) + made(2, 1, true, false) + made(3, 2, false, false) +
                         made(4, 3, false, true));
       const auto of_type = [&](const char* type) {
         return keys(stage, {.table = Table::elements,
                             .all = {.where = {{Column::element_type, Op::in, {txt(type)}}}}});
       };
       equal(of_type("77/3/true/3"), "2");
       equal(of_type("77/3/false/3"), "3");
       equal(of_type("AD_HOC_SUB_PROCESS_INNER_INSTANCE"), "4");
       const auto rows = must(stage.index().elements(k(1)));
       equal(rows[1].body, true);
       equal(rows[3].body, false);
     }},
    {"selections_combine_clauses_with_or",
     [](Stage& stage) {
       some_instances(stage);
       Selection selection{.all = {.where = {{Column::process, Op::in, {txt("a")}}}}};
       selection.any = {{.where = {{Column::started, Op::in, {num(10)}}}},
                        {.where = {{Column::state, Op::in, {txt("completed")}}}}};
       equal(keys(stage, selection), "1 3");
       selection.any = {{.where = {{Column::process, Op::in, {txt("b")}}}}};
       equal(keys(stage, selection), "");
     }},
    {"selections_ask_for_rows_of_other_tables",
     [](Stage& stage) {
       some_instances(stage);
       stage.turn(1, {set(1, "colour", "blue"), set(1, "size", 3)});
       stage.turn(2, {set(2, "colour", hostile), element(60, 2, 4), job(61, 60, "pack")});
       const auto with = [&](Related related) {
         return keys(stage, {.all = {.related = {std::move(related)}}});
       };
       const auto variable = [](const char* name, std::string value) {
         return std::vector<Condition>{{Column::name, Op::in, {txt(name)}},
                                       {Column::value, Op::in, {txt(std::move(value))}}};
       };
       equal(with({.table = Table::variables, .where = variable("colour", "\"blue\"")}), "1");
       equal(with({.table = Table::variables, .where = variable("size", "3")}), "1");
       equal(with({.table = Table::variables, .where = variable("size", "\"blue\"")}), "");
       equal(with({.table = Table::variables,
                   .negated = true,
                   .where = variable("colour", "\"blue\"")}),
             "2 3 4 5");
       equal(with({.table = Table::variables,
                   .where = {{Column::value, Op::like, {txt("*DROP TABLE*")}}}}),
             "2");
       equal(
           with({.table = Table::elements, .where = {{Column::element_id, Op::in, {txt("77:4")}}}}),
           "2");
       equal(with({.table = Table::jobs, .where = {{Column::type, Op::in, {txt("pack")}}}}), "2");
       equal(
           with({.table = Table::incidents, .where = {{Column::message, Op::like, {txt("bro*")}}}}),
           "5");
       equal(with({.table = Table::incidents, .negated = true}), "1 2 3 4");
       equal(keys(stage,
                  {.table = Table::jobs,
                   .all = {.related = {{.table = Table::variables,
                                        .where = {{Column::name, Op::in, {txt("colour")}}}}}}}),
             "61");
     }},
    {"selections_order_rows_and_break_ties_by_key",
     [](Stage& stage) {
       some_instances(stage);
       const auto by = [&](std::vector<Order> order) {
         return keys(stage, {.order = std::move(order)});
       };
       equal(by({}), "1 2 3 4 5");
       equal(by({{Column::key, true}}), "5 4 3 2 1");
       equal(by({{Column::started, false}}), "1 4 2 3 5");
       equal(by({{Column::started, true}}), "5 2 3 1 4");
       equal(by({{Column::ended, false}}), "1 2 5 4 3");  // absent first
       equal(by({{Column::ended, true}}), "3 4 1 2 5");
       equal(by({{Column::process, false}, {Column::started, true}}), "5 3 1 2 4");
       equal(by({{Column::process_name, true}}), "1 2 3 4 5");
       equal(by({{Column::has_incident, true}}), "5 1 2 3 4");
     }},
    {"selections_give_pages_without_gaps_or_doubles",
     [](Stage& stage) {
       some_instances(stage);
       for (const Column column : {Column::key, Column::started, Column::ended, Column::process,
                                   Column::business_id, Column::state, Column::process_name}) {
         for (const bool descending : {false, true}) {
           Selection page{.order = {{column, descending}}, .limit = 2};
           const auto cursor = [&](const Cells& row) {
             return std::vector<Cell>{row.at(column), row.at(Column::key)};
           };
           page.facts = fact_for_test;
           auto whole = page;
           whole.limit = 100;
           const auto all = must(stage.index().find_rows(whole)).rows;
           for (std::size_t i = 0; i < all.size(); ++i) {
             page.after = cursor(all[i]);
             page.backward = false;
             const auto next = must(stage.index().find_rows(page)).rows;
             equal(next.size(), std::min<std::size_t>(2, all.size() - i - 1));
             if (!next.empty())
               equal(next[0].key_at(Column::key) == all[i + 1].key_at(Column::key), true);
             page.backward = true;
             const auto before = must(stage.index().find_rows(page)).rows;
             equal(before.size(), std::min<std::size_t>(2, i));
             if (i > 0)
               equal(before.back().key_at(Column::key) == all[i - 1].key_at(Column::key), true);
           }
         }
       }
     }},
    {"selections_count_up_to_a_limit",
     [](Stage& stage) {
       some_instances(stage);
       const auto total = [&](std::size_t limit) {
         const auto found = must(stage.index().find_rows({.limit = 1, .count_limit = limit}));
         return fmt::format("{}{}", found.total, found.more ? "+" : "");
       };
       equal(total(4), "4+");
       equal(total(5), "5");
       equal(total(0), "0+");
       equal(keys(stage, {.offset = 3, .limit = 1}), "4");
       equal(keys(stage, {.offset = 9}), "");
       equal(keys(stage, {.limit = 0}), "");
     }},
    {"selections_know_the_rows_of_every_table",
     [](Stage& stage) {
       stage.turn(1,
                  start(1) + element(2, 1, 3) + job(3, 2, "pay") +
                      SubscriptionOpened{
                          .key = k(4), .element = k(2), .name = "paid", .correlation = "42"} +
                      set(1, "a", 1) + set(2, "inner", 1) +
                      IncidentRaised{.key = k(5), .element = k(2), .message = "m"},
                  {.at = 7});
       stage.beside(WorkSetAside{.key = k(6), .instance = k(1), .work = "w", .at = ms(8)});
       equal(keys(stage, {.table = Table::elements}), "2");
       equal(keys(stage, {.table = Table::variables}), "a");
       equal(keys(stage, {.table = Table::incidents}), "5 6");
       equal(keys(stage, {.table = Table::jobs}), "3");
       equal(keys(stage, {.table = Table::subscriptions}), "4");
       const auto one = [&](Table table) {
         return must(stage.index().find_rows({.table = table, .limit = 1})).rows.at(0);
       };
       const Cells element_row = one(Table::elements);
       equal(element_row.number_at(Column::incident), 5);
       equal(element_row.number_at(Column::has_incident), 1);
       equal(element_row.number_at(Column::scope), 1);
       equal(element_row.number_at(Column::element_index), 3);
       equal(element_row.text_at(Column::element_id), "77:3");
       equal(is_absent(element_row.at(Column::element_name)), true);  // only if ordered by it
       const Cells job_row = one(Table::jobs);
       equal(job_row.text_at(Column::state), "activatable");
       equal(job_row.text_at(Column::element_id), "77:3");
       equal(job_row.number_at(Column::retries), 3);
       const Cells incident_row = one(Table::incidents);
       equal(incident_row.number_at(Column::job), 3);
       equal(incident_row.number_at(Column::started), 7);
       const Cells aside = must(stage.index().find_rows({.table = Table::incidents})).rows.at(1);
       equal(aside.number_at(Column::element), 1);  // the instance itself
       equal(aside.text_at(Column::element_id), "order");
       const Cells variable_row = one(Table::variables);
       equal(variable_row.number_at(Column::size), 1);
       const Cells subscription_row = one(Table::subscriptions);
       equal(subscription_row.text_at(Column::correlation), "42");
       equal(subscription_row.text_at(Column::process), "order");
     }},
    {"jobs_of_listeners_and_of_processes_are_known_as_such",
     [](Stage& stage) {
       const auto listener = [](std::uint64_t key, std::uint64_t element, JobKind kind) -> Event {
         return JobCreated{.key = k(key), .element = k(element), .type = "l", .kind = kind};
       };
       stage.turn(1, start(1) + listener(2, 1, JobKind::start_listener));
       stage.turn(11, start(11) + element(12, 11, 3) + listener(13, 12, JobKind::end_listener) +
                          element(14, 11, 3) + job(15, 14) + element(16, 11, 4) +
                          listener(17, 16, JobKind::before_all_listener));
       expect_cases(stage, Table::jobs,
                    {{{Column::kind, Op::in, {txt("task")}}, "15"},
                     {{Column::kind, Op::in, {txt("start_listener")}}, "2"},
                     {{Column::kind, Op::not_in, {txt("task")}}, "2 13 17"},
                     {{Column::kind, Op::like, {txt("before_all*")}}, "17"},
                     {{Column::element_index, Op::in, {num(0)}}, "2"},
                     {{Column::element_id, Op::in, {txt("order")}}, "2"},
                     {{Column::element_id, Op::in, {txt("77:3")}}, "13 15"}});
       equal(keys(stage, {.table = Table::jobs, .order = {{Column::element_name, true}}}),
             "17 13 15 2");
     }},
    {"every_kept_column_can_be_asked_for_and_ordered_by",
     [](Stage& stage) {
       some_instances(stage);
       stage.turn(5, {job(52, 50), set(5, "v", 1),
                      SubscriptionOpened{.key = k(53), .element = k(50), .name = "n"}});
       Events called = start(6);
       std::get<InstanceStarted>(called.front()).caller =
           Caller{.instance = k(5), .element = k(50), .root = k(5)};
       stage.turn(6, called);
       for (const Table table : {Table::instances, Table::elements, Table::variables,
                                 Table::incidents, Table::jobs, Table::subscriptions}) {
         for (const KeptColumn& one : kept_columns(table)) {
           Selection selection{.table = table, .order = {{one.column, true}}};
           selection.all.where = {{one.column, Op::exists, {}}};
           // The incident came before the job; some instances have no business id, have not ended,
           // or were called by nobody.
           const bool never = table == Table::incidents && one.column == Column::job;
           const bool some = one.column == Column::business_id || one.column == Column::ended ||
                             one.column == Column::caller || one.column == Column::caller_element;
           equal(keys(stage, selection).empty(), never);
           selection.all.where = {{one.column, Op::absent, {}}};
           equal(keys(stage, selection).empty(), !some && !never);
         }
       }
     }},
    {"selections_that_no_index_can_answer_are_refused",
     [](Stage& stage) {
       const Selection rows[] = {
           {.all = {.where = {{Column::assignee, Op::exists, {}}}}},
           {.all = {.where = {{Column::process, Op::in, {num(1)}}}}},
           {.all = {.where = {{Column::key, Op::in, {txt("1")}}}}},
           {.all = {.where = {{Column::key, Op::like, {txt("1")}}}}},
           {.all = {.where = {{Column::key, Op::less, {}}}}},
           {.order = {{Column::assignee, false}}},
           {.after = {num(1), num(2)}},
           {.after = {txt("1")}},
           {.all = {.related = {{.table = Table::variables, .by = Related::By::element}}}},
       };
       for (const Selection& one : rows) {
         equal(stage.index().find_rows(one).has_value(), false);
       }
     }},
    {"the_instance_that_made_a_key_beside_its_shard_is_found",
     [](Stage& stage) {
       stage.turn(10, start(10), {.next_key = 300});  // 11 to 20 are for a turn of it that is away
       stage.turn(21, start(21) + element(22, 21, 1), {.next_key = 300});
       stage.turn(23, start(23) + element(24, 23, 1), {.next_key = 300});
       stage.turn(10, {element(11, 10, 1), completed(11)}, {.next_key = 300});
       for (const auto& [key, maker] : {std::pair{11u, 10u}, {22u, 21u}, {24u, 23u}, {12u, 0u}}) {
         equal(number(must(stage.index().maker_of(k(key))).value_or(Key::none)), maker);
       }
     }},
    {"the_instance_that_made_a_key_is_found_when_all_of_it_is_gone",
     [](Stage& stage) {
       stage.turn(10, start(10) + element(11, 10, 1), {.next_key = 12});
       stage.turn(12, start(12), {.next_key = 13});
       stage.beside(MessageExpired{});
       const std::uint64_t other = 1ull << 51;
       stage.turn(other | 1, start(other | 1) + element(other | 2, other | 1, 1),
                  {.next_key = other | 3, .shard = 1});
       stage.turn(10, {element(13, 10, 2), completed(13)}, {.next_key = 14});
       stage.turn(12, {element(14, 12, 2), completed(14)}, {.next_key = 15});
       stage.turn(10, {completed(11)}, {.next_key = 15});
       const auto maker = [&](std::uint64_t key) {
         return number(must(stage.index().maker_of(k(key))).value_or(Key::none));
       };
       const std::pair<std::uint64_t, std::uint64_t> rows[] = {{10, 10},
                                                               {11, 10},
                                                               {12, 12},
                                                               {13, 10},
                                                               {14, 12},
                                                               {15, 0},
                                                               {99, 0},
                                                               {other | 1, other | 1},
                                                               {other | 2, other | 1},
                                                               {other | 3, 0}};
       for (const auto& [key, expected] : rows) equal(maker(key), expected);
       stage.reopen();
       for (const auto& [key, expected] : rows) equal(maker(key), expected);
     }},
    {"the_size_of_a_history_is_known_before_it_is_read",
     [](Stage& stage) {
       stage.turn(1, start(1));
       const std::size_t small = must(stage.index().history_bytes(k(1)));
       stage.turn(1, {set(1, "a", std::string(1'000, 'x'))});
       const std::size_t large = must(stage.index().history_bytes(k(1)));
       equal(small > 0, true);
       equal(large > small + 1'000, true);
       equal(must(stage.index().history_bytes(k(2))), 0u);
     }},
};

}  // namespace

std::span<const Check> selection_checks() { return all_selection_checks; }

}  // namespace pawl::store::conformance

// SPDX-License-Identifier: Apache-2.0
// Requests that are refused, each with the name of the field and what is allowed; and cursors.
#include "server/search/request.hpp"

#include "server/search/cursor.hpp"
#include "server/search/scene_for_test.hpp"

namespace pawl::server {
namespace {

TEST(SearchRequest, is_refused_with_a_text_that_helps) {
  struct Row {
    Entity entity;
    std::string_view request;
    std::string_view part;  // of the text
  };
  using enum Entity;
  const Row rows[] = {
      {jobs, "nonsense", "PAWL-1001"},
      {jobs, "[]", "object"},
      {jobs, R"({"filter":5})", "must be an object"},
      {jobs, R"({"filter":{"colour":1}})", "jobs have no filter \"colour\"; there is deadline"},
      {jobs, R"({"filter":{"customHeaders":1}})", "no filter \"customHeaders\""},
      {jobs, R"({"filter":{"$or":[]}})", "no filter \"$or\""},
      {process_instances, R"({"filter":{"$or":{}}})", "list of filters"},
      {process_instances, R"({"filter":{"$or":[{"$or":[]}]}})", "no filter \"$or\""},
      {process_instances, R"({"filter":{"$or":[{"x":1}]}})", "no filter \"x\""},
      {process_instances, R"({"filter":{"incidentErrorHashCode":1}})", "incidentErrorHashCode"},
      {process_instances, R"({"filter":{"state":"SLEEPING"}})",
       "\"state\" must be one of ACTIVE, COMPLETED and TERMINATED, but is \"SLEEPING\""},
      {process_instances, R"({"filter":{"state":{"$in":"ACTIVE"}}})", "a list"},
      {process_instances, R"({"filter":{"state":{"$in":["active"]}}})", "must be one of"},
      {process_instances, R"({"filter":{"state":{"$gt":"ACTIVE"}}})", "no operator \"$gt\""},
      {process_instances, R"({"filter":{"state":5}})", "must be one of"},
      {process_instances, R"({"filter":{"hasIncident":"yes"}})", "true or false"},
      {process_instances, R"({"filter":{"hasIncident":{"$eq":true}}})", "plain value"},
      {process_instances, R"({"filter":{"startDate":"tomorrow"}})", "2030-01-31T12:00:00.000Z"},
      {process_instances, R"({"filter":{"startDate":{"$gt":5}}})", "a date and time"},
      {process_instances, R"({"filter":{"startDate":{"$like":"2030*"}}})",
       "$gt, $gte, $lt and $lte"},
      {process_instances, R"({"filter":{"startDate":{"$notIn":[]}}})", "no operator \"$notIn\""},
      {process_instances, R"({"filter":{"startDate":"999999-01-01T00:00:00Z"}})", "startDate"},
      {process_instances, R"({"filter":{"processDefinitionVersion":"2"}})", "a whole number"},
      {process_instances, R"({"filter":{"processDefinitionVersion":1.5}})", "a whole number"},
      {process_instances, R"({"filter":{"processDefinitionVersion":{"$exists":1}}})", "$exists"},
      {process_instances, R"({"filter":{"processInstanceKey":"12a"}})", "a key"},
      {process_instances, R"({"filter":{"processInstanceKey":""}})", "a key"},
      {process_instances, R"({"filter":{"processInstanceKey":true}})", "a key"},
      {process_instances, R"({"filter":{"processInstanceKey":{"$like":"1*"}}})", "no operator"},
      {process_instances, R"({"filter":{"processDefinitionId":5}})", "must be a text, but is 5"},
      {process_instances, R"({"filter":{"processDefinitionId":{"$eq":null}}})", "a text"},
      {process_instances, R"({"filter":{"processDefinitionId":{"$regex":"a"}}})",
       "it has $eq, $neq, $exists, $in, $notIn and $like"},
      {process_instances, R"({"filter":{"processDefinitionId":{"$like":5}}})", "$like"},
      {process_instances, R"({"filter":{"variables":{}}})", "a list of"},
      {process_instances, R"({"filter":{"variables":[{"name":"a"}]}})", "a list of"},
      {process_instances, R"({"filter":{"variables":[{"name":"a","value":5}]}})", "a text"},
      {process_instances, R"({"filter":{"variables":[5]}})", "a list of"},
      {process_instances, R"({"filter":{"tags":"a"}})", "a list of texts"},
      {process_instances, R"({"filter":{"elementInstanceState":"COMPLETED"}})",
       "name that with processInstanceKey"},
      {element_instances, R"({"filter":{"elementId":{"$like":"a"}}})", "plain value"},
      {element_instances, R"({"filter":{"type":"WIDGET"}})", "must be one of PROCESS"},
      {element_instances, R"({"filter":{"state":"COMPLETED"}})", "state COMPLETED"},
      {element_instances, R"({"filter":{"state":{"$in":["ACTIVE","TERMINATED"]}}})", "ended"},
      {element_instances, R"({"filter":{"state":{"$neq":"ACTIVE"}}})", "processInstanceKey"},
      {element_instances, R"({"filter":{"endDate":{"$exists":true}}})", "\"endDate\" asks"},
      {incidents, R"({"filter":{"state":"RESOLVED"}})", "processInstanceKey"},
      {jobs, R"({"filter":{"state":"COMPLETED"}})", "processInstanceKey"},
      {jobs, R"({"filter":{"endTime":{"$gt":"2020-01-01T00:00:00Z"}}})", "processInstanceKey"},
      {user_tasks, R"({"filter":{"state":"COMPLETED"}})", "processInstanceKey"},
      {message_subscriptions, R"({"filter":{"messageSubscriptionState":"DELETED"}})",
       "processInstanceKey"},
      {jobs, R"({"sort":{}})", "must be a list"},
      {jobs, R"({"sort":["jobKey"]})", "must have a \"field\""},
      {jobs, R"({"sort":[{"field":"creationTime"}]})", "cannot be sorted by \"creationTime\""},
      {jobs, R"({"sort":[{"field":"nothing"}]})", "they can by deadline"},
      {jobs, R"({"sort":[{"field":"jobKey","order":"up"}]})", "ASC or DESC"},
      {jobs, R"({"sort":[{"field":"jobKey","order":1}]})", "ASC or DESC"},
      {jobs, R"({"page":5})", "must be an object"},
      {jobs, R"({"page":{"limit":0}})", "from 1 to 10000, but is 0"},
      {jobs, R"({"page":{"limit":10001}})", "from 1 to 10000"},
      {jobs, R"({"page":{"limit":"5"}})", "page.limit"},
      {jobs, R"({"page":{"from":-1}})", "page.from"},
      {jobs, R"({"page":{"size":1}})", "has no \"size\""},
      {jobs, R"({"page":{"from":1,"after":"W10="}})", "only one of them"},
      {jobs, R"({"page":{"after":"W10="}})", "not a cursor"},
      {jobs, R"({"page":{"after":"!!!!"}})", "not a cursor"},
      {jobs, R"({"page":{"after":5}})", "not a cursor"},
      {jobs, R"({"page":{"before":"WyJhIl0="}})", "page.before is not a cursor"},  // ["a"]
      {jobs, R"({"page":{"after":"W251bGxd"}})", "not a cursor"},                  // [null]
      {jobs, R"({"page":{"after":"W1sxXV0="}})", "not a cursor"},                  // [[1]]
  };
  const Scene scene;
  for (const Row& row : rows) {
    const std::string said = scene.ask(row.entity, row.request);
    EXPECT_TRUE(said.starts_with("PAWL-1303") || said.starts_with("PAWL-1001"))
        << row.request << "\n"
        << said;
    EXPECT_NE(said.find(row.part), std::string::npos) << row.request << "\n" << said;
  }
}

TEST(SearchRequest, may_leave_out_everything) {
  const Scene scene;
  for (const char* request :
       {"", " ", "{}", "null", R"({"filter":null,"sort":null,"page":null})",
        R"({"filter":{},"sort":[],"page":{}})", R"({"filter":{"type":null},"later":1})",
        R"({"page":{"limit":10000,"from":0}})", R"({"page":{"from":1099511627776}})"}) {
    EXPECT_EQ(scene.ask(Entity::jobs, request),
              R"({"items":[],"page":{"totalItems":0,"hasMoreTotalItems":false,)"
              R"("startCursor":null,"endCursor":null}})")
        << request;
  }
}

TEST(SearchRequest, is_bounded) {
  const Scene scene;
  const auto list = [](std::size_t size, const std::string& one) {
    std::string text = "[";
    for (std::size_t i = 0; i < size; ++i) text += (i > 0 ? "," : "") + one;
    return text + "]";
  };
  const auto refused = [&](Entity entity, const std::string& request) {
    return scene.ask(entity, request).starts_with("PAWL-1303");
  };
  EXPECT_FALSE(
      refused(Entity::jobs, R"({"filter":{"type":{"$in":)" + list(9'999, "\"a\"") + "}}}"));
  EXPECT_TRUE(
      refused(Entity::jobs, R"({"filter":{"type":{"$in":)" + list(10'001, "\"a\"") + "}}}"));
  const std::string part = R"({"businessId":"b"})";
  EXPECT_FALSE(refused(Entity::process_instances, R"({"filter":{"$or":)" + list(100, part) + "}}"));
  EXPECT_TRUE(refused(Entity::process_instances, R"({"filter":{"$or":)" + list(101, part) + "}}"));
  const std::string variable = R"({"name":"a","value":"1"})";
  EXPECT_FALSE(refused(Entity::process_instances,
                       R"({"filter":{"variables":)" + list(200, variable) + "}}"));
  EXPECT_TRUE(refused(Entity::process_instances,
                      R"({"filter":{"variables":)" + list(300, variable) + "}}"));
  EXPECT_TRUE(
      refused(Entity::jobs, R"({"filter":{"type":{"$like":")" + std::string(1'001, 'a') + "\"}}}"));
  EXPECT_TRUE(refused(Entity::jobs, R"({"sort":)" + list(11, R"({"field":"jobKey"})") + "}"));
}

TEST(Cursor, keeps_every_kind_of_cell) {
  store::Cells row;
  row.set(store::Column::key, std::int64_t{1} << 62);
  row.set(store::Column::name, std::string("ä\"\\\n\x01"));
  const store::Order order[] = {
      {store::Column::name}, {store::Column::ended}, {store::Column::key}};
  const auto cells = from_cursor(to_cursor(row, order), 3);
  ASSERT_TRUE(cells);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(cells->at(i), row.at(order[i].column));
  EXPECT_FALSE(from_cursor(to_cursor(row, order), 2));
}

TEST(Base64, is_its_own_inverse) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 37 + size);
    const std::string text = to_base64(bytes);
    EXPECT_EQ(text.size() % 4, 0u);
    EXPECT_EQ(from_base64(text), bytes);
  }
  EXPECT_EQ(to_base64("Man"), "TWFu");
  EXPECT_EQ(to_base64("Ma"), "TWE=");
  EXPECT_EQ(to_base64("M"), "TQ==");
  for (const char* broken : {"T", "TQ=", "T===", "T Q=", "====", "TQ==TQ=="}) {
    EXPECT_FALSE(from_base64(broken)) << broken;
  }
}

}  // namespace
}  // namespace pawl::server

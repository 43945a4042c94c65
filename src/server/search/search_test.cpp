// SPDX-License-Identifier: Apache-2.0
// What searches find, entity by entity, in a scene where something is in every state.
#include "server/search/search.hpp"

#include <set>

#include "server/search/scene_for_test.hpp"
#include "testkit/draw.hpp"

namespace pawl::server {
namespace {

using namespace engine;  // NOLINT: a scene is made of events

model::Process order_process() {
  model::Process process = *testkit::draw(R"(
    start  ->  job pay    type charge
    pay    ->  user ask   assignee =who
    ask    ->  catch wait  on message paid   key id
    wait   ->  end done
  )");
  process.id = "order";
  process.name = "Order";
  process.version_tag = "stable";
  for (model::Element& element : process.elements) {
    if (element.id == "pay") {
      element.name = "Pay it";
      element.job->headers = {{"to", "bank"}};
    }
  }
  return process;
}

class Search : public testing::Test {
 protected:
  Search() {
    scene_.deploy(76, 1, order_process());
    scene_.deploy(77, 2, order_process());
    model::Process ship = order_process();
    ship.id = "ship";
    ship.name = ship.version_tag = "";
    scene_.deploy(78, 1, std::move(ship));
    add_waiting_job();
    add_completed();
    add_failed();
    add_user_tasks();
    add_terminated();
    add_waiting_message();
  }

  static ElementIndex at(std::string_view id) {
    static const model::Process process = order_process();
    return process.find(id)->index;
  }
  static Events start(std::uint64_t key, std::string business = "", std::uint64_t definition = 77) {
    return {InstanceStarted{.instance = k(key),
                            .definition = k(definition),
                            .process = definition == 78 ? "ship" : "order",
                            .version = definition == 77 ? 2 : 1,
                            .at = ms(static_cast<std::int64_t>(key) * 10),
                            .business_id = std::move(business)},
            ElementActivating{.key = k(key), .element = ElementIndex{0}}};
  }
  static Event enter(std::uint64_t key, std::uint64_t scope, std::string_view id,
                     bool body = false) {
    return ElementActivating{.key = k(key), .scope = k(scope), .element = at(id), .body = body};
  }
  static Event leave(std::uint64_t key) { return ElementCompleted{k(key)}; }
  static Event job(std::uint64_t key, std::uint64_t element, Name type = "charge") {
    return JobCreated{.key = k(key), .element = k(element), .type = std::move(type), .retries = 3};
  }
  static Event set(std::uint64_t key, std::uint64_t scope, const char* name, Value value) {
    return VariableCreated{
        .key = k(key), .scope = k(scope), .name = name, .value = std::move(value)};
  }

  // 100: a job 103 waits at element instance 102.
  void add_waiting_job() {
    Events events = start(100, "B-1");
    for (Event& one : Events{
             enter(101, 100, "start"), leave(101), FlowTaken{.scope = k(100), .flow = FlowIndex{0}},
             enter(102, 100, "pay"), job(103, 102), set(104, 100, "colour", "blue"),
             set(105, 102, "inner", 1), set(106, 100, "size", Value(std::int64_t{10}))}) {
      events.push_back(one);
    }
    scene_.turn(100, 1'000, 107, events);
  }
  // 110: all of it is over: job 112 was completed, incident 113 resolved.
  void add_completed() {
    Events events = start(110, "B-2");
    for (Event& one : Events{enter(111, 110, "pay"), job(112, 111),
                             JobFailed{.key = k(112), .retries = 0, .message = "no money"},
                             IncidentRaised{.key = k(113),
                             .element = k(111),
                             .kind = IncidentKind::no_retries,
                             .message = "no money"}}) {
      events.push_back(one);
    }
    scene_.turn(110, 1'100, 114, events);
    scene_.turn(110, 1'150, 115,
                {IncidentResolved{k(113)}, JobCompleted{k(112)}, leave(111),
                 set(114, 110, "colour", "red"), leave(110)});
  }
  // 120: job 122 is out of retries, incident 123 is open; job 126 of another element backs off.
  void add_failed() {
    Events events = start(120);
    for (Event& one : Events{
             enter(121, 120, "pay"), job(122, 121),
             JobFailed{.key = k(122), .retries = 0, .message = "broke"},
             IncidentRaised{.key = k(123),
             .element = k(121),
             .kind = IncidentKind::no_retries,
             .message = "it broke"},
             set(124, 120, "colour", "blue"), enter(125, 120, "pay"), job(126, 125),
             JobFailed{.key = k(126), .retries = 2, .retry_at = ms(99'000), .message = "later"}}) {
      events.push_back(one);
    }
    scene_.turn(120, 1'200, 127, events);
  }
  // 130: user task 132 of ada is open, 134 of nobody is done.
  void add_user_tasks() {
    Events events = start(130);
    JobCreated task{.key = k(132), .element = k(131), .type = "user-task:ask", .retries = 3};
    task.details = object({{"assignee", "ada"},
                           {"candidateGroups", Value::list({"sales", "it"})},
                           {"dueDate", "2030-01-31T12:00:00Z"},
                           {"priority", 80}});
    for (Event& one : Events{enter(131, 130, "ask"), task, enter(133, 130, "ask"),
                             job(134, 133, "user-task:ask"), set(135, 131, "note", "call back"),
                             set(136, 130, "note", "root"), set(137, 130, "seen", true)}) {
      events.push_back(one);
    }
    scene_.turn(130, 1'300, 138, events);
    scene_.turn(130, 1'350, 138, {JobCompleted{k(134)}, leave(133)});
  }
  // 140: of another process, cancelled; its job threw an error that was caught.
  void add_terminated() {
    Events events = start(140, "", 78);
    for (Event& one :
         Events{enter(141, 140, "pay"), job(142, 141),
                JobErrorThrown{.key = k(142), .code = "E1", .message = "oh"},
                ElementTerminating{k(141)}, ElementTerminated{k(141)}, ElementTerminated{k(140)}}) {
      events.push_back(one);
    }
    scene_.turn(140, 1'400, 143, events);
  }
  // 150: a loop body 151 with 152 inside, which waits for a message (153); and for a signal. A
  // message was taken by 155. The runtime set work aside (159).
  void add_waiting_message() {
    Events events = start(150);
    const auto opened = [](std::uint64_t key, MailKind kind, Name name, std::string correlation) {
      return SubscriptionOpened{.key = k(key),
                                .element = k(152),
                                .target = at("wait"),
                                .kind = kind,
                                .name = std::move(name),
                                .correlation = std::move(correlation)};
    };
    for (Event& one :
         Events{enter(151, 150, "wait", true), enter(152, 151, "wait"),
                opened(153, MailKind::message, "paid", "42"),
                opened(154, MailKind::signal, "alarm", ""),
                opened(155, MailKind::message, "paid", "43"),
                MailReceived{.subscription = k(155), .mail = k(9)}, SubscriptionClosed{k(155)},
                set(156, 150, "long", std::string(9'000, 'x'))}) {
      events.push_back(one);
    }
    scene_.turn(150, 1'500, 157, events);
    scene_.put({.at = ms(1'600),
                .next_key = 160,
                .notices = {store::WorkSetAside{.key = k(159),
                                                .instance = k(150),
                                                .work = "trigger timer",
                                                .reason = "odd",
                                                .at = ms(1'600)}}});
  }

  std::string find(Entity entity, std::string_view request, SearchOptions options = {}) const {
    return keys_of(entity, scene_.ask(entity, request, options));
  }
  Value item(Entity entity, std::uint64_t key) const {
    const auto read = parse_json(scene_.get(entity, key));
    EXPECT_TRUE(read) << scene_.get(entity, key);
    return read ? *read : Value();
  }

  Scene scene_{};
};

struct Case {
  const char* filter;
  const char* expected;
};

// A filter, or `S:` and a sort, or a whole request.
std::string request_of(std::string_view filter) {
  if (filter.starts_with("S:")) {
    return R"({"sort":)" + std::string(filter.substr(2)) + "}";
  }
  return R"({"filter":)" + std::string(filter) + "}";
}

#define EXPECT_CASES(entity, ...)                                                \
  for (const Case& one : std::initializer_list<Case> __VA_ARGS__) {              \
    EXPECT_EQ(find(entity, request_of(one.filter)), one.expected) << one.filter; \
  }

TEST_F(Search, of_definitions) {
  EXPECT_EQ(find(Entity::process_definitions, ""), "76 77 78");
  EXPECT_CASES(
      Entity::process_definitions,
      {{R"({"processDefinitionId":"order"})", "76 77"},
       {R"({"processDefinitionId":{"$neq":"order"}})", "78"},
       {R"({"processDefinitionId":{"$in":["ship","x"]}})", "78"},
       {R"({"processDefinitionId":{"$notIn":["ship","x"]}})", "76 77"},
       {R"({"processDefinitionId":{"$like":"or*r"}})", "76 77"},
       {R"({"name":"Order"})", "76 77"},
       {R"({"name":{"$exists":false}})", "78"},
       {R"({"name":{"$like":"O?der"}})", "76 77"},
       {R"({"isLatestVersion":true})", "77 78"},
       {R"({"isLatestVersion":false})", "76"},
       {R"({"version":2})", "77"},
       {R"({"versionTag":"stable"})", "76 77"},
       {R"({"resourceName":"ship.bpmn"})", "78"},
       {R"({"processDefinitionKey":"77"})", "77"},
       {R"({"processDefinitionKey":77})", "77"},
       {R"({"hasStartForm":false})", "76 77 78"},
       {R"({"hasStartForm":true})", ""},
       {R"({"state":"ACTIVE"})", "76 77 78"},
       {R"({"state":"DELETED"})", ""},
       {R"({"tenantId":"<default>"})", "76 77 78"},
       {R"({"tenantId":"other"})", ""},
       {R"S(S:[{"field":"version","order":"DESC"}])S", "77 76 78"},
       {R"S(S:[{"field":"name"},{"field":"processDefinitionKey","order":"desc"}])S", "78 77 76"},
       {R"S(S:[{"field":"tenantId","order":"asc"}])S", "76 77 78"}});
}

TEST_F(Search, of_process_instances) {
  EXPECT_EQ(find(Entity::process_instances, "{}"), "100 110 120 130 140 150");
  EXPECT_CASES(
      Entity::process_instances,
      {{R"({"state":"ACTIVE"})", "100 120 130 150"},
       {R"({"state":{"$eq":"COMPLETED"}})", "110"},
       {R"({"state":{"$neq":"ACTIVE"}})", "110 140"},
       {R"({"state":{"$in":["COMPLETED","TERMINATED"]}})", "110 140"},
       {R"({"state":{"$notIn":["COMPLETED","TERMINATED"]}})", "100 120 130 150"},
       {R"({"state":{"$like":"*TED"}})", "110 140"},
       {R"({"state":{"$exists":true}})", "100 110 120 130 140 150"},
       {R"({"state":{"$exists":false}})", ""},
       {R"({"state":"ACTIVE","hasIncident":true})", "120 150"},
       {R"({"hasIncident":false})", "100 110 130 140"},
       {R"({"processDefinitionId":"ship"})", "140"},
       {R"({"processDefinitionName":"Order"})", "100 110 120 130 150"},
       {R"({"processDefinitionName":{"$exists":false}})", "140"},
       {R"({"processDefinitionName":{"$neq":"Order"}})", "140"},
       {R"({"processDefinitionVersionTag":"stable","state":"COMPLETED"})", "110"},
       {R"({"processDefinitionVersion":{"$lt":2}})", "140"},
       {R"({"processDefinitionVersion":{"$gte":1,"$lte":1}})", "140"},
       {R"({"processDefinitionVersion":{"$in":[1,7]}})", "140"},
       {R"({"processDefinitionVersion":{"$neq":1}})", "100 110 120 130 150"},
       {R"({"processDefinitionKey":{"$in":["78",9]}})", "140"},
       {R"({"processDefinitionKey":{"$notIn":["77"]}})", "140"},
       {R"({"processInstanceKey":"100"})", "100"},
       {R"({"processInstanceKey":{"$in":["100","110","999999999999999999999"]}})", "100 110"},
       {R"({"processInstanceKey":{"$neq":"100"},"state":"ACTIVE"})", "120 130 150"},
       {R"({"parentProcessInstanceKey":{"$exists":false}})", "100 110 120 130 140 150"},
       {R"({"parentProcessInstanceKey":"5"})", ""},
       {R"({"parentElementInstanceKey":{"$neq":"5"}})", "100 110 120 130 140 150"},
       {R"({"businessId":"B-1"})", "100"},
       {R"({"businessId":{"$like":"B-?"}})", "100 110"},
       {R"({"businessId":{"$exists":false},"state":"TERMINATED"})", "140"},
       {R"({"startDate":{"$gt":"1970-01-01T00:00:01.300Z"}})", "140 150"},
       {R"({"startDate":{"$gte":"1970-01-01T01:00:01.300+01:00"}})", "130 140 150"},
       {R"({"startDate":{"$lt":"1970-01-01T00:00:01.100Z"}})", "100"},
       {R"({"startDate":{"$lte":"1970-01-01T00:00:01.100Z"}})", "100 110"},
       {R"({"startDate":"1970-01-01T00:00:01.000Z"})", "100"},
       {R"({"startDate":{"$in":["1970-01-01T00:00:01Z"]}})", "100"},
       {R"({"endDate":{"$exists":true}})", "110 140"},
       {R"({"endDate":{"$neq":"1970-01-01T00:00:01.400Z"}})", "100 110 120 130 150"},
       {R"({"tags":[]})", "100 110 120 130 140 150"},
       {R"({"tags":["a"]})", ""},
       {R"({"tenantId":{"$in":["<default>"]}})", "100 110 120 130 140 150"},
       {R"({"tenantId":{"$neq":"<default>"}})", ""},
       {R"({"batchOperationId":"x"})", ""},
       {R"({"variables":[{"name":"colour","value":"\"blue\""}]})", "100 120"},
       {R"({"variables":[{"name":"colour","value":{"$like":"*e*"}}]})", "100 110 120"},
       {R"({"variables":[{"name":"colour","value":"\"blue\""},{"name":"size","value":"10"}]})",
        "100"},
       {R"({"variables":[{"name":"size","value":"1e1"}]})", "100"},
       {R"({"variables":[{"name":"inner","value":"1"}]})", ""},
       {R"({"elementId":"pay"})", "100 120"},
       {R"({"elementId":"pay","hasElementInstanceIncident":true})", "120"},
       {R"({"elementId":"ask","hasElementInstanceIncident":true})", ""},
       {R"({"elementId":"pay","elementInstanceState":"ACTIVE"})", "100 120"},
       {R"({"elementId":"pay","elementInstanceState":"COMPLETED","processInstanceKey":"110"})",
        "110"},
       {R"({"elementId":"ask","elementInstanceState":"COMPLETED","processInstanceKey":"110"})", ""},
       {R"({"errorMessage":{"$like":"it*"}})", "120"},
       {R"({"hasRetriesLeft":true})", "120"},
       {R"({"hasRetriesLeft":false,"state":"ACTIVE"})", "100 130 150"},
       {R"({"$or":[{"processDefinitionId":"ship"},{"businessId":"B-1"}]})", "100 140"},
       {R"({"state":"ACTIVE","$or":[{"processDefinitionId":"ship"},{"businessId":"B-1"}]})", "100"},
       {R"({"$or":[]})", "100 110 120 130 140 150"},
       {R"({"$or":[{}]})", "100 110 120 130 140 150"},
       {R"({"$or":[{"variables":[{"name":"colour","value":"\"red\""}]},{"elementId":"ask"}]})",
        "110 130"},
       {R"S(S:[{"field":"startDate","order":"desc"}])S", "150 140 130 120 110 100"},
       {R"S(S:[{"field":"state"},{"field":"startDate","order":"DESC"}])S",
        "150 130 120 100 110 140"},
       {R"S(S:[{"field":"endDate","order":"DESC"}])S", "140 110 100 120 130 150"},
       {R"S(S:[{"field":"processDefinitionName"}])S", "140 100 110 120 130 150"},
       {R"S(S:[{"field":"hasIncident","order":"DESC"}])S", "120 150 100 110 130 140"},
       {R"S(S:[{"field":"businessId","order":"DESC"}])S", "110 100 120 130 140 150"},
       {R"S(S:[{"field":"parentProcessInstanceKey"}])S", "100 110 120 130 140 150"}});
}

TEST_F(Search, of_element_instances) {
  EXPECT_EQ(find(Entity::element_instances, ""), "102 121 125 131 151 152");
  EXPECT_CASES(
      Entity::element_instances,
      {{R"({"processInstanceKey":"110"})", "111"},
       {R"({"processInstanceKey":"100"})", "101 102"},
       {R"({"processInstanceKey":"100","state":"COMPLETED"})", "101"},
       {R"({"processInstanceKey":"140","state":{"$neq":"ACTIVE"}})", "141"},
       {R"({"processInstanceKey":"7"})", ""},
       {R"({"state":"ACTIVE"})", "102 121 125 131 151 152"},
       {R"({"state":{"$like":"A*"},"elementId":"pay"})", "102 121 125"},
       {R"({"type":"MULTI_INSTANCE_BODY"})", "151"},
       {R"({"type":"USER_TASK"})", "131"},
       {R"({"type":"SERVICE_TASK","hasIncident":true})", "121"},
       {R"({"elementName":"Pay it"})", "102 121 125"},
       {R"({"elementName":"ask"})", "131"},
       {R"({"incidentKey":"123"})", "121"},
       {R"({"elementInstanceScopeKey":"151"})", "152"},
       {R"({"elementInstanceKey":"101"})", "101"},
       {R"({"elementInstanceKey":"999"})", ""},
       {R"({"processDefinitionKey":"78"})", ""},
       {R"({"startDate":{"$gte":"1970-01-01T00:00:01.300Z"}})", "131 151 152"},
       {R"({"endDate":{"$exists":false},"elementId":"pay"})", "102 121 125"},
       {R"({"processInstanceKey":"110","endDate":{"$gt":"1970-01-01T00:00:01.100Z"}})", "111"},
       {R"S(S:[{"field":"type"},{"field":"elementInstanceKey","order":"DESC"}])S",
        "152 151 125 121 102 131"},
       {R"S(S:[{"field":"startDate","order":"DESC"}])S", "151 152 131 121 125 102"}});
}

TEST_F(Search, of_variables) {
  EXPECT_EQ(find(Entity::variables, ""), "104 106 114 124 136 137 156");
  EXPECT_CASES(Entity::variables,
               {{R"({"name":"colour"})", "104 114 124"},
                {R"({"name":{"$like":"c*"},"value":"\"red\""})", "114"},
                {R"({"value":{"$in":["10","\"red\""]}})", "106 114"},
                {R"({"value":" 10.0 "})", "106"},
                {R"({"value":{"$neq":"\"blue\""},"name":"colour"})", "114"},
                {R"({"processInstanceKey":"100"})", "104 105 106"},
                {R"({"processInstanceKey":{"$in":["100","110"]}})", "104 106 114"},
                {R"({"scopeKey":"102"})", "105"},
                {R"({"scopeKey":"100"})", "104 106"},
                {R"({"variableKey":"105"})", "105"},
                {R"({"variableKey":{"$in":["104"]}})", "104"},
                {R"({"isTruncated":true})", "156"},
                {R"({"isTruncated":false,"name":"long"})", ""},
                {R"S(S:[{"field":"value","order":"DESC"}])S", "137 106 156 136 114 104 124"},
                {R"S(S:[{"field":"name","order":"DESC"}])S", "106 137 136 156 104 114 124"}});
  EXPECT_EQ(
      find(Entity::variables, R"({"filter":{"isTruncated":true}})", {.truncate_values = false}),
      "");
}

TEST_F(Search, of_incidents) {
  EXPECT_EQ(find(Entity::incidents, ""), "123 159");
  EXPECT_CASES(Entity::incidents,
               {{R"({"errorType":"JOB_NO_RETRIES"})", "123"},
                {R"({"errorType":"UNKNOWN"})", "159"},
                {R"({"errorType":{"$like":"*RETRIES"}})", "123"},
                {R"({"errorType":{"$notIn":["UNKNOWN"]}})", "123"},
                {R"({"state":"ACTIVE"})", "123 159"},
                {R"({"state":{"$neq":"RESOLVED"}})", "123 159"},
                {R"({"processInstanceKey":"110"})", "113"},
                {R"({"processInstanceKey":"110","state":"RESOLVED"})", "113"},
                {R"({"processInstanceKey":"150"})", "159"},
                {R"({"incidentKey":"113","state":"RESOLVED"})", "113"},
                {R"({"jobKey":"122"})", "123"},
                {R"({"elementInstanceKey":"121"})", "123"},
                {R"({"elementId":"pay"})", "123"},
                {R"({"errorMessage":{"$like":"*broke"}})", "123"},
                {R"({"creationTime":{"$lt":"1970-01-01T00:00:01.600Z"}})", "123"},
                {R"({"processDefinitionKey":"77"})", "123 159"},
                {R"S(S:[{"field":"creationTime","order":"DESC"}])S", "159 123"},
                {R"S(S:[{"field":"jobKey","order":"DESC"}])S", "123 159"}});
}

TEST_F(Search, of_jobs) {
  EXPECT_EQ(find(Entity::jobs, ""), "103 122 126 132");
  EXPECT_CASES(
      Entity::jobs,
      {{R"({"type":"charge"})", "103 122 126"},
       {R"({"type":{"$neq":"charge"}})", "132"},
       {R"({"state":"CREATED"})", "103 132"},
       {R"({"state":"FAILED"})", "122 126"},
       {R"({"state":{"$notIn":["FAILED"]}})", "103 132"},
       {R"({"retries":0})", "122"},
       {R"({"retries":{"$gt":2}})", "103 132"},
       {R"({"retries":{"$in":[0,2]}})", "122 126"},
       {R"({"kind":"BPMN_ELEMENT"})", "103 122 126 132"},
       {R"({"kind":"TASK_LISTENER"})", ""},
       {R"({"listenerEventType":{"$like":"UNSPEC*"}})", "103 122 126 132"},
       {R"({"worker":""})", "103 122 126 132"},
       {R"({"worker":"w"})", ""},
       {R"({"isDenied":false})", ""},
       {R"({"elementId":{"$like":"p?y"}})", "103 122 126"},
       {R"({"elementInstanceKey":"121"})", "122"},
       {R"({"processInstanceKey":"140"})", "142"},
       {R"({"processInstanceKey":"140","state":"ERROR_THROWN","errorCode":"E1"})", "142"},
       {R"({"processInstanceKey":"110","state":"COMPLETED"})", "112"},
       {R"({"processInstanceKey":"110","endTime":{"$exists":true}})", "112"},
       {R"({"jobKey":"112"})", "112"},
       {R"({"hasFailedWithRetriesLeft":true})", "126"},
       {R"({"errorMessage":"later"})", "126"},
       {R"({"creationTime":{"$lt":"1970-01-01T00:00:01.200Z"}})", "103"},
       {R"({"lastUpdateTime":{"$gte":"1970-01-01T00:00:01.300Z"}})", "132"},
       {R"({"deadline":{"$exists":false}})", "103 122 126 132"},
       {R"S(S:[{"field":"retries"},{"field":"jobKey","order":"DESC"}])S", "122 126 132 103"},
       {R"S(S:[{"field":"errorMessage","order":"DESC"}])S", "126 122 103 132"}});
}

TEST_F(Search, of_user_tasks) {
  EXPECT_EQ(find(Entity::user_tasks, ""), "132");
  EXPECT_CASES(Entity::user_tasks,
               {{R"({"processInstanceKey":"130"})", "132 134"},
                {R"({"state":"CREATED"})", "132"},
                {R"({"processInstanceKey":"130","state":"COMPLETED"})", "134"},
                {R"({"processInstanceKey":"100"})", ""},
                {R"({"assignee":"ada"})", "132"},
                {R"({"assignee":{"$neq":"ada"}})", ""},
                {R"({"processInstanceKey":"130","assignee":{"$exists":false}})", "134"},
                {R"({"candidateGroup":"it"})", "132"},
                {R"({"candidateGroup":{"$in":["x","sales"]}})", "132"},
                {R"({"candidateGroup":{"$neq":"it"}})", ""},
                {R"({"candidateUser":{"$exists":true}})", ""},
                {R"({"priority":{"$gt":50}})", "132"},
                {R"({"processInstanceKey":"130","priority":50})", "134"},
                {R"({"dueDate":{"$lt":"2031-01-01T00:00:00Z"}})", "132"},
                {R"({"followUpDate":{"$exists":false}})", "132"},
                {R"({"name":"ask"})", "132"},
                {R"({"elementId":"ask"})", "132"},
                {R"({"userTaskKey":"134"})", "134"},
                {R"({"localVariables":[{"name":"note","value":"\"call back\""}]})", "132"},
                {R"({"localVariables":[{"name":"note","value":"\"root\""}]})", ""},
                {R"({"processInstanceVariables":[{"name":"seen","value":"true"}]})", "132"},
                {R"({"processInstanceVariables":[{"name":"note","value":"\"call back\""}]})", ""},
                {R"({"tags":["x"]})", ""},
                {R"S(S:[{"field":"priority"}])S", "132"},
                {R"S(S:[{"field":"creationDate","order":"DESC"}])S", "132"}});
  EXPECT_EQ(find(Entity::variables, "", {.user_task = k(132)}), "135");
  EXPECT_EQ(find(Entity::variables, "", {.user_task = k(132), .effective = true}), "135 137");
  EXPECT_EQ(find(Entity::variables, "", {.user_task = k(134), .effective = true}), "136 137");
  EXPECT_NE(find(Entity::variables, "", {.user_task = k(103)}).find("PAWL-1301"),
            std::string::npos);
}

TEST_F(Search, of_message_subscriptions) {
  EXPECT_EQ(find(Entity::message_subscriptions, ""), "153");
  EXPECT_CASES(Entity::message_subscriptions,
               {{R"({"messageName":"paid"})", "153"},
                {R"({"messageName":"alarm"})", ""},
                {R"({"correlationKey":{"$like":"4*"}})", "153"},
                {R"({"elementId":"wait"})", "153"},
                {R"({"elementInstanceKey":"152"})", "153 155"},
                {R"({"messageSubscriptionState":"CREATED"})", "153"},
                {R"({"processInstanceKey":"150","messageSubscriptionState":"CORRELATED"})", "155"},
                {R"({"lastUpdatedDate":{"$gt":"1970-01-01T00:00:01Z"}})", "153"},
                {R"S(S:[{"field":"messageName"}])S", "153"}});
}

TEST_F(Search, of_the_incidents_of_one_part) {
  EXPECT_EQ(find(Entity::incidents, "", {.process_instance = k(120)}), "123");
  EXPECT_EQ(find(Entity::incidents, "", {.process_instance = k(110)}), "113");
  EXPECT_EQ(find(Entity::incidents, "", {.element_instance = k(121)}), "123");
  EXPECT_EQ(find(Entity::incidents, "", {.element_instance = k(120)}), "123");
  EXPECT_EQ(find(Entity::incidents, "", {.element_instance = k(125)}), "");
  for (const SearchOptions& unknown :
       {SearchOptions{.process_instance = k(999)}, SearchOptions{.element_instance = k(999)}}) {
    EXPECT_TRUE(find(Entity::incidents, "", unknown).starts_with("PAWL-1301"));
  }
}

TEST_F(Search, gives_single_items_also_when_they_have_ended) {
  const std::pair<Entity, std::uint64_t> there[] = {{Entity::process_definitions, 76},
                                                    {Entity::process_instances, 140},
                                                    {Entity::element_instances, 141},
                                                    {Entity::element_instances, 102},
                                                    {Entity::variables, 105},
                                                    {Entity::variables, 114},
                                                    {Entity::incidents, 113},
                                                    {Entity::incidents, 159},
                                                    {Entity::jobs, 112},
                                                    {Entity::user_tasks, 134},
                                                    {Entity::message_subscriptions, 155}};
  for (const auto& [entity, key] : there) {
    EXPECT_EQ(to_json(*item(entity, key).find(key_field(entity))), fmt::format("\"{}\"", key));
  }
  for (int entity = 0; entity < 8; ++entity) {
    for (const std::uint64_t key : {0ull, 5ull, 999ull, 1ull << 60}) {
      EXPECT_TRUE(scene_.get(static_cast<Entity>(entity), key).starts_with("PAWL-1301")) << key;
    }
  }
  EXPECT_TRUE(scene_.get(Entity::user_tasks, 103).starts_with("PAWL-1301"));  // no user task
}

TEST_F(Search, Z82_of_jobs_knows_those_of_listeners) {
  const auto listener = [](std::uint64_t key, std::uint64_t element, JobKind kind) -> Event {
    return JobCreated{.key = k(key), .element = k(element), .type = "l", .kind = kind};
  };
  Events events = start(200);
  events.push_back(listener(201, 200, JobKind::start_listener));
  events.push_back(JobCompleted{k(201)});
  events.push_back(enter(202, 200, "pay"));
  events.push_back(listener(203, 202, JobKind::before_all_listener));
  events.push_back(enter(204, 200, "ask"));
  events.push_back(listener(205, 204, JobKind::end_listener));
  scene_.turn(200, 2'000, 206, events);
  EXPECT_CASES(Entity::jobs,
               {{R"({"kind":"EXECUTION_LISTENER"})", "203 205"},
                {R"({"listenerEventType":"END"})", "205"},
                {R"({"listenerEventType":"BEFORE_ALL"})", "203"},
                {R"({"listenerEventType":"START"})", ""},
                {R"({"processInstanceKey":"200","listenerEventType":"START"})", "201"},
                {R"({"processInstanceKey":"200","state":"COMPLETED"})", "201"}});
  EXPECT_EQ(to_json(*item(Entity::jobs, 201).find("listenerEventType")), R"("START")");
  EXPECT_EQ(to_json(*item(Entity::jobs, 203).find("kind")), R"("EXECUTION_LISTENER")");
}

TEST_F(Search, shows_items_as_clients_know_them) {
  EXPECT_EQ(
      to_json(item(Entity::jobs, 126)),
      R"({"customHeaders":{"to":"bank"},"deadline":null,"deniedReason":null,"elementId":"pay",)"
      R"("elementInstanceKey":"125","endTime":null,"errorCode":null,"errorMessage":"later",)"
      R"("hasFailedWithRetriesLeft":true,"isDenied":null,"jobKey":"126","kind":"BPMN_ELEMENT",)"
      R"("listenerEventType":"UNSPECIFIED","processDefinitionId":"order",)"
      R"("processDefinitionKey":"77","processInstanceKey":"120","rootProcessInstanceKey":"120",)"
      R"("retries":2,"state":"FAILED","tenantId":"<default>","type":"charge","worker":"",)"
      R"("creationTime":"1970-01-01T00:00:01.200Z","lastUpdateTime":"1970-01-01T00:00:01.200Z"})");
  EXPECT_EQ(to_json(item(Entity::process_instances, 110)),
            R"({"processDefinitionId":"order","processDefinitionName":"Order",)"
            R"("processDefinitionVersion":2,"processDefinitionVersionTag":"stable",)"
            R"("startDate":"1970-01-01T00:00:01.100Z","endDate":"1970-01-01T00:00:01.150Z",)"
            R"("state":"COMPLETED","hasIncident":false,"tenantId":"<default>",)"
            R"("processInstanceKey":"110","processDefinitionKey":"77",)"
            R"("parentProcessInstanceKey":null,"parentElementInstanceKey":null,)"
            R"("rootProcessInstanceKey":"110","tags":[],"businessId":"B-2"})");
  EXPECT_EQ(to_json(item(Entity::incidents, 159)),
            R"({"processDefinitionId":"order","errorType":"UNKNOWN",)"
            R"("errorMessage":"trigger timer: odd","elementId":"order",)"
            R"("creationTime":"1970-01-01T00:00:01.600Z","state":"ACTIVE","tenantId":"<default>",)"
            R"("incidentKey":"159","processDefinitionKey":"77","processInstanceKey":"150",)"
            R"("rootProcessInstanceKey":"150","elementInstanceKey":"150","jobKey":null})");
  EXPECT_EQ(
      to_json(item(Entity::user_tasks, 132)),
      R"({"name":"ask","state":"CREATED","assignee":"ada","elementId":"ask",)"
      R"("candidateGroups":["sales","it"],"candidateUsers":[],"processDefinitionId":"order",)"
      R"("creationDate":"1970-01-01T00:00:01.300Z","completionDate":null,"followUpDate":null,)"
      R"("dueDate":"2030-01-31T12:00:00.000Z","tenantId":"<default>",)"
      R"("externalFormReference":null,"processDefinitionVersion":2,"customHeaders":{},)"
      R"("priority":80,"userTaskKey":"132","elementInstanceKey":"131","processName":"Order",)"
      R"("processDefinitionKey":"77","processInstanceKey":"130","rootProcessInstanceKey":"130",)"
      R"("formKey":null,"tags":[]})");
}

// The fields that the API says each item has.
TEST_F(Search, gives_every_field_of_an_item_and_no_other) {
  const std::pair<Entity, const char*> rows[] = {
      {Entity::process_definitions,
       "hasStartForm name processDefinitionId processDefinitionKey resourceName state tenantId "
       "version versionTag"},
      {Entity::element_instances,
       "elementId elementInstanceKey elementName endDate hasIncident incidentKey "
       "processDefinitionId processDefinitionKey processInstanceKey rootProcessInstanceKey "
       "startDate state tenantId type"},
      {Entity::variables,
       "isTruncated name processInstanceKey rootProcessInstanceKey scopeKey tenantId value "
       "variableKey"},
      {Entity::message_subscriptions,
       "correlationKey elementId elementInstanceKey lastUpdatedDate messageName "
       "messageSubscriptionKey messageSubscriptionState processDefinitionId processDefinitionKey "
       "processInstanceKey rootProcessInstanceKey tenantId"},
  };
  for (const auto& [entity, expected] : rows) {
    const auto answer = parse_json(scene_.ask(entity, ""));
    std::set<std::string> names;
    for (const Entry& entry : answer->find("items")->as_list().at(0).entries()) {
      names.insert(entry.key);
    }
    std::string joined;
    for (const auto& name : names) joined += (joined.empty() ? "" : " ") + name;
    EXPECT_EQ(joined, expected);
  }
}

TEST_F(Search, cuts_long_values_only_if_asked_to) {
  const auto value = [&](bool cut) {
    const auto answer = parse_json(
        scene_.ask(Entity::variables, R"({"filter":{"name":"long"}})", {.truncate_values = cut}));
    return answer->find("items")->as_list().at(0);
  };
  EXPECT_EQ(value(true).find("value")->as_string().size(), 8'191u);
  EXPECT_TRUE(value(true).find("isTruncated")->as_boolean());
  EXPECT_EQ(value(false).find("value")->as_string().size(), 9'002u);
  EXPECT_FALSE(value(false).find("isTruncated")->as_boolean());
  EXPECT_EQ(item(Entity::variables, 156).find("value")->as_string().size(), 9'002u);
  EXPECT_EQ(item(Entity::variables, 156).find("isTruncated"), nullptr);
}

TEST_F(Search, counts_elements_and_lists_flows_of_an_instance) {
  const auto statistics = [&](std::uint64_t key) {
    return scene_.both([&](const Sources& from) { return element_statistics(from, k(key)); });
  };
  EXPECT_EQ(
      statistics(120),
      R"({"items":[{"elementId":"pay","active":2,"canceled":0,"incidents":1,"completed":0}]})");
  EXPECT_EQ(
      statistics(140),
      R"({"items":[{"elementId":"pay","active":0,"canceled":1,"incidents":0,"completed":0}]})");
  EXPECT_TRUE(statistics(999).starts_with("PAWL-1301"));
  const auto flows = scene_.both([&](const Sources& from) { return sequence_flows(from, k(100)); });
  EXPECT_EQ(parse_json(flows)->find("items")->as_list().size(), 1u) << flows;
  EXPECT_NE(flows.find(R"("processDefinitionId":"order")"), std::string::npos);
}

TEST_F(Search, gives_the_file_of_a_definition) {
  const auto xml = [&](std::uint64_t key) {
    return scene_.both([&](const Sources& from) { return process_definition_xml(from, k(key)); });
  };
  EXPECT_EQ(xml(78), "<ship/>");
  EXPECT_TRUE(xml(5).starts_with("PAWL-1301"));
}

}  // namespace
}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
#include "pawl/engine.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "store/conformance/temporary_directory.hpp"

namespace pawl {
namespace {

using namespace std::chrono_literals;

std::string model(const std::string& inside, const std::string& beside = "") {
  return R"(<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">)" +
         beside + "<process id=\"p\" isExecutable=\"true\">" + inside +
         R"(<startEvent id="start"/><endEvent id="end"/>
    <sequenceFlow id="f1" sourceRef="start" targetRef="task"/>
    <sequenceFlow id="f2" sourceRef="task" targetRef="end"/>
  </process></definitions>)";
}

std::string job(const std::string& inside = "") {
  return R"(<serviceTask id="task"><extensionElements>
      <zeebe:taskDefinition type="work" retries="3"/>
      <zeebe:taskHeaders><zeebe:header key="to" value="bank"/></zeebe:taskHeaders>
    </extensionElements>)" +
         inside + "</serviceTask>";
}

const std::string one_job = model(job());
const std::string catching = model(
    job() + R"(<boundaryEvent id="caught" attachedToRef="task"><errorEventDefinition errorRef="e"/>
    </boundaryEvent><endEvent id="declined"/>
    <sequenceFlow id="f3" sourceRef="caught" targetRef="declined"/>)",
    R"(<error id="e" errorCode="declined"/>)");
const std::string over_items = model(job(R"(<multiInstanceLoopCharacteristics><extensionElements>
    <zeebe:loopCharacteristics inputCollection="=items" inputElement="item"
      outputCollection="out" outputElement="=item"/></extensionElements>
    </multiInstanceLoopCharacteristics>)"));

// The code of the failure that the call ends with; 0: none.
template <class Call>
int failure_of(Call call) {
  try {
    call();
    return 0;
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find(std::to_string(failure.code())), std::string::npos);
    return failure.code();
  }
}

class Embedded : public testing::Test {
 protected:
  Engine open(unsigned shards = 1) {
    return Engine::open(directory_.path(), {.shards = shards, .journal_file = 1u << 20});
  }
  static std::uint64_t body_of(const Engine& engine, std::uint64_t instance) {
    for (const ElementInfo& one : engine.elements(instance)) {
      if (one.body) return one.key;
    }
    return 0;
  }
  store::TemporaryDirectory directory_{};
};

TEST_F(Embedded, runs_a_process_to_its_end) {
  Engine engine = open();
  EXPECT_EQ(engine.deploy("p.bpmn", one_job).front().version, 1);
  EXPECT_TRUE(engine.deploy("p.bpmn", one_job).front().existing);
  WorkItem seen;
  engine.worker("work", [&](const WorkItem& item) {
    seen = item;
    return R"({"paid": true})";
  });
  const auto ended = engine.start_and_wait("p", R"({"sum": 5})", 10s, {.id = "order-1"});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->state, State::completed);
  EXPECT_EQ(ended->variables, R"({"sum":5,"paid":true})");
  EXPECT_EQ(seen.variables, R"({"sum":5})");
  EXPECT_EQ(seen.element, "task");
  EXPECT_EQ(seen.headers.at("to"), "bank");
  EXPECT_EQ(engine.instances({.state = State::completed}).front().id, "order-1");
  EXPECT_EQ(engine.variables(ended->instance), R"({"paid":true,"sum":5})");
}

TEST_F(Embedded, goes_on_after_it_was_closed) {
  std::uint64_t key = 0;
  {
    Engine engine = open();
    engine.deploy("p.bpmn", one_job);
    key = engine.start("p");
    EXPECT_FALSE(engine.wait(key, 20ms));
  }
  Engine engine = open();
  engine.worker("work", [](const WorkItem&) { return ""; });
  EXPECT_TRUE(engine.wait(key, 10s));
}

TEST_F(Embedded, Z469_lets_an_instance_go_on_in_another_version) {
  Engine engine = open();
  engine.deploy("p.bpmn", one_job);
  const std::uint64_t key = engine.start("p");
  std::string changed = one_job;
  for (std::size_t at = 0; (at = changed.find("\"task\"", at)) != std::string::npos; ++at) {
    changed.replace(at, 6, "\"duty\"");
  }
  engine.deploy("p.bpmn", changed);
  EXPECT_EQ(failure_of([&] { engine.migrate(key, "p"); }), 1302);     // task has no place there
  EXPECT_EQ(failure_of([&] { engine.migrate(key, "p", 7); }), 1301);  // no such version
  engine.migrate(key, "p", 2, {{"task", "duty"}});
  EXPECT_EQ(engine.instances().front().version, 2);
  EXPECT_EQ(engine.elements(key).back().element, "duty");
  std::string worked_at;
  engine.worker("work", [&](const WorkItem& item) {
    worked_at = item.element;
    return "";
  });
  ASSERT_TRUE(engine.wait(key, 10s));
  EXPECT_EQ(worked_at, "duty");
  std::set<std::string> completed;  // under the ids that the elements had then
  for (const Happening& one : engine.history(key)) {
    if (one.name == "ElementCompleted") completed.insert(one.element);
  }
  EXPECT_EQ(completed, (std::set<std::string>{"start", "duty", "end", "p"}));
}

TEST_F(Embedded, refuses_with_a_code_and_changes_nothing) {
  Engine engine = open();
  engine.deploy("p.bpmn", one_job);
  engine.start("p", "{}", {.id = "one"});
  const std::pair<int, std::function<void()>> rows[] = {
      {1301, [&] { engine.start("other"); }},
      {1301, [&] { engine.start("p", "{}", {.version = 7}); }},
      {1301, [&] { static_cast<void>(engine.wait(999, 1s)); }},
      {1301, [&] { engine.cancel(999); }},
      {1301, [&] { engine.resolve(999); }},
      {1304, [&] { engine.start("p", "{}", {.id = "one"}); }},
      {1001, [&] { engine.start("p", "{"); }},
      {1005, [&] { engine.deploy_file("no/such/file.bpmn"); }},
      {1101, [&] { engine.deploy("p.bpmn", model("")); }},
      {1503, [&] { open(); }},  // this process has it open already
  };
  for (const auto& [code, call] : rows) EXPECT_EQ(failure_of(call), code);
  EXPECT_EQ(engine.instances().size(), 1u);
  const auto same = engine.start("p", "{}", {.id = "one", .if_exists = IfExists::give_existing});
  EXPECT_EQ(same, engine.instances().front().key);
  engine.close();
  EXPECT_EQ(failure_of([&] { engine.start("p"); }), 1501);
}

TEST_F(Embedded, an_error_of_the_model_is_caught_by_it) {
  Engine engine = open();
  engine.deploy("p.bpmn", catching);
  engine.worker("work", [](const WorkItem&) -> std::string { throw BpmnError("declined", "no"); });
  const auto ended = engine.start_and_wait("p", "{}", 10s);
  ASSERT_TRUE(ended);
  bool declined = false;
  for (const Happening& one : engine.history(ended->instance))
    declined |= one.element == "declined";
  EXPECT_TRUE(declined);
}

TEST_F(Embedded, a_failed_job_is_tried_again_and_then_becomes_an_incident) {
  Engine engine = open();
  engine.deploy("p.bpmn", one_job);
  std::atomic<int> calls = 0;
  std::atomic<bool> broken = true;
  engine.worker("work",
                [&](const WorkItem& item) -> std::string {
                  EXPECT_EQ(item.retries, broken ? 3 - calls.load() : 1);
                  ++calls;
                  if (broken) throw std::runtime_error("the bank is closed");
                  return "";
                },
                {.first_pause = 2ms});
  const auto key = engine.start("p");
  std::vector<IncidentInfo> incidents;
  for (int i = 0; i < 500 && incidents.empty(); ++i) {
    std::this_thread::sleep_for(10ms);
    incidents = engine.incidents();
  }
  ASSERT_EQ(incidents.size(), 1u);
  EXPECT_EQ(calls, 3);
  EXPECT_NE(incidents[0].message.find("the bank is closed"), std::string::npos);
  EXPECT_EQ(engine.jobs("work").front().state, "out_of_retries");
  broken = false;
  engine.update_retries(engine.jobs("work").front().key, 1);
  engine.resolve(incidents[0].key);
  EXPECT_TRUE(engine.wait(key, 10s));
}

TEST_F(Embedded, a_handler_learns_that_its_job_is_gone) {
  Engine engine = open();
  engine.deploy("p.bpmn", one_job);
  std::atomic<bool> begun = false, gone = false;
  engine.worker("work", [&](const WorkItem& item) {
    begun = true;
    for (int i = 0; i < 1'000 && !item.cancelled(); ++i) std::this_thread::sleep_for(10ms);
    gone = item.cancelled();
    return "";
  });
  const auto key = engine.start("p");
  while (!begun) std::this_thread::sleep_for(1ms);
  engine.cancel(key);
  EXPECT_EQ(engine.wait(key, 10s)->state, State::terminated);
  engine.close();  // waits for the handler
  EXPECT_TRUE(gone);
}

TEST_F(Embedded, loops_grow_and_end_while_they_run) {
  Engine engine = open();
  engine.deploy("p.bpmn", over_items);
  const auto key = engine.start("p", R"({"items": [1]})");
  const std::uint64_t body = body_of(engine, key);
  engine.add_items(body, "[2, 3]");
  EXPECT_EQ(engine.jobs("work").size(), 3u);
  EXPECT_EQ(engine.loop(body).element, "task");
  EXPECT_EQ(engine.loop(body).active, 3u);
  EXPECT_EQ(engine.loop(body).total, 3u);
  EXPECT_NE(failure_of([&] { engine.loop(key); }), 0) << "an instance is no loop";
  engine.worker("work", [](const WorkItem&) { return ""; }, {.threads = 2});
  const auto ended = engine.wait(key, 10s);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->variables, R"({"items":[1],"out":[1,2,3]})");
  EXPECT_NE(failure_of([&] { engine.loop(body); }), 0) << "it has ended";

  const auto other = engine.start("p", R"({"items": []})");  // nothing to do
  EXPECT_TRUE(engine.wait(other, 10s));
  EXPECT_NE(failure_of([&] { engine.end_loop(other); }), 0);
}

TEST_F(Embedded, history_has_every_iteration) {  // M18
  Engine engine = open();
  engine.deploy("p.bpmn", over_items);
  const auto key = engine.start("p", R"({"items": [1, 2]})");
  engine.cancel(key);
  ASSERT_TRUE(engine.wait(key, 10s));
  int spawned = 0, ended = 0;
  for (const Happening& one : engine.history(key)) {
    if (one.element != "task") continue;
    const bool iteration = one.data.find("\"iteration\":1") != std::string::npos ||
                           one.data.find("\"iteration\":2") != std::string::npos;
    spawned += one.name == "ElementActivating" && iteration ? 1 : 0;
    ended += one.name == "ElementTerminated" ? 1 : 0;
  }
  EXPECT_EQ(spawned, 2);
  EXPECT_EQ(ended, 3);  // with the body
}

TEST_F(Embedded, a_loop_is_ended_or_cancelled) {  // M14
  Engine engine = open();
  engine.deploy("p.bpmn", over_items);
  for (const bool cancel : {false, true}) {
    const auto key = engine.start("p", R"({"items": [1, 2]})");
    engine.end_loop(body_of(engine, key), cancel);
    const auto ended = engine.wait(key, 10s);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->variables.find("out") == std::string::npos, cancel) << ended->variables;
  }
}

TEST_F(Embedded, elements_are_started_in_an_ad_hoc_sub_process) {  // Z452, C175
  Engine engine = open();
  engine.deploy("p.bpmn", model(R"(<adHocSubProcess id="task">
      <serviceTask id="a"><extensionElements><zeebe:taskDefinition type="work"/>
        </extensionElements></serviceTask>
      <completionCondition>=false</completionCondition></adHocSubProcess>)"));
  const auto key = engine.start("p");
  const auto ad_hoc = engine.elements(key).back().key;
  engine.activate(ad_hoc, "a", R"({"x": 1})");
  EXPECT_NE(failure_of([&] { engine.activate(ad_hoc, "b"); }), 0);
  EXPECT_NE(failure_of([&] { engine.complete_ad_hoc(ad_hoc); }), 0);
  engine.activate(ad_hoc, "a", R"({"x": 2})", true);
  EXPECT_EQ(engine.jobs("work").size(), 1u);
  std::mutex mutex;
  std::string seen;
  engine.worker("work", [&](const WorkItem& item) {
    const std::lock_guard lock(mutex);
    seen = item.variables;
    return "";
  });
  while (!engine.jobs("work").empty()) std::this_thread::sleep_for(1ms);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(seen, R"({"x":2})");
  engine.complete_ad_hoc(ad_hoc);
  EXPECT_TRUE(engine.wait(key, 10s));
}

TEST_F(Embedded, an_instance_continues_as_new_with_its_key) {
  Engine engine = open();
  engine.deploy("p.bpmn", one_job);
  const auto key = engine.start("p", R"({"round": 1})");
  engine.set_variables(key, R"({"extra": true})");
  engine.continue_as_new(key, R"({"round": 2})");
  EXPECT_EQ(engine.variables(key), R"({"round":2})");
  EXPECT_EQ(engine.instances().front().execution, 2u);
  engine.worker("work", [](const WorkItem&) { return ""; });
  EXPECT_TRUE(engine.wait(key, 10s));
}

TEST_F(Embedded, workers_share_many_jobs_on_several_shards) {
  Engine engine = open(3);
  engine.deploy("p.bpmn", over_items);
  std::mutex mutex;
  std::multiset<std::uint64_t> done;
  for (int i = 0; i < 2; ++i) {
    engine.worker(
        "work",
        [&](const WorkItem& item) {
          const std::lock_guard lock(mutex);
          done.insert(item.key);
          return "";
        },
        {.threads = 2, .max_active = 3});  // little credit, so that it runs out all the time
  }
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 30; ++i) keys.push_back(engine.start("p", R"({"items": [1, 2, 3, 4, 5]})"));
  for (const auto key : keys) ASSERT_TRUE(engine.wait(key, 30s)) << key;
  EXPECT_EQ(done.size(), 150u);
  EXPECT_EQ(std::set<std::uint64_t>(done.begin(), done.end()).size(), 150u);
}

TEST_F(Embedded, a_stopped_worker_leaves_its_jobs_to_others) {
  Engine engine = open();
  engine.deploy("p.bpmn", one_job);
  std::atomic<bool> begun = false, release = false;
  const auto first = engine.worker("work", [&](const WorkItem&) {
    begun = true;
    while (!release) std::this_thread::sleep_for(1ms);
    return "";
  });
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 5; ++i) keys.push_back(engine.start("p"));
  while (!begun) std::this_thread::sleep_for(1ms);
  std::thread stopping([&] { engine.stop_worker(first); });
  engine.worker("work", [](const WorkItem&) { return ""; });
  release = true;
  stopping.join();
  for (const auto key : keys) EXPECT_TRUE(engine.wait(key, 10s)) << key;
}

TEST_F(Embedded, tells_what_happens_in_order_and_with_its_place) {
  Engine engine = open();
  engine.deploy("p.bpmn", one_job);
  const auto before = engine.start("p");
  std::vector<Happening> told;
  engine.subscribe([&](const Happening& one) { told.push_back(one); });
  engine.worker("work", [](const WorkItem&) { return ""; });
  EXPECT_TRUE(engine.wait(before, 10s));
  const auto ended = engine.start_and_wait("p", "{}", 10s);
  ASSERT_TRUE(ended);
  const auto history = engine.history(ended->instance);
  engine.close();
  std::vector<std::string> live, stored;
  std::set<std::string> of_before;
  for (const Happening& one : told) {
    if (one.instance == ended->instance) live.push_back(one.name + " " + one.element);
    if (one.instance == before && one.name == "ElementCompleted") of_before.insert(one.element);
  }
  for (const Happening& one : history) stored.push_back(one.name + " " + one.element);
  EXPECT_EQ(live, stored);
  EXPECT_EQ(stored.front().substr(0, 15), "InstanceStarted");
  // The subscription began in the middle of this one.
  EXPECT_EQ(of_before, (std::set<std::string>{"task", "end", "p"}));
}

}  // namespace
}  // namespace pawl

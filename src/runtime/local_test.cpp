// SPDX-License-Identifier: Apache-2.0
#include "runtime/local.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "runtime/local_paths.hpp"
#include "store/conformance/temporary_directory.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_journal.hpp"

namespace pawl::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* order_model = R"(<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
  <process id="order" isExecutable="true">
    <startEvent id="start"/><sequenceFlow id="f1" sourceRef="start" targetRef="work"/>
    <serviceTask id="work"><extensionElements><zeebe:taskDefinition type="charge"/>
    </extensionElements></serviceTask>
    <sequenceFlow id="f2" sourceRef="work" targetRef="end"/><endEvent id="end"/>
  </process>
</definitions>)";

const Progress quiet = [](std::uint64_t, std::uint64_t) {};

class Local : public testing::Test {
 protected:
  std::unique_ptr<Node> open() {
    auto node = open_local(directory_.path(), clock_, {.segment_bytes = 1u << 20});
    EXPECT_TRUE(node) << node.error().text;
    (*node)->run();
    return std::move(*node);
  }
  static void deploy(Node& node) {
    std::promise<bool> done;
    DeployRequest request{.reply = [&](Result<Deployment> made) { done.set_value(!!made); }};
    request.resources.push_back(*read_resource("order.bpmn", order_model));
    node.ask(std::move(request));
    EXPECT_TRUE(done.get_future().get());
  }
  static Key start(Node& node) {
    std::promise<Key> done;
    node.ask(StartRequest{
        .definition = *node.definitions().latest("order"),
        .reply = [&](auto made) { done.set_value(made ? made->instance : Key::none); }});
    return done.get_future().get();
  }
  // A directory with two instances that wait; the node is closed again.
  void fill() {
    const auto node = open();
    deploy(*node);
    start(*node);
    start(*node);
  }
  std::string index_file() const { return directory_.path() + "/index.db"; }
  std::size_t active() {
    const auto index = read_local(directory_.path());
    EXPECT_TRUE(index) << index.error().text;
    return (*index)->instances({.state = store::InstanceState::active})->size();
  }

  SystemClock clock_{};
  store::TemporaryDirectory directory_{};
};

TEST_F(Local, keeps_what_it_was_told) {
  fill();
  const auto node = open();
  EXPECT_EQ(node->index().instances({})->size(), 2u);
  EXPECT_NE(start(*node), Key::none);  // of the process that was deployed before
}

TEST_F(Local, runs_the_instances_of_every_shard_that_ever_worked_there) {
  std::vector<Key> keys;
  {
    auto node = open_local(directory_.path(), clock_, {.node = {.shards = 3}});
    (*node)->run();
    deploy(**node);
    for (int i = 0; i < 3; ++i) keys.push_back(start(**node));
  }
  const auto node = open();
  EXPECT_EQ(node->shards(), 3u);
  for (const Key key : keys) {
    std::promise<bool> done;
    node->ask(CommandRequest{.target = key,
                             .command = engine::CancelInstance{},
                             .reply = [&](auto said) { done.set_value(said.has_value()); }});
    EXPECT_TRUE(done.get_future().get()) << number(key);
  }
}

TEST_F(Local, makes_a_missing_index_anew) {
  fill();
  fs::remove(index_file());
  EXPECT_EQ(active(), 2u);
  const auto node = open();
  EXPECT_EQ(node->index().instances({})->size(), 2u);
  EXPECT_EQ(node->index().elements(node->index().instances({})->front().key)->back().element_id,
            "work");
}

TEST_F(Local, says_how_to_mend_a_damaged_index) {
  fill();
  std::ofstream(index_file(), std::ios::trunc) << "this is no database, whatever it says";
  const auto refused = open_local(directory_.path(), clock_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::store_damaged);
  EXPECT_NE(refused.error().text.find("pawl reindex"), std::string::npos) << refused.error().text;
  EXPECT_FALSE(verify_local(directory_.path(), quiet)->problems.empty());

  const auto records = reindex_local(directory_.path(), quiet);
  ASSERT_TRUE(records) << records.error().text;
  EXPECT_EQ(*records, 3u);  // a deployment and two starts
  EXPECT_EQ(active(), 2u);
  EXPECT_EQ(verify_local(directory_.path(), quiet)->problems, std::vector<std::string>());
}

TEST_F(Local, B19_an_index_that_knows_more_than_the_journal_is_not_replaced) {
  fill();
  fs::remove_all(directory_.path() + "/journal");
  fs::create_directory(directory_.path() + "/journal");
  EXPECT_FALSE(open_local(directory_.path(), clock_).has_value());
  const auto refused = reindex_local(directory_.path(), quiet);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::store_damaged);
  EXPECT_NE(refused.error().text.find("files of it are missing"), std::string::npos)
      << refused.error().text;
  EXPECT_EQ(open_reader(directory_.path()).value()->instances({})->size(), 2u)
      << "it is still there";
}

TEST_F(Local, is_read_beside_the_process_that_has_it) {
  const auto node = open();
  deploy(*node);
  start(*node);
  ASSERT_TRUE(node->catch_up());
  EXPECT_EQ(active(), 1u);
  const Result<void> refusals[] = {
      open_local(directory_.path(), clock_) ? Result<void>()
                                            : open_local(directory_.path(), clock_).error(),
      reindex_local(directory_.path(), quiet) ? Result<void>()
                                              : reindex_local(directory_.path(), quiet).error(),
      verify_local(directory_.path(), quiet) ? Result<void>()
                                             : verify_local(directory_.path(), quiet).error(),
  };
  for (const auto& refusal : refusals) {
    ASSERT_FALSE(refusal);
    EXPECT_EQ(refusal.error().code, Code::store_in_use);
  }
}

// The index has passed the first journal files, and they are gone.
TEST_F(Local, without_its_first_records_needs_its_index) {
  constexpr std::uint64_t small = 8'192;
  {
    auto node = open_local(directory_.path(), clock_, {.segment_bytes = small});
    (*node)->run();
    deploy(**node);
    for (int i = 0; i < 200; ++i) start(**node);
    ASSERT_TRUE((*node)->catch_up());
  }
  {
    auto files = store::PosixFiles::open(directory_.path() + "/journal");
    auto journal = store::SegmentJournal::open(**files, {.segment_bytes = small});
    ASSERT_TRUE((*journal)->drop_through(store::position_from(150)));
    ASSERT_GT(store::number((*journal)->first()), 2u);
  }
  const auto verdict = verify_local(directory_.path(), quiet);
  ASSERT_TRUE(verdict) << verdict.error().text;
  EXPECT_FALSE(verdict->complete);
  EXPECT_EQ(verdict->instances, 200u);
  EXPECT_EQ(verdict->problems, std::vector<std::string>());
  EXPECT_EQ(active(), 200u);

  EXPECT_EQ(reindex_local(directory_.path(), quiet).error().code, Code::store_damaged);
  EXPECT_EQ(active(), 200u);  // nothing was changed
  fs::remove(index_file());
  const auto refused = open_local(directory_.path(), clock_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::store_damaged);
  EXPECT_NE(refused.error().text.find("backup"), std::string::npos) << refused.error().text;
  EXPECT_FALSE(read_local(directory_.path()));
  EXPECT_FALSE(verify_local(directory_.path(), quiet)->problems.empty());
}

TEST_F(Local, is_not_made_by_reading) {
  const std::string nowhere = directory_.path() + "/nowhere";
  EXPECT_EQ(read_local(nowhere).error().code, Code::store_unavailable);
  EXPECT_EQ(verify_local(nowhere, quiet).error().code, Code::store_unavailable);
  EXPECT_EQ(reindex_local(nowhere, quiet).error().code, Code::store_unavailable);
  EXPECT_FALSE(fs::exists(nowhere));
}

TEST_F(Local, verification_finds_what_was_changed_behind_its_back) {
  fill();
  const auto fine = verify_local(directory_.path(), quiet);
  ASSERT_TRUE(fine) << fine.error().text;
  EXPECT_EQ(fine->problems, std::vector<std::string>());
  EXPECT_EQ(fine->instances, 2u);
  EXPECT_EQ(fine->records, 3u);

  {  // the index of another directory, with one instance less
    store::TemporaryDirectory other;
    auto node = open_local(other.path(), clock_);
    (*node)->run();
    deploy(**node);
    start(**node);
    deploy(**node);
    start(**node);
    ASSERT_TRUE((*node)->catch_up());
    (*node)->close();
    node->reset();
    fs::copy_file(other.path() + "/index.db", index_file(), fs::copy_options::overwrite_existing);
  }
  EXPECT_FALSE(verify_local(directory_.path(), quiet)->problems.empty());

  for (const auto& file : fs::directory_iterator(directory_.path() + "/journal")) {
    if (!file.path().filename().string().starts_with("journal-")) continue;
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(600);
    bytes << "XXXXXXXX";
  }
  EXPECT_FALSE(verify_local(directory_.path(), quiet)->problems.empty());
}

// --- retention ----------------------------------------------------------------------------------

TEST_F(Local, forgets_what_ended_long_ago_and_verify_knows) {
  {
    auto opened =
        open_local(directory_.path(), clock_, {.node = {.retention = {.standard = Millis(200)}}});
    ASSERT_TRUE(opened) << opened.error().text;
    const std::unique_ptr<Node> node = std::move(*opened);
    node->run();
    deploy(*node);
    const Key gone = start(*node), stays = start(*node);
    std::promise<void> cancelled;
    node->ask(CommandRequest{.target = gone,
                             .command = engine::CancelInstance{},
                             .reply = [&](const Result<Done>&) { cancelled.set_value(); }});
    cancelled.get_future().get();
    ASSERT_TRUE(node->catch_up());  // the index knows of both, and of the end
    std::size_t left = 2;
    for (int i = 0; i < 500 && left == 2; ++i) {
      std::this_thread::sleep_for(Millis(20));
      left = node->index().instances({})->size();
    }
    ASSERT_EQ(left, 1u);
    EXPECT_EQ(node->index().instances({})->front().key, stays);
  }
  const auto verdict = verify_local(directory_.path(), quiet);
  ASSERT_TRUE(verdict) << verdict.error().text;
  EXPECT_TRUE(verdict->problems.empty()) << verdict->problems.front();
}

// --- backup -------------------------------------------------------------------------------------

TEST_F(Local, copies_itself_while_it_works_and_the_copy_is_whole) {
  const store::TemporaryDirectory elsewhere;
  const auto node = open();
  deploy(*node);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> started{0};
  std::thread load([&] {
    while (!stop) {
      start(*node);
      ++started;
    }
  });
  std::vector<std::uint64_t> known;
  for (int i = 0; i < 5; ++i) {
    while (started < (known.empty() ? 50 : known.back() + 200)) std::this_thread::yield();
    known.push_back(started);
    const auto made = backup_local(*node, elsewhere.path() + "/copy" + std::to_string(i));
    ASSERT_TRUE(made) << made.error().text;
    EXPECT_GE(*made, known.back());
  }
  stop = true;
  load.join();
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::string copy = elsewhere.path() + "/copy" + std::to_string(i);
    const auto verdict = verify_local(copy, quiet);
    ASSERT_TRUE(verdict) << verdict.error().text;
    EXPECT_TRUE(verdict->problems.empty()) << verdict->problems.front();
    const auto restored = open_local(copy, clock_, {.segment_bytes = 1u << 20});
    ASSERT_TRUE(restored) << restored.error().text;
    const auto rows = (*restored)->index().instances({});
    ASSERT_TRUE(rows);
    EXPECT_GE(rows->size(), known[i]) << "what was answered before the copy began is in it";
  }
}

TEST_F(Local, does_not_copy_itself_over_something) {
  const store::TemporaryDirectory elsewhere;
  const auto node = open();
  const auto made = backup_local(*node, elsewhere.path());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Code::already_exists);
}

}  // namespace
}  // namespace pawl::runtime

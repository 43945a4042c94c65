// SPDX-License-Identifier: Apache-2.0
// The journals of earlier releases, as they were written then (README.md): today's code reads them
// and comes to the same state.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "describe.hpp"
#include "engine/rules.hpp"
#include "runtime/node.hpp"
#include "store/conformance/temporary_directory.hpp"
#include "store/describe.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/memory/memory_index.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::replay {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> recordings() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(PAWL_SOURCE_DIR "/tests/replay")) {
    if (fs::exists(entry.path() / "expected.txt")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

constexpr const char* frozen =
    "history is frozen: what an event means may change only with a new number of the rules "
    "(engine/rules.hpp), and the numbers of elements never (docs/journal-format.md)";

class Replay : public testing::TestWithParam<fs::path> {
 protected:
  // Opening may change the files, so it is given a copy.
  void SetUp() override {
    fs::copy(GetParam(), copy_.path(), fs::copy_options::recursive);
    auto files = store::PosixFiles::open(copy_.path());
    ASSERT_TRUE(files.has_value()) << files.error().text;
    files_ = std::move(*files);
    auto journal = store::SegmentJournal::open(*files_, {.segment_bytes = 16u << 10});
    ASSERT_TRUE(journal.has_value()) << journal.error().text;
    journal_ = std::move(*journal);
  }
  void expect_read(store::Index& index) {
    const auto reading = read_journal(*journal_, index, definitions_);
    ASSERT_TRUE(reading.has_value()) << reading.error().text;
    EXPECT_EQ(reading->broken, "");
    EXPECT_EQ(reading->text, text_of(GetParam() / "expected.txt"));
    // Word for word, for ever (engine/rules.hpp).
    EXPECT_EQ(reading->states, text_of(GetParam() / "states.txt")) << frozen;
    EXPECT_EQ(reading->elements, text_of(GetParam() / "elements.txt")) << frozen;
  }

  store::TemporaryDirectory copy_;
  runtime::Definitions definitions_;
  std::unique_ptr<store::Files> files_;
  std::unique_ptr<store::Journal> journal_;
};

TEST_P(Replay, opens_without_repair) {
  EXPECT_EQ(journal_->mended(), "");
  EXPECT_EQ(journal_->first(), store::position_from(1));
}

TEST_P(Replay, is_the_same_in_memory) {
  store::MemoryIndex index(names_from(definitions_));
  expect_read(index);
}

TEST_P(Replay, is_the_same_in_sqlite) {
  expect_read(**store::SqliteIndex::open({.element_names = names_from(definitions_)}));
}

struct LaterClock final : runtime::Clock {
  Instant now() const override { return Instant(Millis(1'900'000'000'000)); }
};

// Every timer and every message is over by then: instances of old releases go on.
TEST_P(Replay, is_taken_up_by_the_runtime) {
  runtime::Stores stores;
  stores.files = std::move(files_);
  stores.journal = std::move(journal_);
  stores.definitions = std::make_unique<runtime::Definitions>();
  auto index = std::make_unique<store::MemoryIndex>();
  stores.definitions->load_with(
      [asked = index.get()](Key resource) { return asked->resource(resource); });
  stores.index = std::move(index);
  const LaterClock clock;
  auto opened = runtime::Node::open(std::move(stores), clock, {});
  ASSERT_TRUE(opened.has_value()) << opened.error().text;
  runtime::Node& node = **opened;
  const std::size_t incidents = node.index().incidents(Key::none)->size();
  for (bool moved = true; moved;) {
    moved = node.step_shard(0);
    moved |= node.step_committer();
    moved |= node.step_indexer();
  }
  ASSERT_TRUE(node.catch_up().has_value());
  EXPECT_TRUE(node.index().timers_after(Instant::min(), Key::none, 1)->empty());
  EXPECT_TRUE(node.index().messages()->empty());
  EXPECT_TRUE(node.index().instances({.busy = true})->empty());
  EXPECT_LE(node.index().incidents(Key::none)->size(), incidents);
}

std::string name_of(const testing::TestParamInfo<fs::path>& recording) {
  std::string name = "v" + recording.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(EveryRelease, Replay, testing::ValuesIn(recordings()), name_of);

std::set<std::string> missing_in(const std::vector<fs::path>& folders, std::uint32_t& newest) {
  std::set<std::string> missing;
  for (const fs::path& folder : folders) {
    store::TemporaryDirectory copy;
    fs::copy(folder, copy.path(), fs::copy_options::recursive);
    const auto files = store::PosixFiles::open(copy.path());
    const auto journal = store::SegmentJournal::open(**files, {.segment_bytes = 16u << 10});
    runtime::Definitions definitions;
    store::MemoryIndex index(names_from(definitions));
    const auto reading = read_journal(**journal, index, definitions);
    EXPECT_TRUE(reading.has_value());
    if (!reading) continue;
    newest = std::max(newest, reading->rules);
    if (folder == folders.front()) missing = reading->missing;
    std::erase_if(missing, [&](const auto& kind) { return !reading->missing.contains(kind); });
  }
  return missing;
}

// Whoever adds a kind of event, or a number of the rules, records a journal with it (README.md).
TEST(ReplayFolder, A13_has_every_kind_of_event_and_the_newest_rules) {
  std::uint32_t newest = 0;
  EXPECT_EQ(missing_in(recordings(), newest), std::set<std::string>());
  EXPECT_EQ(newest, engine::newest_rules);
}

}  // namespace
}  // namespace pawl::replay

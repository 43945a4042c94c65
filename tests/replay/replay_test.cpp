// SPDX-License-Identifier: Apache-2.0
// The journals of earlier releases, as they were written then (README.md): today's code reads them
// and comes to the same state.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "describe.hpp"
#include "runtime/node.hpp"
#include "store/conformance/temporary_directory.hpp"
#include "store/describe.hpp"
#include "store/local/posix_files.hpp"
#include "store/local/segment_journal.hpp"
#include "store/local/sqlite_index.hpp"
#include "store/memory/memory_index.hpp"

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
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(EveryRelease, Replay, testing::ValuesIn(recordings()), name_of);

TEST(ReplayFolder, has_a_recording) { EXPECT_FALSE(recordings().empty()); }

}  // namespace
}  // namespace pawl::replay

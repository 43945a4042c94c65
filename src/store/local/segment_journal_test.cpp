// SPDX-License-Identifier: Apache-2.0
#include "store/local/segment_journal.hpp"

#include <gtest/gtest.h>

#include "store/memory/simulated_files.hpp"

namespace pawl::store {
namespace {

std::vector<std::string> all_of(const Journal& journal) {
  std::vector<std::string> records;
  const auto read = journal.read(journal.first(), [&](Position, std::string_view bytes) {
    records.emplace_back(bytes);
    return true;
  });
  EXPECT_TRUE(read.has_value()) << read.error().text;
  return records;
}

TEST(SegmentJournal, appends_and_reads) {
  SimulatedDisk disk;
  const auto files = disk.files();
  auto journal = SegmentJournal::open(*files, {.segment_bytes = 4096});
  ASSERT_TRUE(journal.has_value()) << journal.error().text;
  const std::vector<std::string> batch = {"one", "", "three"};
  EXPECT_EQ(number(*(*journal)->append(batch)), 1u);
  EXPECT_EQ(all_of(**journal), batch);
  journal->reset();
  journal = SegmentJournal::open(*files, {.segment_bytes = 4096});
  ASSERT_TRUE(journal.has_value()) << journal.error().text;
  EXPECT_EQ(all_of(**journal), batch);
}

}  // namespace
}  // namespace pawl::store

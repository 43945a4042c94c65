// SPDX-License-Identifier: Apache-2.0
// What is special about this journal; what every journal does is in conformance/journal_kit.hpp.
#include "store/journal/segment_journal.hpp"

#include <gtest/gtest.h>

#include "store/memory/simulated_files.hpp"
#include "store/patience.hpp"

namespace pawl::store {
namespace {

using Batch = std::vector<std::string>;

struct Opened {
  std::unique_ptr<Files> files{};
  std::unique_ptr<SegmentJournal> journal{};
  SegmentJournal* operator->() const { return journal.get(); }
  void append(std::size_t count, std::size_t size) const {
    ASSERT_TRUE(journal->append(Batch(count, std::string(size, 'x'))).has_value());
  }
};

Opened open(SimulatedDisk& disk, SegmentOptions options = {.segment_bytes = 4096}) {
  Opened opened{.files = disk.files()};
  auto journal = SegmentJournal::open(*opened.files, options);
  EXPECT_TRUE(journal.has_value()) << journal.error().text;
  if (journal) opened.journal = std::move(*journal);
  return opened;
}

std::size_t count_names(const SimulatedDisk& disk, std::string_view prefix) {
  return static_cast<std::size_t>(std::ranges::count_if(
      disk.names(), [&](const std::string& name) { return name.starts_with(prefix); }));
}

std::size_t count_records(const Journal& journal) {
  std::size_t count = 0;
  const auto read = journal.read(journal.first(), [&](Position, std::string_view) {
    ++count;
    return true;
  });
  EXPECT_TRUE(read.has_value()) << read.error().text;
  return count;
}

TEST(SegmentJournal, an_unfinished_write_is_cut_reported_once_and_gone) {
  SimulatedDisk disk;
  const std::string name = segment_name(position_from(1));
  std::string content;
  {
    const auto journal = open(disk);
    journal.append(2, 100);
    journal.append(3, 500);
    content = disk.content(name);
  }
  content.replace(1600, 512, 512, '\0');  // a part of the second frame
  disk.put(name, content);
  {
    const auto journal = open(disk);
    EXPECT_NE(journal->mended().find("cut 1544 bytes"), std::string::npos) << journal->mended();
    EXPECT_EQ(number(journal->last()), 2u);
  }
  const std::string cut = disk.content(name).substr(512 + frame_bytes(2 * 101));
  EXPECT_EQ(cut.find_first_not_of('\0'), std::string::npos);
  EXPECT_EQ(open(disk)->mended(), "");
}

TEST(SegmentJournal, a_copy_ends_in_the_midst_of_a_segment_when_nobody_waits_for_it) {
  SimulatedDisk disk, other;
  const auto journal = open(disk, {.segment_bytes = 8u << 20});
  for (int i = 0; i < 5; ++i) journal.append(1, 1'000'000);
  Patience patience;
  const WorkingFor somebody(patience);
  std::size_t pieces = 0;
  other.on_operation([&](const Operation& operation) {
    if (operation.kind == Io::write && ++pieces == 2) patience.give_up();
    return Fault::none;
  });
  const auto to = other.files();
  const auto copied = journal->copy_to(*to, [] { return Result<void>(); });
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, Code::too_slow);
  EXPECT_EQ(pieces, 2u);
}

TEST(SegmentJournal, files_are_used_again_and_their_number_stays) {
  SimulatedDisk disk;
  const auto journal = open(disk);
  std::size_t removed = 0;
  disk.on_operation([&](const Operation& operation) {
    removed += operation.kind == Io::remove || operation.kind == Io::allocate ? 1 : 0;
    return Fault::none;
  });
  for (int i = 0; i < 200; ++i) {
    journal.append(1, 1000);
    if (i > 20) {
      ASSERT_TRUE(
          journal->drop_through(position_from(static_cast<std::uint64_t>(i - 8))).has_value());
    }
    if (i == 60) removed = 0;
  }
  EXPECT_EQ(removed, 0u);
  EXPECT_LE(disk.names().size(), 8u);
  EXPECT_EQ(number(journal->last()), 200u);
}

TEST(SegmentJournal, no_more_spares_are_kept_than_wanted) {
  SimulatedDisk disk;
  const auto journal = open(disk, {.segment_bytes = 4096, .spares = 1});
  for (int i = 0; i < 20; ++i) journal.append(1, 3000);
  ASSERT_TRUE(journal->drop_through(journal->last()).has_value());
  EXPECT_EQ(count_names(disk, "journal-"), 1u);
  EXPECT_EQ(count_names(disk, "spare-"), 1u);
}

TEST(SegmentJournal, with_a_prepared_file_an_append_does_not_wait_for_zeros) {
  SimulatedDisk disk;
  const auto journal = open(disk);
  journal.append(1, 3000);
  journal->prepare();
  journal->prepare();  // one is enough
  EXPECT_EQ(count_names(disk, "spare-"), 1u);
  disk.on_operation([](const Operation& operation) {
    EXPECT_NE(operation.kind, Io::allocate);
    return Fault::none;
  });
  journal.append(1, 3000);
}

TEST(SegmentJournal, a_batch_larger_than_a_segment_gets_a_file_of_its_size) {
  SimulatedDisk disk;
  const auto journal = open(disk);
  journal.append(1, 10);
  journal.append(3, 10'000);
  journal.append(1, 10);
  journal.append(1, 10);
  EXPECT_EQ(count_names(disk, "journal-"), 3u);
  EXPECT_EQ(count_records(*journal.journal), 6u);
  ASSERT_TRUE(journal->drop_through(journal->last()).has_value());
  for (const std::string& name : disk.names()) EXPECT_EQ(disk.content(name).size(), 4096u);
}

// A reader goes on while what it reads is dropped and new segments are written.
TEST(SegmentJournal, a_reader_keeps_what_is_dropped_under_it) {
  SimulatedDisk disk;
  const auto journal = open(disk);
  for (int i = 0; i < 9; ++i) journal.append(1, 1000);
  std::vector<std::uint64_t> seen;
  const auto read = journal->read(position_from(1), [&](Position at, std::string_view bytes) {
    EXPECT_EQ(bytes, std::string(1000, 'x'));
    seen.push_back(number(at));
    if (seen.size() == 1) {
      EXPECT_TRUE(journal->drop_through(journal->last()).has_value());
      for (int i = 0; i < 30; ++i) EXPECT_TRUE(journal->append(Batch{"new"}).has_value());
      for (int i = 0; i < 9; ++i)
        EXPECT_TRUE(journal->append(Batch{std::string(1000, 'y')}).has_value());
    }
    return true;
  });
  ASSERT_TRUE(read.has_value()) << read.error().text;
  EXPECT_EQ(seen.size(), 9u);
  EXPECT_EQ(seen.back(), 9u);
}

TEST(SegmentJournal, reading_holds_about_a_megabyte_at_a_time) {
  SimulatedDisk disk;
  const auto journal = open(disk, {.segment_bytes = 8u << 20});
  for (int i = 0; i < 300; ++i) journal.append(10, 1000);
  std::uint64_t largest = 0;
  std::uint64_t sum = 0;
  disk.on_operation([&](const Operation& operation) {
    if (operation.kind == Io::read)
      largest = std::max(largest, operation.size), sum += operation.size;
    return Fault::none;
  });
  EXPECT_EQ(count_records(*journal.journal), 3000u);
  EXPECT_EQ(largest, 1u << 20);
  EXPECT_LE(sum, 6u << 20);
}

TEST(SegmentJournal, an_empty_last_segment_remembers_the_position) {
  SimulatedDisk disk;
  {
    const auto journal = open(disk);
    for (int i = 0; i < 3; ++i) journal.append(1, 3000);
    bool armed = true;
    disk.on_operation([&](const Operation& operation) {
      return operation.kind == Io::sync && std::exchange(armed, false) ? Fault::error : Fault::none;
    });
    EXPECT_FALSE(journal->append(Batch{"lost"}).has_value());
    armed = true;
    disk.on_operation([&](const Operation& operation) {
      return operation.kind == Io::write && operation.offset > 0 ? Fault::error : Fault::none;
    });
    EXPECT_FALSE(journal->append(Batch{"lost"}).has_value());  // but the new segment is made
    disk.on_operation({});
    ASSERT_TRUE(journal->drop_through(journal->last()).has_value());
    EXPECT_EQ(number(journal->first()), 4u);
    EXPECT_EQ(number(journal->last()), 3u);
  }
  const auto journal = open(disk);
  EXPECT_EQ(number(journal->first()), 4u);
  EXPECT_EQ(number(journal->last()), 3u);
  EXPECT_EQ(number(*journal->append(Batch{"next"})), 4u);
}

TEST(SegmentJournal, dropping_goes_on_where_it_failed) {
  for (const Io kind : {Io::rename, Io::sync_names}) {
    for (const Fault fault : {Fault::error, Fault::error_after}) {
      SimulatedDisk disk;
      const auto journal = open(disk);
      for (int i = 0; i < 5; ++i) journal.append(1, 3000);
      bool armed = true;
      disk.on_operation([&](const Operation& operation) {
        return operation.kind == kind && std::exchange(armed, false) ? fault : Fault::none;
      });
      // A rename that happened although an error was told is as good as any.
      const bool harmless = kind == Io::rename && fault == Fault::error_after;
      EXPECT_EQ(journal->drop_through(position_from(4)).has_value(), harmless);
      EXPECT_TRUE(journal->drop_through(position_from(4)).has_value());
      EXPECT_EQ(number(journal->first()), 5u);
      EXPECT_EQ(count_names(disk, "journal-"), 1u);
    }
  }
}

TEST(SegmentJournal, a_second_one_on_the_same_directory_is_refused) {
  SimulatedDisk disk;
  const auto journal = open(disk);
  const auto files = disk.files();
  const auto second = SegmentJournal::open(*files, {});
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, Code::store_in_use);
}

TEST(SegmentJournal, the_size_of_segments_can_be_changed) {
  SimulatedDisk disk;
  {
    const auto journal = open(disk);
    for (int i = 0; i < 5; ++i) journal.append(1, 3000);
    ASSERT_TRUE(journal->drop_through(position_from(4)).has_value());
    EXPECT_GT(count_names(disk, "spare-"), 0u);
  }
  const auto journal = open(disk, {.segment_bytes = 8192});
  EXPECT_EQ(count_names(disk, "spare-"), 0u);
  for (int i = 0; i < 5; ++i) journal.append(1, 3000);
  EXPECT_EQ(number(journal->last()), 10u);
}

TEST(SegmentJournal, what_a_crash_left_half_made_is_removed) {
  SimulatedDisk disk;
  open(disk).append(1, 10);
  disk.put(unfinished_name, "zeros");
  disk.put(spare_name(7), "too short");
  const auto journal = open(disk);
  EXPECT_EQ(disk.names(), std::vector<std::string>{segment_name(position_from(1))});
}

}  // namespace
}  // namespace pawl::store

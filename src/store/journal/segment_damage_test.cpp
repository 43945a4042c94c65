// SPDX-License-Identifier: Apache-2.0
// Somebody or something changed the files: every byte, every length, whole files. Whatever it is,
// the journal says so, or it did not matter; it never gives wrong records.
#include <gtest/gtest.h>

#include "store/journal/crc32c.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/memory/simulated_files.hpp"

namespace pawl::store {
namespace {

using Batch = std::vector<std::string>;
using Contents = std::map<std::string, std::string>;

constexpr SegmentOptions small{.segment_bytes = 1280, .spares = 2, .secret = 5};

struct Sample {
  Contents files{};
  Batch records{};     // from `first` on
  std::size_t last{};  // records in the last frame
  Position first{};
};

Contents contents_of(const SimulatedDisk& disk) {
  Contents contents;
  for (const std::string& name : disk.names()) contents[name] = disk.content(name);
  return contents;
}
void fill(SimulatedDisk& disk, const Contents& contents) {
  for (const auto& [name, content] : contents) disk.put(name, content);
}

// `batches` of two records in small segments; `reused`: the older half is dropped on the way, so
// that the last segment lies on what an older one left.
Sample make_sample(int batches, bool reused) {
  SimulatedDisk disk;
  const auto files = disk.files();
  const auto opened = SegmentJournal::open(*files, small);
  Journal* const journal = opened->get();
  Sample sample;
  for (int i = 0; i < batches; ++i) {
    const Batch batch = {std::to_string(i) + std::string(150, 'x'), std::string(30, 'y')};
    EXPECT_TRUE(journal->append(batch).has_value());
    sample.records.insert(sample.records.end(), batch.begin(), batch.end());
    if (reused && i > 8) {
      EXPECT_TRUE(journal->drop_through(position_from(i)).has_value());
    }
  }
  sample.first = journal->first();
  sample.records.erase(sample.records.begin(),
                       sample.records.begin() + static_cast<int>(number(sample.first)) - 1);
  sample.last = 2;
  sample.files = contents_of(disk);
  return sample;
}

Batch read_all(const Journal& journal) {
  Batch seen;
  const auto read = journal.read(journal.first(), [&](Position, std::string_view bytes) {
    seen.emplace_back(bytes);
    return true;
  });
  EXPECT_TRUE(read.has_value()) << read.error().text;
  return seen;
}

enum class AfterDamage { damaged, cut, same };

// Opens what is on the disk; anything but these three outcomes fails the test.
AfterDamage open_and_compare(SimulatedDisk& disk, const Sample& sample) {
  const Contents before = contents_of(disk);
  const auto files = disk.files();
  const auto report = check_journal(*files);
  EXPECT_TRUE(report.has_value());
  EXPECT_EQ(contents_of(disk), before);
  const auto journal = SegmentJournal::open(*files, small);
  EXPECT_EQ(journal.has_value(), report->problems.empty());
  if (!journal) {
    EXPECT_EQ(journal.error().code, Code::store_damaged) << journal.error().text;
    EXPECT_EQ(contents_of(disk), before) << "a damaged journal is left as it is";
    return AfterDamage::damaged;
  }
  const Batch seen = read_all(**journal);
  EXPECT_EQ((*journal)->mended().empty(), report->unfinished.empty());
  if (seen == sample.records) return AfterDamage::same;
  const Batch without_last(sample.records.begin(),
                           sample.records.end() - static_cast<int>(sample.last));
  EXPECT_EQ(seen, without_last);
  EXPECT_NE((*journal)->mended(), "");
  return AfterDamage::cut;
}

TEST(SegmentDamage, every_flipped_byte_is_noticed_or_does_not_matter) {
  for (const bool reused : {false, true}) {
    const Sample sample = make_sample(reused ? 26 : 8, reused);
    std::map<AfterDamage, int> outcomes;
    for (const auto& [name, content] : sample.files) {
      for (std::size_t at = 0; at < content.size(); ++at) {
        const int flip = at % 3 == 0 ? 0xFF : 1 << (at % 8);
        SCOPED_TRACE(testing::Message() << name << " " << at << " ^ " << flip);
        SimulatedDisk disk;
        fill(disk, sample.files);
        std::string changed = content;
        changed[at] = static_cast<char>(changed[at] ^ flip);
        disk.put(name, changed);
        ++outcomes[open_and_compare(disk, sample)];
        if (testing::Test::HasFailure()) return;
      }
    }
    EXPECT_GT(outcomes[AfterDamage::damaged], 1000);
    EXPECT_GT(outcomes[AfterDamage::cut], 200);  // the last frame has about 220 bytes
    EXPECT_LT(outcomes[AfterDamage::cut], 230);
  }
}

TEST(SegmentDamage, every_shortened_segment_is_noticed) {
  const Sample sample = make_sample(13, false);
  for (const auto& [name, content] : sample.files) {
    for (std::size_t size = 0; size < content.size(); ++size) {
      SimulatedDisk disk;
      fill(disk, sample.files);
      disk.put(name, content.substr(0, size));
      EXPECT_EQ(open_and_compare(disk, sample), AfterDamage::damaged) << name << " " << size;
    }
  }
}

TEST(SegmentDamage, zeroed_and_garbled_sectors_are_noticed_or_do_not_matter) {
  const Sample sample = make_sample(26, true);
  for (const auto& [name, content] : sample.files) {
    for (std::size_t at = 0; at + 64 <= content.size(); at += 64) {
      for (const char byte : {'\0', 'z'}) {
        SCOPED_TRACE(testing::Message() << name << " " << at);
        SimulatedDisk disk;
        fill(disk, sample.files);
        std::string changed = content;
        changed.replace(at, 64, std::string(64, byte));
        disk.put(name, changed);
        const auto files = disk.files();
        const auto journal = SegmentJournal::open(*files, small);
        if (!journal) continue;
        // If the beginning of the last frame is gone, nothing shows that it ever was; if the end of
        // the one before it is gone, too, that looks like the end. More is never lost.
        const Batch seen = read_all(**journal);
        ASSERT_GE(seen.size() + 2 * sample.last, sample.records.size());
        ASSERT_TRUE(std::equal(seen.begin(), seen.end(), sample.records.begin()));
      }
    }
  }
}

TEST(SegmentDamage, the_last_two_frames_broken_is_damage_and_not_an_unfinished_write) {
  Sample sample = make_sample(12, false);
  auto& [name, content] = *sample.files.rbegin();
  std::vector<std::size_t> frames;
  for (std::size_t at = content.find("PFRM"); at != std::string::npos;
       at = content.find("PFRM", at + 1)) {
    frames.push_back(at);
  }
  ASSERT_GE(frames.size(), 2u);
  for (std::size_t back = 1; back <= 2; ++back) content[frames[frames.size() - back] + 40] ^= 1;
  SimulatedDisk disk;
  fill(disk, sample.files);
  EXPECT_EQ(open_and_compare(disk, sample), AfterDamage::damaged);
}

TEST(SegmentDamage, missing_renamed_and_swapped_segments_are_noticed) {
  const Sample sample = make_sample(20, false);
  std::vector<std::string> names;
  for (const auto& [name, content] : sample.files) names.push_back(name);
  ASSERT_GE(names.size(), 4u);
  const std::pair<const char*, std::function<void(SimulatedDisk&)>> rows[] = {
      {"missing", [&](SimulatedDisk& disk) { disk.erase(names[1]); }},
      {"renamed",
       [&](SimulatedDisk& disk) {
         disk.put(segment_name(position_from(999)), disk.content(names[1]));
         disk.erase(names[1]);
       }},
      {"copied",
       [&](SimulatedDisk& disk) {
         disk.put(segment_name(position_from(3)), disk.content(names[1]));
       }},
      {"swapped",
       [&](SimulatedDisk& disk) {
         disk.put(names[0], sample.files.at(names[1]));
         disk.put(names[1], sample.files.at(names[0]));
       }},
      {"empty", [&](SimulatedDisk& disk) { disk.put(names[2], ""); }},
  };
  for (const auto& [what, change] : rows) {
    SCOPED_TRACE(what);
    SimulatedDisk disk;
    fill(disk, sample.files);
    change(disk);
    EXPECT_EQ(open_and_compare(disk, sample), AfterDamage::damaged);
  }
}

TEST(SegmentDamage, other_files_in_the_directory_do_not_matter) {
  const Sample sample = make_sample(13, false);
  SimulatedDisk disk;
  fill(disk, sample.files);
  for (const char* name : {"index.db", "journal-1.pawl", "journal-000000000000000x.pawl", "notes",
                           "spare-1.pawl", "journal-0000000000000001.pawl.bak"}) {
    disk.put(name, "anything");
  }
  EXPECT_EQ(open_and_compare(disk, sample), AfterDamage::same);
  EXPECT_EQ(disk.content("notes"), "anything");
}

TEST(SegmentDamage, spares_that_are_left_without_a_journal_are_noticed) {
  const Sample sample = make_sample(26, true);
  SimulatedDisk disk;
  fill(disk, sample.files);
  for (const std::string& name : disk.names()) {
    if (name.starts_with("journal-")) disk.erase(name);
  }
  ASSERT_FALSE(disk.names().empty());
  EXPECT_EQ(open_and_compare(disk, sample), AfterDamage::damaged);
}

TEST(SegmentDamage, a_message_names_file_offset_and_what_to_do) {
  Sample sample = make_sample(13, false);
  sample.files.begin()->second[600] ^= 1;
  SimulatedDisk disk;
  fill(disk, sample.files);
  const auto files = disk.files();
  const auto journal = SegmentJournal::open(*files, small);
  ASSERT_FALSE(journal.has_value());
  for (const char* part : {"journal-0000000000000001.pawl, offset 512", "backup", "pawl verify"}) {
    EXPECT_NE(journal.error().text.find(part), std::string::npos) << journal.error().text;
  }
}

TEST(SegmentDamage, a_check_finds_every_broken_place_and_counts_what_is_readable) {
  Sample sample = make_sample(20, false);
  int broken = 0;
  for (auto& [name, content] : sample.files) {
    if (broken < 3) content[600 + 220 * broken] ^= 1, ++broken;
  }
  SimulatedDisk disk;
  fill(disk, sample.files);
  const auto files = disk.files();
  const auto report = check_journal(*files);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->problems.size(), 3u) << testing::PrintToString(report->problems);
  EXPECT_EQ(report->records, 40u - 6u);
  EXPECT_EQ(number(report->last), 40u);
}

TEST(SegmentDamage, a_journal_of_a_later_version_is_refused) {
  Sample sample = make_sample(3, false);
  std::string& content = sample.files.begin()->second;
  content[8] = 2;
  const std::uint32_t crc = crc32c(std::string_view(content).substr(0, 60));
  content.replace(60, 4, reinterpret_cast<const char*>(&crc), 4);
  SimulatedDisk disk;
  fill(disk, sample.files);
  const auto files = disk.files();
  const auto journal = SegmentJournal::open(*files, small);
  ASSERT_FALSE(journal.has_value());
  EXPECT_EQ(journal.error().code, Code::store_too_new) << journal.error().text;
}

}  // namespace
}  // namespace pawl::store

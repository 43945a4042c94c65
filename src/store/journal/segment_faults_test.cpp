// SPDX-License-Identifier: Apache-2.0
// Crashes and failures at every single operation of a script: what was acknowledged stays, in
// order; what was not is there whole or not at all.
#include <gtest/gtest.h>

#include <random>

#include "store/journal/segment_journal.hpp"
#include "store/memory/simulated_files.hpp"

namespace pawl::store {
namespace {

using Batch = std::vector<std::string>;

// Plays with a journal and keeps account of what must be in it.
class Player {
 public:
  explicit Player(SimulatedDisk& disk) : disk_(disk) {}

  // False: the disk did not let us. Anything else than that is a failure of the test.
  bool open() {
    journal_.reset();
    files_.reset();
    files_ = disk_.files();
    auto opened = SegmentJournal::open(*files_, {.segment_bytes = 4096, .spares = 2});
    if (!opened) {
      const bool by_disk =
          opened.error().code == Code::store_unavailable || opened.error().code == Code::disk_full;
      EXPECT_TRUE(by_disk) << opened.error().text;
      return false;
    }
    journal_ = std::move(*opened);
    if (read_all(true)) return true;
    journal_.reset();
    return false;
  }

  bool append(std::size_t records, std::size_t size) {
    if (!journal_ && !open()) return false;
    Batch batch;
    for (std::size_t i = 0; i < records; ++i) {
      std::string text = std::to_string(++drawn_) + ":";
      batch.push_back(text + std::string(size, static_cast<char>('a' + drawn_ % 26)));
    }
    const auto at = journal_->append(batch);
    if (!at) {
      doubtful_.push_back(std::move(batch));
      ++failed_;
      return false;
    }
    EXPECT_EQ(number(*at), acknowledged_.size() + 1);
    acknowledged_.insert(acknowledged_.end(), batch.begin(), batch.end());
    doubtful_.clear();
    return true;
  }

  void drop(std::uint64_t through) {
    if (!journal_) return;
    dropped_ = std::max(dropped_, through);
    static_cast<void>(journal_->drop_through(position_from(through)).has_value());
  }
  void prepare() {
    if (journal_) journal_->prepare();
  }
  std::uint64_t last() const { return acknowledged_.size(); }
  std::uint64_t failed() const { return failed_; }  // appends

  // A process ends and the next one begins; the disk works.
  void restart() {
    ASSERT_TRUE(open());
    ASSERT_TRUE(append(1, 10));
    look();
  }

  // Everything in the journal is what was acknowledged.
  void look() { EXPECT_TRUE(read_all(false)); }
  void expect_read_errors() { disk_faulty_ = true; }
  void expect_no_errors() { disk_faulty_ = false; }

 private:
  // Just after opening a batch that was in doubt may be there, as a whole; from then on it counts.
  bool read_all(bool just_opened) {
    const std::uint64_t first = number(journal_->first());
    EXPECT_LE(first, dropped_ + 1);
    Batch seen;
    const auto read = journal_->read(position_from(first), [&](Position at, std::string_view text) {
      EXPECT_EQ(number(at), first + seen.size());
      seen.emplace_back(text);
      return true;
    });
    if (!read) {
      EXPECT_TRUE(disk_faulty_ && read.error().code != Code::store_damaged) << read.error().text;
      return false;
    }
    EXPECT_EQ(number(journal_->last()), first + seen.size() - 1);
    seen.insert(seen.begin(), acknowledged_.begin(), acknowledged_.begin() + (first - 1));
    if (just_opened) accept(seen);
    EXPECT_EQ(seen, acknowledged_);
    return true;
  }
  void accept(const Batch& seen) {
    if (seen != acknowledged_) {
      const bool known = std::ranges::any_of(doubtful_, [&](const Batch& batch) {
        Batch with = acknowledged_;
        with.insert(with.end(), batch.begin(), batch.end());
        return with == seen;
      });
      ASSERT_TRUE(known) << seen.size() << " records, acknowledged " << acknowledged_.size();
    }
    acknowledged_ = seen;
    doubtful_.clear();
  }

  SimulatedDisk& disk_;
  std::unique_ptr<Files> files_{};
  std::unique_ptr<SegmentJournal> journal_{};
  Batch acknowledged_{};
  std::vector<Batch> doubtful_{};
  std::uint64_t dropped_{0};
  std::uint64_t drawn_{0};
  std::uint64_t failed_{0};
  bool disk_faulty_{false};
};

// Rolls, drops, reuses files, prepares, has a batch that needs a file of its own, and restarts.
void play(Player& player) {
  player.open();
  for (int round = 0; round < 3; ++round) {
    player.append(3, 100);
    player.append(1, 1500);
    player.prepare();
    player.append(2, 900);
    player.append(5, 1);
    player.append(1, 2000);
    if (round == 1) player.append(2, 5000);
    if (player.last() > 6) player.drop(player.last() - 6);
    player.append(1, 700);
  }
  player.open();
  player.append(4, 300);
  player.drop(player.last());
  player.append(1, 3000);
  player.append(1, 3000);
}

std::uint64_t operations_of_play() {
  SimulatedDisk disk;
  Player player(disk);
  play(player);
  return disk.operations();
}

SimulatedDisk::Hook at_operation(std::uint64_t n, Fault fault) {
  return
      [n, fault](const Operation& operation) { return operation.count == n ? fault : Fault::none; };
}

TEST(SegmentFaults, a_crash_at_any_operation_loses_nothing_that_was_acknowledged) {
  const std::uint64_t count = operations_of_play();
  EXPECT_GT(count, 100u);
  for (std::uint64_t n = 1; n <= count; ++n) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(testing::Message() << "operation " << n << ", seed " << seed);
      SimulatedDisk disk(seed);
      Player player(disk);
      disk.on_operation(at_operation(n, Fault::crash));
      player.expect_read_errors();
      play(player);
      player.expect_no_errors();
      player.restart();
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(SegmentFaults, a_crash_while_recovering_from_a_crash_loses_nothing) {
  const std::uint64_t count = operations_of_play();
  for (std::uint64_t n = 1; n <= count; n += 3) {
    for (std::uint64_t later = 1; later <= 40; later += 2) {
      SCOPED_TRACE(testing::Message() << "operation " << n << ", then " << later);
      SimulatedDisk disk(n * 1000 + later);
      Player player(disk);
      disk.on_operation([=](const Operation& operation) {
        return operation.count == n || operation.count == n + later ? Fault::crash : Fault::none;
      });
      player.expect_read_errors();
      play(player);
      player.open();
      player.append(2, 200);
      disk.on_operation({});
      player.expect_no_errors();
      player.restart();
      disk.crash();
      player.restart();
      if (testing::Test::HasFailure()) return;
    }
  }
}

// After one fault the next append works, and nothing is lost: neither while the process goes on,
// nor after a clean restart, nor after a crash.
TEST(SegmentFaults, a_failure_at_any_operation_is_told_and_work_goes_on) {
  const Fault faults[] = {Fault::error, Fault::disk_full, Fault::torn, Fault::error_after};
  const std::uint64_t count = operations_of_play();
  for (const Fault fault : faults) {
    for (std::uint64_t n = 1; n <= count; ++n) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        SCOPED_TRACE(testing::Message() << "fault " << static_cast<int>(fault) << " at operation "
                                        << n << ", seed " << seed);
        SimulatedDisk disk(seed);
        Player player(disk);
        disk.on_operation(at_operation(n, fault));
        player.expect_read_errors();
        play(player);
        player.expect_no_errors();
        EXPECT_LE(player.failed(), 1u);
        disk.on_operation({});
        if (seed % 2 == 0) disk.crash();
        player.restart();
        disk.crash();
        player.restart();
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(SegmentFaults, many_random_failures_and_crashes_lose_nothing) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SimulatedDisk disk(seed);
    Player player(disk);
    std::mt19937_64 random(seed);
    const std::uint64_t rate = 5 + random() % 100;
    disk.on_operation([&](const Operation&) {
      return random() % rate == 0 ? static_cast<Fault>(1 + random() % 5) : Fault::none;
    });
    player.expect_read_errors();
    for (int round = 0; round < 4; ++round) play(player);
    disk.on_operation({});
    player.expect_no_errors();
    player.restart();
    disk.crash();
    player.restart();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(SegmentFaults, a_failed_append_is_never_seen_once_a_later_one_succeeded) {
  for (const Io kind : {Io::write, Io::sync}) {
    for (const Fault fault : {Fault::error, Fault::torn, Fault::error_after}) {
      SimulatedDisk disk;
      Player player(disk);
      ASSERT_TRUE(player.open());
      bool armed = true;
      disk.on_operation([&](const Operation& operation) {
        return armed && operation.kind == kind ? (armed = false, fault) : Fault::none;
      });
      EXPECT_FALSE(player.append(2, 100));  // the first of the journal: the segment is replaced
      EXPECT_TRUE(player.append(2, 100));
      armed = true;
      EXPECT_FALSE(player.append(2, 100));
      EXPECT_TRUE(player.append(2, 100));
      player.look();
      disk.crash();
      player.restart();
    }
  }
}

TEST(SegmentFaults, a_record_that_was_read_after_a_restart_stays) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SimulatedDisk disk(seed);
    Player player(disk);
    ASSERT_TRUE(player.open());
    ASSERT_TRUE(player.append(1, 10));
    disk.on_operation([](const Operation& operation) {
      return operation.kind == Io::sync ? Fault::error : Fault::none;
    });
    EXPECT_FALSE(player.append(2, 1000));  // seen in the file, but not on the disk
    disk.on_operation({});
    ASSERT_TRUE(player.open());  // takes it as acknowledged
    disk.crash();
    player.restart();
  }
}

TEST(SegmentFaults, a_full_disk_is_told_and_with_space_again_work_goes_on) {
  for (std::uint64_t space = 4096; space <= 5 * 4096; space += 512) {
    SCOPED_TRACE(testing::Message() << space << " bytes");
    SimulatedDisk disk;
    Player player(disk);
    disk.limit_space(space);
    ASSERT_TRUE(player.open());
    while (player.append(1, 500)) player.prepare();
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(player.append(1, 500));
    EXPECT_FALSE(player.append(1, 20'000));
    player.look();
    for (const std::string& name : disk.names()) EXPECT_NE(name, unfinished_name);
    disk.limit_space(space + 2 * 4096);
    EXPECT_TRUE(player.append(1, 500));
    player.look();
    disk.crash();
    player.restart();
  }
}

TEST(SegmentFaults, after_a_failure_nothing_is_written_to_that_segment_any_more) {
  for (const Io kind : {Io::write, Io::sync}) {
    SimulatedDisk disk;
    Player player(disk);
    ASSERT_TRUE(player.open());
    ASSERT_TRUE(player.append(1, 10));
    bool armed = true;
    disk.on_operation([&](const Operation& operation) {
      return armed && operation.kind == kind ? (armed = false, Fault::error) : Fault::none;
    });
    EXPECT_FALSE(player.append(1, 10));
    const std::string left = disk.content(segment_name(position_from(1)));
    EXPECT_TRUE(player.append(1, 20));
    EXPECT_TRUE(player.append(1, 20));
    EXPECT_EQ(disk.content(segment_name(position_from(1))), left);
    EXPECT_FALSE(disk.content(segment_name(position_from(2))).empty());
  }
}

// The name of the next segment was given, then given to a larger file although an error was told:
// the first of the two is no longer in the directory and must not be used.
TEST(SegmentFaults, a_segment_that_lost_its_name_is_not_used) {
  SimulatedDisk disk;
  Player player(disk);
  ASSERT_TRUE(player.open());
  ASSERT_TRUE(player.append(1, 3000));
  disk.on_operation([](const Operation& operation) {
    return operation.kind == Io::sync_names ? Fault::error : Fault::none;
  });
  EXPECT_FALSE(player.append(1, 3000));
  disk.on_operation([](const Operation& operation) {
    const bool naming = operation.kind == Io::rename && operation.file != unfinished_name;
    return naming ? Fault::error_after : Fault::none;
  });
  EXPECT_FALSE(player.append(1, 9000));
  disk.on_operation({});
  EXPECT_TRUE(player.append(1, 3000));
  player.restart();
}

TEST(SegmentFaults, dropping_makes_the_space_that_a_full_disk_lacks) {
  SimulatedDisk disk;
  Player player(disk);
  disk.limit_space(4 * 4096);
  ASSERT_TRUE(player.open());
  while (player.append(1, 1000)) continue;
  for (int i = 0; i < 50; ++i) {
    player.drop(player.last());
    EXPECT_TRUE(player.append(1, 1000));
  }
  player.look();
}

}  // namespace
}  // namespace pawl::store

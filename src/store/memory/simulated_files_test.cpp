// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_files.hpp"

#include <gtest/gtest.h>

#include <set>

namespace pawl::store {
namespace {

SimulatedDisk::Hook always(Io kind, Fault fault) {
  return [kind, fault](const Operation& operation) {
    return operation.kind == kind ? fault : Fault::none;
  };
}

void make_file(Files& files, const std::string& name, std::string_view content) {
  const auto file = files.open(name, true);
  ASSERT_TRUE((*file)->write_at(0, content).has_value());
  ASSERT_TRUE((*file)->sync().has_value());
}

TEST(SimulatedFiles, what_was_synced_survives_a_crash) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SimulatedDisk disk(seed);
    const auto files = disk.files();
    const auto file = files->open("a", true);
    ASSERT_TRUE((*file)->write_at(3, "xyz").has_value());
    ASSERT_TRUE((*file)->sync().has_value());
    ASSERT_TRUE(files->sync_names().has_value());
    disk.crash();
    EXPECT_EQ(disk.content("a"), std::string("\0\0\0xyz", 6));
  }
}

TEST(SimulatedFiles, what_was_not_synced_is_kept_lost_or_torn) {
  std::set<std::string> outcomes;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SimulatedDisk disk(seed);
    const auto files = disk.files();
    disk.put("a", std::string(1024, '.'));
    const auto file = files->open("a", false);
    ASSERT_TRUE((*file)->write_at(0, std::string(1024, 'x')).has_value());
    EXPECT_EQ(disk.content("a"), std::string(1024, 'x'));
    disk.crash();
    outcomes.insert(disk.content("a"));
  }
  EXPECT_TRUE(outcomes.contains(std::string(1024, '.')));
  EXPECT_TRUE(outcomes.contains(std::string(1024, 'x')));
  EXPECT_TRUE(outcomes.contains(std::string(512, '.') + std::string(512, 'x')));
  EXPECT_GT(outcomes.size(), 10u);  // prefixes
}

TEST(SimulatedFiles, names_that_were_not_synced_are_kept_or_lost) {
  std::set<std::vector<std::string>> outcomes;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SimulatedDisk disk(seed);
    const auto files = disk.files();
    disk.put("old", "");
    disk.put("gone", "");
    EXPECT_TRUE(files->rename("old", "new").has_value());
    EXPECT_TRUE(files->remove("gone").has_value());
    EXPECT_EQ(*files->list(), std::vector<std::string>{"new"});
    disk.crash();
    outcomes.insert(disk.names());
  }
  const std::set<std::vector<std::string>> expected = {
      {"gone", "old"}, {"gone", "new"}, {"old"}, {"new"}};
  EXPECT_EQ(outcomes, expected);
}

// The name of a file that was removed is used again, then the new file is renamed. Whatever of this
// a crash forgets, the last name can only be that of the new file.
TEST(SimulatedFiles, a_rename_that_survives_a_crash_never_moves_another_file) {
  std::set<std::string> outcomes;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SimulatedDisk disk(seed);
    const auto files = disk.files();
    make_file(*files, "a", "old");
    EXPECT_TRUE(files->remove("a").has_value());
    make_file(*files, "a", "new");
    EXPECT_TRUE(files->rename("a", "b").has_value());
    disk.crash();
    outcomes.insert(disk.content("b"));
  }
  EXPECT_EQ(outcomes, (std::set<std::string>{"", "new"}));
}

TEST(SimulatedFiles, after_a_crash_the_old_view_is_dead_and_a_new_one_works) {
  SimulatedDisk disk;
  const auto before = disk.files();
  const auto file = before->open("a", true);
  ASSERT_TRUE(before->sync_names().has_value());
  ASSERT_TRUE(before->lock().has_value());
  disk.crash();
  EXPECT_FALSE((*file)->read_at(0, 1).has_value());
  EXPECT_FALSE((*file)->write_at(0, "x").has_value());
  EXPECT_FALSE((*file)->sync().has_value());
  EXPECT_FALSE(before->list().has_value());
  EXPECT_FALSE(before->open("a", false).has_value());
  const auto after = disk.files();
  EXPECT_TRUE(after->lock().has_value());
  EXPECT_TRUE(after->open("a", false).has_value());
}

TEST(SimulatedFiles, a_failed_sync_shows_what_it_lost) {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SimulatedDisk disk(seed);
    const auto files = disk.files();
    disk.put("a", "....");
    const auto file = files->open("a", false);
    ASSERT_TRUE((*file)->write_at(0, "xxxx").has_value());
    disk.on_operation(always(Io::sync, Fault::error));
    EXPECT_FALSE((*file)->sync().has_value());
    disk.on_operation({});
    EXPECT_TRUE((*file)->sync().has_value());  // and says nothing, as Linux does
    EXPECT_EQ(*(*file)->read_at(0, 4), "xxxx");
    disk.crash();
    lost += disk.content("a") != "xxxx" ? 1 : 0;
  }
  EXPECT_GT(lost, 5);
  EXPECT_LT(lost, 40);
}

TEST(SimulatedFiles, faults_do_what_they_say) {
  const std::tuple<Fault, Code, std::set<std::string>> rows[] = {
      {Fault::disk_full, Code::disk_full, {"...."}},
      {Fault::error, Code::store_unavailable, {"...."}},
      {Fault::torn, Code::store_unavailable, {"....", "x...", "xx..", "xxx.", "xxxx"}},
      {Fault::error_after, Code::store_unavailable, {"xxxx"}},
  };
  for (const auto& [fault, code, contents] : rows) {
    std::set<std::string> seen;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      SimulatedDisk disk(seed);
      const auto files = disk.files();
      disk.put("a", "....");
      disk.on_operation(always(Io::write, fault));
      const auto written = (*files->open("a", false))->write_at(0, "xxxx");
      ASSERT_FALSE(written.has_value());
      EXPECT_EQ(written.error().code, code);
      seen.insert(disk.content("a"));
    }
    EXPECT_EQ(seen, contents);
  }
}

TEST(SimulatedFiles, operations_are_counted_and_named) {
  SimulatedDisk disk;
  std::vector<std::string> seen;
  disk.on_operation([&](const Operation& operation) {
    seen.push_back(std::to_string(operation.count) + " " + operation.file + " " +
                   std::to_string(operation.offset) + "+" + std::to_string(operation.size));
    return Fault::none;
  });
  const auto files = disk.files();
  ASSERT_TRUE((*files->open("a", true))->write_at(7, "xyz").has_value());
  EXPECT_EQ(seen, (std::vector<std::string>{"1 a 0+0", "2 a 7+3"}));
  EXPECT_EQ(disk.operations(), 2u);
}

TEST(SimulatedFiles, space_has_a_limit) {
  SimulatedDisk disk;
  disk.limit_space(100);
  const auto files = disk.files();
  const auto file = files->open("a", true);
  const auto allocated = (*file)->allocate(101);
  ASSERT_FALSE(allocated.has_value());
  EXPECT_EQ(allocated.error().code, Code::disk_full);
  EXPECT_EQ(*(*file)->size(), 100u);  // what was there is taken
  EXPECT_TRUE((*file)->write_at(0, "x").has_value());
  EXPECT_FALSE((*file)->write_at(100, "x").has_value());
  ASSERT_TRUE(files->remove("a").has_value());
  EXPECT_TRUE((*files->open("b", true))->allocate(100).has_value());
}

TEST(SimulatedFiles, the_same_seed_gives_the_same_outcome) {
  const auto play = [](std::uint64_t seed) {
    SimulatedDisk disk(seed);
    for (int round = 0; round < 5; ++round) {
      const auto files = disk.files();
      const auto file = files->open("f" + std::to_string(round), true);
      static_cast<void>((*file)->write_at(0, std::string(3000, 'x')).has_value());
      disk.crash();
    }
    std::string all;
    for (const std::string& name : disk.names()) all += name + disk.content(name);
    return all;
  };
  EXPECT_EQ(play(3), play(3));
  EXPECT_NE(play(3), play(4));
}

}  // namespace
}  // namespace pawl::store

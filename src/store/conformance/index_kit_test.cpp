// SPDX-License-Identifier: Apache-2.0
// Runs the kit on every index of this module, with records applied one by one and all together.
#include "store/conformance/index_kit.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <set>

#include "store/memory/memory_index.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::store::conformance {
namespace {

std::string fresh_path() {
  static int count = 0;
  return testing::TempDir() + fmt::format("pawl_index_{}_{}.db", getpid(), ++count);
}

void remove_database(const std::string& path) {
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
}

std::unique_ptr<Index> open(SqliteOptions options) {
  return must(SqliteIndex::open(std::move(options)));
}

Maker memory_maker() {
  return {.make = [](const ElementNames& names) { return std::make_unique<MemoryIndex>(names); },
          .reopen =
              [](std::unique_ptr<Index> old, const ElementNames& names) {
                auto index = std::make_unique<MemoryIndex>(names);
                index->restore(dynamic_cast<MemoryIndex&>(*old).state());
                return index;
              }};
}

Maker sqlite_memory_maker() {
  return {.make = [](const ElementNames& names) { return open({.element_names = names}); },
          .reopen =
              [](std::unique_ptr<Index> old, const ElementNames& names) {
                return open(
                    {.element_names = names, .image = dynamic_cast<SqliteIndex&>(*old).image()});
              }};
}

// Removes its file with the last copy of the maker.
Maker sqlite_file_maker() {
  const std::shared_ptr<std::string> path(new std::string(fresh_path()), [](std::string* gone) {
    remove_database(*gone);
    delete gone;
  });
  return {.make =
              [path](const ElementNames& names) {
                return open({.path = *path, .element_names = names});
              },
          .reopen =
              [path](std::unique_ptr<Index> old, const ElementNames& names) {
                old.reset();
                return open({.path = *path, .element_names = names});
              }};
}

struct Kind {
  const char* name;
  Maker (*maker)();
};
const Kind kinds[] = {{"memory", memory_maker},
                      {"sqlite_in_memory", sqlite_memory_maker},
                      {"sqlite_in_a_file", sqlite_file_maker}};

class IndexKit : public testing::TestWithParam<std::tuple<Kind, Check>> {};

TEST_P(IndexKit, holds_however_the_records_are_cut) {
  const auto& [kind, check] = GetParam();
  for (const Cut cut : {Cut::each, Cut::together}) {
    try {
      Stage stage(kind.maker(), cut);
      check.run(stage);
    } catch (const CheckFailed& failed) {
      ADD_FAILURE() << (cut == Cut::each ? "one by one: " : "together: ") << failed.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Every, IndexKit, testing::Combine(testing::ValuesIn(kinds), testing::ValuesIn(index_checks())),
    [](const auto& row) {
      return std::string(std::get<0>(row.param).name) + "__" + std::get<1>(row.param).name;
    });

TEST(IndexKitItself, has_at_least_sixty_checks_with_names_of_their_own) {
  std::set<std::string_view> names;
  for (const Check& check : index_checks()) names.insert(check.name);
  EXPECT_EQ(names.size(), index_checks().size());
  EXPECT_GE(names.size(), 60u);
}

}  // namespace
}  // namespace pawl::store::conformance

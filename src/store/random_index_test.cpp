// SPDX-License-Identifier: Apache-2.0
// Random journals, cut into windows at random: the index in SQLite answers every question like the
// simple one in memory, also after it was closed and opened again.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "store/codec.hpp"
#include "store/describe.hpp"
#include "store/memory/memory_index.hpp"
#include "store/sqlite/sqlite_index.hpp"
#include "testkit/random_journal.hpp"

namespace pawl::store {
namespace {

using testkit::Dice;
using testkit::RandomJournal;

std::string test_name(Key definition, ElementIndex element) {
  return fmt::format("{}:{}", number(definition), number(element));
}

std::vector<Committed> random_journal(std::uint64_t seed, std::size_t size) {
  RandomJournal source(seed);
  std::vector<Committed> all;
  for (std::size_t i = 0; i < size; ++i) {
    auto record = std::make_shared<const Record>(source.next());
    all.push_back({position_from(i + 1), record, *encode(*record)});
  }
  return all;
}

// Sometimes an instance of the window leaves a snapshot behind.
void snapshot_some(Dice& dice, std::span<const Committed> window, Index& a, Index& b) {
  const Committed& one = window[dice.below(window.size())];
  if (one.record->instance == Key::none) return;
  const std::string bytes = fmt::format("snapshot at {}", number(one.position));
  RC_ASSERT(a.keep_snapshot(one.record->instance, one.position, bytes).has_value());
  RC_ASSERT(b.keep_snapshot(one.record->instance, one.position, bytes).has_value());
}

std::unique_ptr<SqliteIndex> sqlite_in_memory() {
  auto index = SqliteIndex::open({.element_names = test_name});
  RC_ASSERT(index.has_value());
  return std::move(*index);
}

std::unique_ptr<SqliteIndex> reopened(const SqliteIndex& index) {
  auto again = SqliteIndex::open({.element_names = test_name, .image = index.image()});
  RC_ASSERT(again.has_value());
  return std::move(*again);
}

TEST(RandomIndex, sqlite_answers_like_memory_however_the_journal_is_cut) {
  const bool held = rc::check([](std::uint64_t seed) {
    Dice dice(seed);
    const auto journal = random_journal(seed, 160);
    MemoryIndex memory(test_name);
    auto sqlite = sqlite_in_memory();
    const std::size_t widest = 1 + dice.below(60);
    for (std::size_t at = 0; at < journal.size();) {
      const std::size_t size = std::min<std::size_t>(1 + dice.below(widest), journal.size() - at);
      const auto window = std::span(journal).subspan(at, size);
      RC_ASSERT(memory.apply(window).has_value());
      RC_ASSERT(sqlite->apply(window).has_value());
      if (dice.chance(30)) snapshot_some(dice, window, memory, *sqlite);
      at += size;
      if (dice.chance(10)) sqlite = reopened(*sqlite);
      if (!dice.chance(25) && at < journal.size()) continue;
      const std::string expected = describe(memory);
      const std::string actual = describe(*sqlite);
      RC_ASSERT(actual == expected);
    }
  });
  EXPECT_TRUE(held);
}

TEST(RandomIndex, the_description_does_not_depend_on_the_windows) {
  const bool held = rc::check([](std::uint64_t seed) {
    const auto journal = random_journal(seed, 80);
    auto whole = sqlite_in_memory();
    auto single = sqlite_in_memory();
    RC_ASSERT(whole->apply(journal).has_value());
    for (const Committed& one : journal) RC_ASSERT(single->apply(std::span(&one, 1)).has_value());
    RC_ASSERT(describe(*whole) == describe(*single));
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pawl::store

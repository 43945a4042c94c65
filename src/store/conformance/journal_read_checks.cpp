// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "store/conformance/journal_checks.hpp"

namespace pawl::store {
namespace {

using Trial = JournalTrial;

void from_everywhere(Trial& t) {
  for (std::size_t i = 1; i <= 40; ++i) t.append_known(i % 5 + 1);
  for (std::uint64_t from = 1; from <= t.last(); ++from) {
    const auto records = t.read(from);
    if (records.empty()) return t.expect(false, fmt::format("nothing is read from {}", from));
    t.expect_equal(records.size(), t.last() - from + 1, fmt::format("the number from {} on", from));
    t.expect(records.front() == known_record(from), fmt::format("record {} is another", from));
  }
}

void beyond_the_end(Trial& t) {
  t.append({"a", "b"});
  t.expect(t.read(3).empty(), "there is something behind the end");
  t.expect(t.read(4).empty(), "there is something far behind the end");
  t.expect(t.read(1'000'000'000).empty(), "there is something very far behind the end");
}

void from_nothing(Trial& t) {
  t.append({"a"});
  const auto read =
      t.journal().read(Position::none, [](Position, std::string_view) { return true; });
  t.expect(!read.has_value(), "position 0 can be read");
}

void stopping(Trial& t) {
  t.append_known(50);
  t.append_known(50);
  for (const std::size_t stop : {1u, 2u, 49u, 50u, 51u, 99u, 100u}) {
    std::size_t seen = 0;
    const auto read = t.journal().read(position_from(1),
                                       [&](Position, std::string_view) { return ++seen < stop; });
    t.expect(read.has_value(), "stopping is an error");
    t.expect_equal(seen, stop, "the number of records until the visitor had enough");
  }
}

void one_record(Trial& t) {
  for (int i = 0; i < 30; ++i) t.append_known(10);
  for (std::uint64_t at = 300; at >= 1; at -= 13) {
    std::string found;
    const auto read = t.journal().read(position_from(at), [&](Position, std::string_view bytes) {
      found = bytes;
      return false;
    });
    t.expect(read.has_value() && found == known_record(at),
             fmt::format("record {} is another", at));
    if (at <= 13) break;
  }
}

void appending_while_reading(Trial& t) {
  t.append_known(3);
  std::size_t seen = 0;
  const auto read = t.journal().read(position_from(1), [&](Position, std::string_view) {
    if (++seen <= 3) t.append_known(100);
    return true;
  });
  t.expect(read.has_value(), "reading fails");
  t.expect(seen >= 3, "records that were committed are not read");
  t.expect_equal(t.last(), 303, "the last position");
  t.expect_all();
}

void reading_while_reading(Trial& t) {
  for (int i = 0; i < 20; ++i) t.append_known(10);
  std::size_t seen = 0;
  const auto read = t.journal().read(position_from(191), [&](Position, std::string_view) {
    seen += t.read(181).size();
    return true;
  });
  t.expect(read.has_value(), "reading fails");
  t.expect_equal(seen, 200, "the number of records that were read inside");
}

void twice(Trial& t) {
  t.append_known(100);
  t.expect(t.read(1) == t.read(1), "a second reading gives something else");
}

}  // namespace

void add_read_checks(std::vector<JournalCheck>& checks) {
  checks.insert(checks.end(), {{"reading_begins_at_any_position", from_everywhere},
                               {"reading_behind_the_end_gives_nothing", beyond_the_end},
                               {"position_0_is_not_kept", from_nothing},
                               {"reading_stops_when_the_visitor_has_enough", stopping},
                               {"a_single_record_can_be_read", one_record},
                               {"the_visitor_may_append", appending_while_reading},
                               {"the_visitor_may_read", reading_while_reading},
                               {"reading_changes_nothing", twice}});
}

}  // namespace pawl::store

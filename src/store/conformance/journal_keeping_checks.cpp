// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "store/conformance/journal_checks.hpp"

namespace pawl::store {
namespace {

using Trial = JournalTrial;

void fill_journal(Trial& t) {
  for (int i = 0; i < 20; ++i) t.append_known(100);
}

void reopen_empty(Trial& t) {
  t.reopen();
  t.expect_equal(t.first(), 1, "the first position");
  t.expect_equal(t.last(), 0, "the last position");
  t.append({"a"});
  t.expect_all();
}

void reopen_often(Trial& t) {
  for (int i = 0; i < 25; ++i) {
    t.append_known(30);
    t.reopen();
    t.expect_equal(t.last(), static_cast<std::uint64_t>(30 * (i + 1)), "the last position");
    t.expect(t.journal().mended().empty(),
             "an orderly end needed mending: " + t.journal().mended());
  }
  t.expect_all();
}

void reopen_unchanged(Trial& t) {
  fill_journal(t);
  for (int i = 0; i < 5; ++i) t.reopen();
  t.expect_all();
}

void drop_nothing(Trial& t) {
  fill_journal(t);
  t.drop(0);
  t.expect_equal(t.first(), 1, "the first position");
  t.expect_all();
}

void drop_some(Trial& t) {
  fill_journal(t);
  for (const std::uint64_t through : {1u, 99u, 100u, 101u, 777u, 1000u, 1500u}) {
    t.drop(through);
    t.expect(t.first() <= through + 1, fmt::format("more than {} records are gone", through));
    t.expect_all();
  }
}

void drop_all(Trial& t) {
  fill_journal(t);
  t.drop(2000);
  t.expect_equal(t.last(), 2000, "the last position");
  t.expect(t.first() <= 2001, "the first position is behind the next one");
  t.expect_all();
  t.append_known(3);
  t.expect_equal(t.last(), 2003, "the last position");
  t.expect_all();
}

void drop_more_than_there_is(Trial& t) {
  t.append_known(5);
  t.drop(1'000'000);
  t.expect_equal(t.last(), 5, "the last position");
  t.append_known(1);
  t.expect_all();
  t.drop(~std::uint64_t{0});
  t.append_known(1);
  t.expect_all();
}

void drop_in_empty(Trial& t) {
  t.drop(0);
  t.drop(10);
  t.expect_equal(t.last(), 0, "the last position");
  t.append({"a"});
  t.expect_all();
}

void drop_backwards(Trial& t) {
  fill_journal(t);
  t.drop(1500);
  const std::uint64_t first = t.first();
  t.drop(10);
  t.expect_equal(t.first(), first, "the first position after dropping less");
  t.expect_all();
}

void read_dropped(Trial& t) {
  fill_journal(t);
  t.drop(1990);
  if (t.first() == 1) return;  // it may keep more than asked
  const auto read =
      t.journal().read(position_from(1), [](Position, std::string_view) { return true; });
  t.expect(!read.has_value(), "a record that is gone can be read");
  const auto just = t.journal().read(position_from(t.first() - 1),
                                     [](Position, std::string_view) { return true; });
  t.expect(!just.has_value(), "a record that is gone can be read");
}

void drop_and_reopen(Trial& t) {
  fill_journal(t);
  t.drop(1700);
  const std::uint64_t first = t.first();
  t.reopen();
  t.expect_equal(t.first(), first, "the first position");
  t.expect_equal(t.last(), 2000, "the last position");
  t.expect_all();
}

void position_never_goes_back(Trial& t) {
  for (std::uint64_t i = 1; i <= 30; ++i) {
    t.append_known(50);
    t.drop(50 * i);
    t.reopen();
    t.expect_equal(t.last(), 50 * i, "the last position");
  }
  t.expect_all();
}

void long_life(Trial& t) {
  for (std::uint64_t i = 1; i <= 120; ++i) {
    t.append_known(20);
    if (i % 3 == 0) t.drop(20 * i - 45);
    if (i % 30 == 0) t.reopen();
    if (i % 25 == 0) t.expect_all();
  }
  t.expect(t.first() > 1, "nothing was ever dropped");
}

void drop_big(Trial& t) {
  for (int i = 0; i < 4; ++i) {
    t.append(std::vector<std::string>{std::string(2'000'000, 'b')});
    t.append({"small"});
    t.drop(t.last() - 1);
  }
  t.reopen();
  t.expect_all();
}

}  // namespace

void add_keeping_checks(std::vector<JournalCheck>& checks) {
  checks.insert(checks.end(),
                {{"a_new_journal_can_be_opened_again", reopen_empty},
                 {"appending_goes_on_after_opening_again", reopen_often},
                 {"opening_again_changes_nothing", reopen_unchanged},
                 {"dropping_nothing_keeps_all", drop_nothing},
                 {"dropping_never_takes_more_than_asked", drop_some},
                 {"dropping_all_keeps_the_position", drop_all},
                 {"dropping_more_than_there_is_does_no_harm", drop_more_than_there_is},
                 {"dropping_in_an_empty_journal_does_no_harm", drop_in_empty},
                 {"what_is_dropped_does_not_come_back", drop_backwards},
                 {"reading_what_is_dropped_is_an_error", read_dropped},
                 {"dropping_lasts", drop_and_reopen},
                 {"positions_never_go_back", position_never_goes_back},
                 {"a_long_life_of_appends_drops_and_restarts_loses_nothing", long_life},
                 {"big_records_can_be_dropped", drop_big}});
}

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "store/conformance/journal_checks.hpp"

namespace pawl::store {
namespace {

using Trial = JournalTrial;

void fresh(Trial& t) {
  t.expect_equal(t.first(), 1, "the first position");
  t.expect_equal(t.last(), 0, "the last position");
  t.expect(t.read(1).empty(), "there are records in a new journal");
  t.expect(t.journal().mended().empty(), "something was mended in a new journal");
}

void counting(Trial& t) {
  t.append({"a"});
  t.append({"b", "c"});
  t.append({"d", "e", "f"});
  t.expect_equal(t.last(), 6, "the last position");
  t.expect_all();
}

void empty_batch(Trial& t) {
  t.append({});
  t.expect_equal(t.last(), 0, "the last position after no records");
  t.append({"a"});
  t.append({});
  t.append({"b"});
  t.expect_equal(t.last(), 2, "the last position");
  t.expect_all();
}

void equal_records(Trial& t) {
  t.append({"same", "same"});
  t.append({"same"});
  t.expect_equal(t.read(1).size(), 3, "the number of records");
  t.expect_all();
}

void any_bytes(Trial& t) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  t.append(std::vector<std::string>{all, std::string(100, '\0'), std::string(100, '\xFF')});
  t.expect_all();
}

// A record that holds what the file of a journal might hold.
void records_like_frames(Trial& t) {
  std::string frame("PFRM");
  frame += std::string(28, '\0');
  t.append(std::vector<std::string>{frame, "PAWLLOG\n" + frame, frame + frame});
  t.append(std::vector<std::string>{frame});
  t.reopen();
  t.expect_all();
}

void empty_records(Trial& t) {
  t.append(std::vector<std::string>(10));
  t.append({"", "x", ""});
  t.expect_equal(t.last(), 13, "the last position");
  t.reopen();
  t.expect_all();
}

void many_batches(Trial& t) {
  for (int i = 0; i < 300; ++i) t.append_known(1);
  t.expect_all();
}

void mixed_batches(Trial& t) {
  for (std::size_t i = 0; i < 120; ++i) t.append_known(i * 7 % 23);
  t.reopen();
  t.expect_all();
}

void big_after_small(Trial& t) {
  t.append({"small"});
  t.append(std::vector<std::string>{std::string(3'000'000, 'b')});
  t.append({"small"});
  t.append(std::vector<std::string>{std::string(100'000, 'c'), "small"});
  t.reopen();
  t.expect_all();
}

void preparing(Trial& t) {
  for (int i = 0; i < 50; ++i) {
    t.journal().prepare();
    t.append_known(20);
    t.journal().prepare();
    t.journal().prepare();
  }
  t.reopen();
  t.journal().prepare();
  t.expect_all();
}

void batch_is_not_kept(Trial& t) {
  std::vector<std::string> batch = {"before"};
  t.append(batch);
  batch[0] = "after!";
  t.expect(t.read(1) == std::vector<std::string>{"before"},
           "the journal shows the caller's memory");
}

}  // namespace

void add_append_checks(std::vector<JournalCheck>& checks) {
  checks.insert(checks.end(), {{"a_new_journal_is_empty_and_begins_at_1", fresh},
                               {"positions_count_records_without_gaps", counting},
                               {"a_batch_without_records_changes_nothing", empty_batch},
                               {"equal_records_are_all_kept", equal_records},
                               {"records_may_hold_any_bytes", any_bytes},
                               {"records_may_look_like_a_journal", records_like_frames},
                               {"records_may_be_empty", empty_records},
                               {"hundreds_of_small_batches_come_back", many_batches},
                               {"batches_of_all_sizes_come_back", mixed_batches},
                               {"big_and_small_batches_mix", big_after_small},
                               {"preparing_changes_nothing_that_is_seen", preparing},
                               {"the_journal_has_its_own_copy", batch_is_not_kept}});
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 127u, 128u, 129u, 511u, 512u, 513u, 4'095u,
                                 4'096u, 16'383u, 16'384u, 65'536u, 1'048'576u, 10'000'000u}) {
    checks.push_back({fmt::format("a_record_of_{}_bytes_comes_back", size), [size](Trial& t) {
                        t.append(std::vector<std::string>{std::string(size, 'r')});
                        t.append({"next"});
                        t.expect_all();
                        t.reopen();
                        t.expect_all();
                      }});
  }
  for (const std::size_t count : {1u, 2u, 127u, 128u, 1'000u, 20'000u}) {
    checks.push_back({fmt::format("a_batch_of_{}_records_comes_back", count), [count](Trial& t) {
                        t.append_known(count);
                        t.append_known(count);
                        t.expect_all();
                        t.reopen();
                        t.expect_all();
                      }});
  }
}

}  // namespace pawl::store

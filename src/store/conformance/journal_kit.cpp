// SPDX-License-Identifier: Apache-2.0
#include "store/conformance/journal_kit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "store/conformance/journal_checks.hpp"

namespace pawl::store {

std::string known_record(std::uint64_t position) {
  return fmt::format("{}:{}", position, std::string(position * 37 % 400, 'k'));
}

void JournalTrial::reopen() {
  journal_.reset();
  auto opened = subject_.open();
  if (opened) {
    journal_ = std::move(*opened);
  } else {
    expect(false, "it cannot be opened: " + opened.error().text);
  }
}

void JournalTrial::append(const std::vector<std::string>& batch) {
  const auto at = journal_->append(batch);
  if (!at) return expect(false, "append fails: " + at.error().text);
  expect_equal(number(*at), appended_.size() + 1, "the position of the first record of a batch");
  appended_.insert(appended_.end(), batch.begin(), batch.end());
}

void JournalTrial::append(std::initializer_list<const char*> batch) {
  append(std::vector<std::string>(batch.begin(), batch.end()));
}

void JournalTrial::append_known(std::size_t count) {
  std::vector<std::string> batch;
  for (std::size_t i = 1; i <= count; ++i) batch.push_back(known_record(appended_.size() + i));
  append(batch);
}

void JournalTrial::drop(std::uint64_t through) {
  const auto dropped = journal_->drop_through(position_from(through));
  if (!dropped) expect(false, "drop_through fails: " + dropped.error().text);
}

std::vector<std::string> JournalTrial::read(std::uint64_t from) {
  std::vector<std::string> records;
  std::uint64_t next = from;
  const auto done = journal_->read(position_from(from), [&](Position at, std::string_view bytes) {
    if (number(at) != next) expect_equal(number(at), next, "the position of a record that is read");
    ++next;
    records.emplace_back(bytes);
    return true;
  });
  if (!done) expect(false, "read fails: " + done.error().text);
  return records;
}

void JournalTrial::expect_all() {
  const std::uint64_t from = first();
  expect_equal(last(), appended_.size(), "the last position");
  if (from == 0 || from > appended_.size() + 1) return expect_equal(from, 1, "the first position");
  const auto begin = appended_.begin() + static_cast<std::ptrdiff_t>(from - 1);
  const auto records = read(from);
  expect(
      std::equal(records.begin(), records.end(), begin, appended_.end()),
      fmt::format("{} records from {} on are not those that were appended", records.size(), from));
}

void JournalTrial::expect(bool holds, const std::string& sentence) {
  if (!holds) problems_ += sentence + "\n";
}

void JournalTrial::expect_equal(std::uint64_t is, std::uint64_t should, const std::string& what) {
  expect(is == should, fmt::format("{} is {}, should be {}", what, is, should));
}

std::string run_check(const JournalCheck& check, const JournalSubject& subject) {
  JournalTrial trial(subject);
  if (trial.is_open()) check.run(trial);
  return trial.problems();
}

std::vector<JournalCheck> journal_checks() {
  std::vector<JournalCheck> checks;
  add_append_checks(checks);
  add_read_checks(checks);
  add_keeping_checks(checks);
  add_thread_checks(checks);
  return checks;
}

}  // namespace pawl::store

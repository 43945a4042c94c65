// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "store/conformance/journal_checks.hpp"

namespace pawl::store {
namespace {

using Trial = JournalTrial;

// What readers in other threads found wrong.
struct Findings {
  std::mutex mutex{};
  std::string first{};
  void add(std::string text) {
    const std::lock_guard lock(mutex);
    if (first.empty()) first = std::move(text);
  }
};

// Reads all from `from` on; the records must be the known ones, up to what was committed before.
void read_once(Journal& journal, Position from, Findings& findings) {
  const Position committed = journal.last();
  std::uint64_t next = number(from);
  const auto read = journal.read(from, [&](Position at, std::string_view bytes) {
    if (number(at) != next || bytes != known_record(next)) {
      findings.add(fmt::format("at {} a reader got another record", next));
    }
    ++next;
    return true;
  });
  if (!read && read.error().code != Code::not_found) findings.add(read.error().text);
  if (read && next <= number(committed)) findings.add("a reader misses what was committed before");
}

void reading_while_appending(Trial& t, bool dropping) {
  if (!t.has_threads()) return;
  t.append_known(10);
  Findings findings;
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!done) read_once(t.journal(), t.journal().first(), findings);
    });
  }
  readers.emplace_back([&] {
    while (!done) t.journal().prepare();
  });
  for (std::uint64_t i = 0; i < 80; ++i) {
    t.append_known(20);
    if (dropping && i % 5 == 4) t.drop(t.last() - 60);
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  t.expect(findings.first.empty(), findings.first);
  t.expect_all();
}

}  // namespace

void add_thread_checks(std::vector<JournalCheck>& checks) {
  checks.insert(checks.end(), {{"other_threads_may_read_while_one_appends",
                                [](Trial& t) { reading_while_appending(t, false); }},
                               {"other_threads_may_read_while_one_appends_and_drops",
                                [](Trial& t) { reading_while_appending(t, true); }}});
}

}  // namespace pawl::store

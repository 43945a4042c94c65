// SPDX-License-Identifier: Apache-2.0
// Raw commits: how fast the log, and SQLite with the same bytes in the same groups, make turns
// durable: one thread, one commit after the other. For the benchmarks that compare with them.
#pragma once

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "store/conformance/temporary_directory.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_journal.hpp"

namespace pawl::bench {

using Steady = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Shape {
  std::size_t bytes{};  // of a turn
  std::size_t batch{};  // turns per commit
};
struct Figures {
  double per_second{};
  double micros{};   // of processor time per turn
  double median{};   // milliseconds per commit
  double longest{};  // milliseconds
};

inline double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

inline std::vector<std::string> turns(const Shape& shape) {
  std::vector<std::string> batch(shape.batch);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (std::size_t j = 0; j < shape.bytes; ++j) batch[i].push_back(static_cast<char>(i * 31 + j));
  }
  return batch;
}

// Commits for about `seconds`; `commit` makes one batch durable.
template <class Commit>
Figures measure(const Shape& shape, double seconds, Commit commit) {
  std::vector<double> each;
  const double before = processor_seconds();
  const auto start = Steady::now();
  auto last = start;
  while (Seconds(last - start).count() < seconds) {
    commit();
    const auto now = Steady::now();
    each.push_back(Seconds(now - last).count() * 1000);
    last = now;
  }
  const double count = static_cast<double>(each.size() * shape.batch);
  Figures figures{.per_second = count / Seconds(last - start).count(),
                  .micros = (processor_seconds() - before) * 1e6 / count};
  std::ranges::sort(each);
  figures.median = each[each.size() / 2];
  figures.longest = each.back();
  return figures;
}

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print("{}\n", result.error().text);
  std::exit(2);
}
inline void must(Result<void> result) {
  if (!result) fmt::print("{}\n", result.error().text), std::exit(2);
}

// --- the log ------------------------------------------------------------------------------------
// Files are reused, as in a server whose index keeps up; or each is new, and zeroed when it is
// needed or by another thread before that.
enum class Way { reused, new_when_needed, new_prepared };

inline Figures measure_log(const std::string& parent, const Shape& shape, Way way, double seconds) {
  const store::TemporaryDirectory directory(parent);
  const auto files = must(store::PosixFiles::open(directory.path()));
  const auto journal = must(store::SegmentJournal::open(
      *files, {.segment_bytes = 64u << 20, .spares = way == Way::reused ? 2u : 0u}));
  const auto batch = turns(shape);
  if (way == Way::reused) {  // until every file was used once
    for (std::size_t written = 0; written < 5 * (64u << 20); written += shape.bytes * shape.batch) {
      must(journal->append(batch));
      must(journal->drop_through(journal->last()));
    }
  }
  std::atomic<bool> done{false};
  std::thread preparing([&] {
    while (!done && way == Way::new_prepared) {
      journal->prepare();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const Figures figures = measure(shape, seconds, [&] {
    must(journal->append(batch));
    must(journal->drop_through(journal->last()));
  });
  done = true;
  preparing.join();
  return figures;
}

// --- SQLite -------------------------------------------------------------------------------------
inline void run(sqlite3* base, const char* sql) {
  if (sqlite3_exec(base, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return;
  fmt::print("{}: {}\n", sql, sqlite3_errmsg(base));
  std::exit(2);
}

inline Figures measure_sqlite(const std::string& parent, const Shape& shape, double seconds) {
  const store::TemporaryDirectory directory(parent);
  sqlite3* base = nullptr;
  if (sqlite3_open((directory.path() + "/bench.db").c_str(), &base) != SQLITE_OK) std::exit(2);
  run(base, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  run(base, "CREATE TABLE turn (position INTEGER PRIMARY KEY, record BLOB NOT NULL)");
  sqlite3_stmt* insert = nullptr;
  if (sqlite3_prepare_v2(base, "INSERT INTO turn VALUES (?, ?)", -1, &insert, nullptr) !=
      SQLITE_OK) {
    std::exit(2);
  }
  sqlite3_int64 position = 0;
  const auto batch = turns(shape);
  const Figures figures = measure(shape, seconds, [&] {
    run(base, "BEGIN IMMEDIATE");
    for (const std::string& turn : batch) {
      sqlite3_bind_int64(insert, 1, ++position);
      sqlite3_bind_blob(insert, 2, turn.data(), static_cast<int>(turn.size()), SQLITE_STATIC);
      if (sqlite3_step(insert) != SQLITE_DONE) std::exit(2);
      sqlite3_reset(insert);
    }
    run(base, "COMMIT");
  });
  sqlite3_finalize(insert);
  sqlite3_close(base);
  return figures;
}

}  // namespace pawl::bench

// SPDX-License-Identifier: Apache-2.0
// What only an index in a file has: other processes, other versions, damage. The rest is in the
// conformance kit.
#include "store/sqlite/sqlite_index.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "store/conformance/stage.hpp"
#include "store/describe.hpp"
#include "store/selection.hpp"

namespace pawl::store {
namespace {

using namespace conformance;  // NOLINT: records for tests

class SqliteFile : public testing::Test {
 protected:
  void SetUp() override {
    static int count = 0;
    path_ = testing::TempDir() + fmt::format("pawl_sqlite_{}_{}.db", getpid(), ++count);
  }
  void TearDown() override {
    for (const char* end : {"", "-wal", "-shm", ".copy", ".copy-wal", ".copy-shm"}) {
      std::filesystem::remove(path_ + end);
    }
  }

  std::unique_ptr<SqliteIndex> open(SqliteOptions options = {}) {
    options.path = path_;
    return must(SqliteIndex::open(std::move(options)));
  }
  // Opening fails with this code and a text that has this in it.
  void expect_refused(Code code, std::string_view text, bool read_only = false) {
    const auto index = SqliteIndex::open({.path = path_, .read_only = read_only});
    ASSERT_FALSE(index.has_value());
    EXPECT_EQ(code_text(index.error().code), code_text(code));
    EXPECT_NE(index.error().text.find(text), std::string::npos) << index.error().text;
  }
  // SQL of somebody else, on a connection of its own.
  void meddle(const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
  void write_file(std::string_view content) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }

  std::string path_;
};

// Instances 10, 20, … with a variable and a job each; position `first` is the first.
std::vector<Committed> starts(std::uint64_t first, std::uint64_t count) {
  std::vector<Committed> all;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const std::uint64_t key = i * 10;
    auto record = std::make_shared<const Record>(
        Record{.instance = k(key),
               .execution = 1,
               .events = start(key) + set(key, "n", static_cast<int>(i)) +
                         element(key + 1, key, 3) + job(key + 2, key + 1)});
    all.push_back({position_from(i), record, "bytes"});
  }
  return all;
}

TEST_F(SqliteFile, can_be_read_by_another_process_beside_the_writer) {
  const auto writer = open();
  must(writer->apply(starts(1, 3)));
  const auto reader = open({.read_only = true});
  EXPECT_EQ(describe(*reader), describe(*writer));
  must(writer->apply(starts(4, 2)));
  EXPECT_EQ(number(reader->applied()), 5u);
  EXPECT_EQ(describe(*reader), describe(*writer));
}

TEST_F(SqliteFile, can_be_read_after_the_writer_has_gone) {
  must(open()->apply(starts(1, 3)));
  EXPECT_EQ(must(open({.read_only = true})->instances({})).size(), 3u);
}

TEST_F(SqliteFile, refuses_to_write_when_it_was_opened_read_only) {
  must(open()->apply(starts(1, 1)));
  const auto reader = open({.read_only = true});
  const Result<void> refused[] = {reader->apply(starts(2, 1)),
                                  reader->keep_snapshot(k(10), position_from(1), "s")};
  for (const auto& one : refused) {
    ASSERT_FALSE(one.has_value());
    EXPECT_EQ(code_text(one.error().code), code_text(Code::invalid_state));
  }
  EXPECT_FALSE(reader->make_durable().has_value());
}

TEST_F(SqliteFile, is_not_made_by_one_who_only_reads) {
  expect_refused(Code::store_unavailable, path_, true);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SqliteFile, refuses_a_place_that_does_not_exist) {
  path_ = testing::TempDir() + "no_such_folder/index.db";
  expect_refused(Code::store_unavailable, "no_such_folder");
}

TEST_F(SqliteFile, brings_the_tables_of_earlier_versions_up_to_date) {
  constexpr const char* to_third =
      "DROP INDEX instances_by_id; DROP INDEX instances_by_business_id;"
      "CREATE INDEX instances_id ON instances (id) WHERE id IS NOT NULL AND state = 'active';"
      "CREATE INDEX instances_business_id ON instances (business_id)"
      "  WHERE business_id IS NOT NULL AND state = 'active';"
      "UPDATE meta SET value = 3 WHERE name = 'schema'";
  constexpr const char* to_second =
      "DROP INDEX jobs_of_roots; ALTER TABLE jobs DROP COLUMN kind;"
      "UPDATE meta SET value = 2 WHERE name = 'schema'";
  constexpr const char* to_first =
      "DROP TABLE calls; ALTER TABLE processes DROP COLUMN deployment;"
      "UPDATE meta SET value = 1 WHERE name = 'schema'";
  must(open()->apply(starts(1, 1)));
  for (const int back : {1, 2, 3}) {
    meddle(to_third);
    if (back > 1) meddle(to_second);
    if (back > 2) meddle(to_first);
    expect_refused(Code::store_unavailable, "earlier version", true);
    const auto index = open();
    EXPECT_EQ(must(index->jobs({.instance = k(10)})).size(), 1u);
    const auto rows = must(index->find_rows({.table = Table::jobs})).rows;
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].text_at(Column::kind), "task");
  }
  must(open()->apply(starts(2, 1)));
}

TEST_F(SqliteFile, refuses_a_newer_schema) {
  static_cast<void>(open());
  meddle("UPDATE meta SET value = 99 WHERE name = 'schema'");
  expect_refused(Code::store_too_new, "schema 99");
  expect_refused(Code::store_too_new, "schema 99", true);
}

TEST_F(SqliteFile, refuses_a_file_that_is_no_database) {
  write_file(std::string(9'000, 'x'));
  expect_refused(Code::store_damaged, "pawl reindex DIR");
  expect_refused(Code::store_damaged, "pawl reindex DIR", true);
}

TEST_F(SqliteFile, refuses_a_database_of_somebody_else) {
  meddle("CREATE TABLE mine (a)");
  expect_refused(Code::store_damaged, "pawl reindex DIR");
}

TEST_F(SqliteFile, refuses_an_empty_database_when_it_only_reads) {
  write_file("");
  expect_refused(Code::store_damaged, "pawl reindex DIR", true);
}

TEST_F(SqliteFile, says_so_when_a_page_in_the_middle_is_damaged) {
  must(open()->apply(starts(1, 2'000)));
  const auto size = std::filesystem::file_size(path_);
  {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3 * 8'192);
    file << std::string(size - 3 * 8'192, '\x5A');
  }
  const auto index = SqliteIndex::open({.path = path_});
  const Error error = index ? (*index)->instances({}).error() : index.error();
  EXPECT_EQ(code_text(error.code), code_text(Code::store_damaged)) << error.text;
}

TEST_F(SqliteFile, waits_for_a_lock_and_then_says_who_has_to_act) {
  const auto index = open({.patience = Millis(20)});
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto refused = index->apply(starts(1, 1));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(code_text(refused.error().code), code_text(Code::store_in_use));
  EXPECT_EQ(refused.error().whose, Whose::machine);
  EXPECT_EQ(must(index->instances({})).size(), 0u);  // readers do not care
  sqlite3_close(other);
  must(index->apply(starts(1, 1)));
}

TEST_F(SqliteFile, an_apply_that_fails_leaves_nothing_and_can_be_repeated) {
  const auto index = open();
  must(index->apply(starts(1, 2)));
  const std::string before = describe(*index);
  meddle("CREATE TRIGGER broken BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'no'); END");
  EXPECT_FALSE(index->apply(starts(3, 2)).has_value());
  EXPECT_EQ(describe(*index), before);
  EXPECT_EQ(number(index->applied()), 2u);
  meddle("DROP TRIGGER broken");
  must(index->apply(starts(3, 2)));
  EXPECT_EQ(must(index->jobs({})).size(), 4u);
}

TEST_F(SqliteFile, what_was_made_durable_is_in_the_database_file_itself) {
  const auto index = open();
  must(index->apply(starts(1, 500)));
  EXPECT_EQ(number(must(index->make_durable())), 500u);
  std::filesystem::copy_file(path_, path_ + ".copy");  // without the WAL
  const auto copy = must(SqliteIndex::open({.path = path_ + ".copy"}));
  EXPECT_EQ(describe(*copy), describe(*index));
}

TEST_F(SqliteFile, is_made_durable_beside_a_reader_that_holds_an_old_moment) {
  const auto index = open();
  must(index->apply(starts(1, 5)));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN; SELECT count(*) FROM instances", nullptr, nullptr, nullptr),
            SQLITE_OK);
  must(index->apply(starts(6, 5)));
  EXPECT_EQ(number(must(index->make_durable())), 10u);
  // With the WAL nothing is missing, although the checkpoint could not pass the reader.
  std::filesystem::copy_file(path_, path_ + ".copy");
  std::filesystem::copy_file(path_ + "-wal", path_ + ".copy-wal");
  EXPECT_EQ(number(must(SqliteIndex::open({.path = path_ + ".copy"}))->applied()), 10u);
  sqlite3_close(other);
}

TEST_F(SqliteFile, gives_an_image_that_opens_in_memory) {
  const auto index = open();
  must(index->apply(starts(1, 5)));
  const std::string image = index->image();
  must(index->apply(starts(6, 5)));
  const auto old = must(SqliteIndex::open({.image = image}));
  EXPECT_EQ(number(old->applied()), 5u);
  must(old->apply(starts(6, 5)));
  EXPECT_EQ(describe(*old), describe(*index));
}

TEST(SqliteImage, a_broken_one_is_refused) {
  const auto index = SqliteIndex::open({.image = std::string(5'000, 'x')});
  ASSERT_FALSE(index.has_value());
  EXPECT_EQ(code_text(index.error().code), code_text(Code::store_damaged));
}

TEST_F(SqliteFile, answers_many_threads_while_it_is_written) {
  const auto index = open();
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      std::size_t last = 0;
      while (!done) {
        const auto rows = index->instances({});
        const auto jobs = index->jobs({});
        // A later question never sees less than an earlier one.
        const bool fine = rows && jobs && rows->size() >= last && jobs->size() >= rows->size();
        if (!fine) ++wrong;
        last = rows ? rows->size() : last;
      }
    });
  }
  for (std::uint64_t at = 1; at < 1'000; at += 50) must(index->apply(starts(at, 50)));
  done = true;
  for (std::thread& one : readers) one.join();
  EXPECT_EQ(wrong, 0);
}

TEST(SqliteErrors, say_which_known_case_they_are) {
  const std::pair<int, Code> rows[] = {
      {SQLITE_FULL, Code::disk_full},          {SQLITE_NOTADB, Code::store_damaged},
      {SQLITE_CORRUPT, Code::store_damaged},   {SQLITE_CORRUPT_VTAB, Code::store_damaged},
      {SQLITE_BUSY, Code::store_in_use},       {SQLITE_BUSY_SNAPSHOT, Code::store_in_use},
      {SQLITE_IOERR, Code::store_unavailable}, {SQLITE_CANTOPEN, Code::store_unavailable},
  };
  for (const auto& [code, expected] : rows) {
    const Error error = sqlite::error_of(nullptr, code, "index.db");
    EXPECT_EQ(code_text(error.code), code_text(expected)) << code;
    EXPECT_EQ(error.whose, Whose::machine);
  }
}

}  // namespace
}  // namespace pawl::store

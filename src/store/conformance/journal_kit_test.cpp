// SPDX-License-Identifier: Apache-2.0
#include "store/conformance/journal_kit.hpp"

#include <gtest/gtest.h>

#include "store/conformance/temporary_directory.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/memory/memory_journal.hpp"
#include "store/memory/simulated_files.hpp"

namespace pawl::store {
namespace {

// A journal together with the files that it is in.
class Owned : public Journal {
 public:
  Owned(std::unique_ptr<Files> files, std::unique_ptr<Journal> journal)
      : files_(std::move(files)), journal_(std::move(journal)) {}
  Result<Position> append(std::span<const std::string> records) override {
    return journal_->append(records);
  }
  Position last() const override { return journal_->last(); }
  Position first() const override { return journal_->first(); }
  Result<void> read(Position from,
                    const std::function<bool(Position, std::string_view)>& visit) const override {
    return journal_->read(from, visit);
  }
  Result<void> drop_through(Position position) override { return journal_->drop_through(position); }
  std::string mended() const override { return journal_->mended(); }
  void prepare() override { journal_->prepare(); }

 private:
  std::unique_ptr<Files> files_;
  std::unique_ptr<Journal> journal_;
};

Result<std::unique_ptr<Journal>> open_segments(std::unique_ptr<Files> files, std::uint64_t size) {
  PAWL_TRY(journal, SegmentJournal::open(*files, {.segment_bytes = size}));
  return std::unique_ptr<Journal>(std::make_unique<Owned>(std::move(files), std::move(journal)));
}

JournalSubject journal_in_memory() {
  return {.open = [log = std::make_shared<MemoryLog>()] {
    return Result(std::unique_ptr<Journal>(std::make_unique<MemoryJournal>(log)));
  }};
}

JournalSubject in_files() {
  return {
      .open = [directory =
                   std::make_shared<TemporaryDirectory>()]() -> Result<std::unique_ptr<Journal>> {
        PAWL_TRY(files, PosixFiles::open(directory->path()));
        return open_segments(std::move(files), 64u << 10);
      }};
}

JournalSubject simulated() {
  return {.open =
              [disk = std::make_shared<SimulatedDisk>()] {
                return open_segments(disk->files(), 16u << 10);
              },
          .threads = false};
}

// Every restart is a crash, too.
JournalSubject crashing() {
  return {.open =
              [disk = std::make_shared<SimulatedDisk>(7)] {
                disk->crash();
                return open_segments(disk->files(), 8u << 10);
              },
          .threads = false};
}

using Row = std::pair<const char*, JournalSubject (*)()>;

class JournalKit : public testing::TestWithParam<Row> {};

TEST_P(JournalKit, every_check_holds) {
  const auto checks = journal_checks();
  EXPECT_GE(checks.size(), 50u);
  for (const JournalCheck& check : checks) {
    const JournalSubject subject = GetParam().second();
    EXPECT_EQ(run_check(check, subject), "") << check.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, JournalKit,
                         testing::Values(Row("memory", journal_in_memory), Row("files", in_files),
                                         Row("simulated", simulated), Row("crashing", crashing)),
                         [](const auto& row) { return std::string(row.param.first); });

// --- a kit that finds nothing proves nothing ----------------------------------------------------
class Faulty : public MemoryJournal {
 public:
  Faulty(std::shared_ptr<MemoryLog> log, int fault)
      : MemoryJournal(std::move(log)), fault_(fault) {}
  Result<Position> append(std::span<const std::string> records) override {
    if (fault_ == 0 && records.size() > 1) records = records.first(records.size() - 1);
    if (fault_ == 1) {
      std::vector<std::string> turned(records.rbegin(), records.rend());
      return MemoryJournal::append(turned);
    }
    return MemoryJournal::append(records);
  }
  Position last() const override {
    return fault_ == 2 ? MemoryJournal::last() + 1 : MemoryJournal::last();
  }
  Result<void> drop_through(Position position) override {
    return MemoryJournal::drop_through(fault_ == 3 ? position + 1 : position);
  }
  Result<void> read(Position from,
                    const std::function<bool(Position, std::string_view)>& visit) const override {
    if (fault_ == 4 && from < first()) from = first();
    return MemoryJournal::read(from, visit);
  }

 private:
  int fault_;
};

TEST(JournalKitItself, finds_journals_that_are_wrong) {
  for (int fault = 0; fault <= 5; ++fault) {
    std::string found;
    for (const JournalCheck& check : journal_checks()) {
      auto log = std::make_shared<MemoryLog>();
      const JournalSubject subject{
          .open =
              [&] {
                if (fault == 5) log = std::make_shared<MemoryLog>();  // forgets
                return Result(std::unique_ptr<Journal>(std::make_unique<Faulty>(log, fault)));
              },
          .threads = false};
      found = run_check(check, subject);
      if (!found.empty()) break;
    }
    EXPECT_NE(found, "") << "fault " << fault;
  }
}

TEST(MemoryJournal, appends_fail_when_asked_to_and_leave_nothing) {
  MemoryJournal journal;
  journal.on_append([](std::span<const std::string> records) -> Result<void> {
    if (records.front() == "bad") return fail(Whose::machine, Code::disk_full, "full");
    return {};
  });
  EXPECT_TRUE(journal.append(std::vector<std::string>{"good"}).has_value());
  EXPECT_FALSE(journal.append(std::vector<std::string>{"bad", "good"}).has_value());
  EXPECT_EQ(number(journal.last()), 1u);
}

}  // namespace
}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include "runtime/local.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "runtime/local_paths.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::runtime {

namespace fs = std::filesystem;
using store::PosixFiles;
using store::SegmentJournal;
using store::SqliteIndex;

namespace {

std::uint64_t random_secret() {
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32 | device();
}

struct OpenJournal {
  std::unique_ptr<store::Files> files{};
  std::unique_ptr<store::Journal> journal{};
};

Result<OpenJournal> open_journal(const std::string& directory, std::uint64_t segment_bytes) {
  OpenJournal opened;
  PAWL_TRY(files, PosixFiles::open(journal_path(directory)));
  opened.files = std::move(files);
  PAWL_TRY(journal, SegmentJournal::open(*opened.files, {.segment_bytes = segment_bytes,
                                                         .secret = random_secret()}));
  opened.journal = std::move(journal);
  return opened;
}

store::ElementNames names_from(const Definitions& definitions) {
  return [&definitions](Key definition, ElementIndex element) {
    return definitions.element_id(definition, element);
  };
}

// What the index lacks must still be in the journal.
Result<void> fits(const std::string& directory, const store::Journal& journal,
                  const store::Index& index) {
  if (index.applied() + 1 >= journal.first()) return {};
  return fail(Whose::machine, Code::store_damaged,
              fmt::format("the index {} ends at record {}, but the journal keeps only records from "
                          "{} on: an index is missing or older than its journal; restore both "
                          "from one backup",
                          index_path(directory), number(index.applied()), number(journal.first())));
}

// A directory has as many shards as ever worked there: each has instances that only it can run.
Result<std::uint32_t> shards_of(Stores& stores, std::uint32_t wanted) {
  PAWL_TRY(rows, stores.index->definitions());
  for (const store::DefinitionRow& row : rows) stores.definitions->add_stored(row);
  Indexer indexer(*stores.journal, *stores.index, Millis(0));
  PAWL_CHECK(indexer.catch_up_with_journal(
      [&](const store::Record& record) { stores.definitions->note(record); }));
  for (std::uint32_t shards = wanted;; ++shards) {
    PAWL_TRY(next_key, stores.index->next_key(shards));
    if (next_key == 0) return shards;
  }
}

void remove_index(const std::string& path) {
  for (const char* part : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(path + part, ignored);
  }
}

// True if the journal has records that the index has not; a running process may be writing both.
Result<bool> is_behind(const std::string& directory, store::Position applied) {
  PAWL_TRY(files, PosixFiles::open(journal_path(directory), store::Access::read_only));
  PAWL_TRY(found, store::survey(*files));
  return found.next > applied + 1;
}

Result<void> bring_up_to_date(const std::string& directory) {
  const SystemClock clock;
  PAWL_TRY(node, open_local(directory, clock));
  PAWL_CHECK(node->catch_up());
  return {};
}

}  // namespace

Result<void> has_data(const std::string& directory) {
  std::error_code ignored;
  if (fs::is_directory(journal_path(directory), ignored)) return {};
  return fail(Whose::machine, Code::store_unavailable,
              fmt::format("there is no data of Pawl in \"{}\"; check the path", directory));
}

Result<std::unique_ptr<SqliteIndex>> open_reader(const std::string& directory) {
  const auto definitions = std::make_shared<Definitions>();
  const auto names = [definitions](Key definition, ElementIndex element) {
    return definitions->element_id(definition, element);
  };
  PAWL_TRY(index, SqliteIndex::open(
                      {.path = index_path(directory), .element_names = names, .read_only = true}));
  definitions->load_with([from = index.get()](Key resource) { return from->resource(resource); });
  PAWL_TRY(rows, index->definitions());
  for (const store::DefinitionRow& row : rows) definitions->add_stored(row);
  return std::move(index);
}

Result<std::unique_ptr<Node>> open_local(const std::string& directory, const Clock& clock,
                                         LocalOptions options) {
  Stores stores;
  PAWL_TRY(opened, open_journal(directory, options.segment_bytes));
  stores.files = std::move(opened.files);
  stores.journal = std::move(opened.journal);
  stores.definitions = std::make_unique<Definitions>();
  PAWL_TRY(index, SqliteIndex::open({.path = index_path(directory),
                                     .element_names = names_from(*stores.definitions)}));
  PAWL_CHECK(fits(directory, *stores.journal, *index));
  stores.definitions->load_with(
      [from = index.get()](Key resource) { return from->resource(resource); });
  stores.index = std::move(index);
  PAWL_TRY(shards, shards_of(stores, options.node.shards));
  options.node.shards = shards;
  if (options.node.seed == 0) options.node.seed = random_secret();
  return Node::open(std::move(stores), clock, options.node);
}

Result<std::unique_ptr<store::Index>> read_local(const std::string& directory) {
  PAWL_CHECK(has_data(directory));
  auto index = fs::exists(index_path(directory))
                   ? open_reader(directory)
                   : Result<std::unique_ptr<SqliteIndex>>(
                         fail(Whose::machine, Code::store_unavailable,
                              fmt::format("\"{}\" has no index", directory)));
  const bool there = index.has_value();
  if (!there && index.error().code == Code::store_damaged) return index.error();
  PAWL_TRY(behind, is_behind(directory, there ? (*index)->applied() : store::Position::none));
  if (there && !behind) return std::unique_ptr<store::Index>(std::move(*index));
  if (there) index->reset();
  const auto updated = bring_up_to_date(directory);
  // A process that runs there does it itself; without the right to write, what is there is shown.
  const bool readable = updated || updated.error().code == Code::store_in_use ||
                        updated.error().code == Code::store_unavailable;
  if (!readable) return updated.error();
  PAWL_TRY(fresh, open_reader(directory));
  return std::unique_ptr<store::Index>(std::move(fresh));
}

// Beside the old one, which is replaced in the last step: whenever this stops, the directory can be
// opened.
Result<std::uint64_t> reindex_local(const std::string& directory, const Progress& progress) {
  PAWL_CHECK(has_data(directory));
  PAWL_TRY(opened, open_journal(directory, LocalOptions{}.segment_bytes));
  const store::Journal& journal = *opened.journal;
  if (number(journal.first()) > 1) {
    return fail(Whose::machine, Code::store_damaged,
                fmt::format("the index of \"{}\" cannot be made anew: the journal keeps only "
                            "records from {} on, what was before is in the index alone; restore a "
                            "backup if it is damaged",
                            directory, number(journal.first())));
  }
  // An index that knows more than the journal is the only place of it.
  const auto old = open_reader(directory);
  if (old && (*old)->applied() > journal.last()) {
    return fail(
        Whose::machine, Code::store_damaged,
        fmt::format("the index of \"{}\" has {} records and is not made anew: the journal has "
                    "only {}, so files of it are missing; put them back, or restore a backup",
                    directory, number((*old)->applied()), number(journal.last())));
  }
  const std::string fresh = index_path(directory) + ".new";
  remove_index(fresh);
  Definitions definitions;
  {
    PAWL_TRY(index, SqliteIndex::open({.path = fresh, .element_names = names_from(definitions)}));
    Indexer indexer(*opened.journal, *index, Millis(0));
    std::uint64_t done = 0;
    PAWL_CHECK(indexer.catch_up_with_journal([&](const store::Record& record) {
      definitions.note(record);
      progress(++done, number(journal.last()));
    }));
    PAWL_CHECK(index->make_durable());
  }
  remove_index(index_path(directory));
  std::error_code error;
  fs::rename(fresh, index_path(directory), error);
  if (!error) return number(journal.last());
  return fail(Whose::machine, Code::store_unavailable,
              fmt::format("{}: cannot rename: {}", fresh, error.message()));
}

// --- backup -------------------------------------------------------------------------------------

namespace {

// Under another name until it is complete: a backup that was cut is not taken for one.
Result<void> copy_all(const SegmentJournal& journal, const SqliteIndex& index,
                      const std::string& directory) {
  PAWL_TRY(files, PosixFiles::open(journal_path(directory)));
  PAWL_CHECK(journal.copy_to(*files, [&] { return index.copy_to(index_path(directory)); }));
  PAWL_TRY(names, PosixFiles::open(directory));
  return names->sync_names();
}

}  // namespace

namespace {

// Says that a directory is a backup that was cut, and no one else's.
constexpr const char* unfinished_mark = "unfinished-backup-of-pawl";

bool is_own_unfinished(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error)) &&
         fs::is_regular_file(fs::symlink_status(path / unfinished_mark, error));
}

Error cannot_make(const std::string& directory, const std::error_code& why) {
  return fail(Whose::machine, Code::store_unavailable,
              fmt::format("the backup \"{}\" cannot be made: {}", directory, why.message()));
}

// What an earlier try left is removed, but nothing else.
Result<void> begin_unfinished(const std::string& path) {
  std::error_code error;
  if (is_own_unfinished(path)) fs::remove_all(path, error);
  if (fs::exists(fs::symlink_status(path, error))) {
    return fail(Whose::caller, Code::already_exists,
                fmt::format("there is something at \"{}\" that no backup has left; remove it, or "
                            "give the backup another name",
                            path));
  }
  fs::create_directories(fs::path(path).parent_path(), error);
  fs::create_directory(path, error);
  if (error) return cannot_make(path, error);
  fs::permissions(path, fs::perms::owner_all, error);
  std::ofstream mark(fs::path(path) / unfinished_mark);
  if (!error && mark.good()) return {};
  return cannot_make(path, error ? error : std::make_error_code(std::errc::io_error));
}

}  // namespace

Result<std::uint64_t> backup_local(const Node& node, const std::string& directory) {
  const auto* journal = dynamic_cast<const SegmentJournal*>(&node.journal());
  const auto* index = dynamic_cast<const SqliteIndex*>(&node.index());
  if (!journal || !index) {
    return fail(Whose::caller, Code::not_supported, "only a data directory can be copied");
  }
  std::error_code error;
  if (fs::exists(fs::symlink_status(directory, error))) {
    return fail(
        Whose::caller, Code::already_exists,
        fmt::format("there is something at \"{}\" already; name a new directory", directory));
  }
  const std::string unfinished = directory + ".unfinished";
  PAWL_CHECK(begin_unfinished(unfinished));
  if (auto copied = copy_all(*journal, *index, unfinished); !copied) {
    fs::remove_all(unfinished, error);
    return copied.error();
  }
  // In this order: what is cut between them can be seen to be a whole backup, or to be ours.
  fs::rename(unfinished, directory, error);
  if (error) return cannot_make(directory, error);
  fs::remove(fs::path(directory) / unfinished_mark, error);
  PAWL_TRY(files, PosixFiles::open(journal_path(directory), store::Access::read_only));
  PAWL_TRY(found, store::survey(*files));
  return number(found.next) - 1;
}

}  // namespace pawl::runtime

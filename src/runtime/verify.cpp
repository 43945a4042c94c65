// SPDX-License-Identifier: Apache-2.0
// Checking a data directory: the journal as it lies on the disk, then what follows from it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/assert.hpp"
#include "runtime/find_process.hpp"
#include "runtime/local.hpp"
#include "runtime/local_paths.hpp"
#include "store/codec.hpp"
#include "store/describe.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_survey.hpp"
#include "store/memory/memory_index.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::runtime {
namespace {

constexpr std::size_t most_problems = 100;
constexpr std::size_t checked_slots = 64;  // larger states are checked once, at their end

// Every instance is folded as a restart would do it.
class Folder {
 public:
  Folder(const Definitions& definitions, Verdict& verdict)
      : definitions_(definitions), verdict_(verdict) {}

  void take(Position position, const store::Record& record) {
    if (record.events.empty() || broken_.contains(record.instance)) return;
    try {
      fold(record);
    } catch (const BrokenInvariant& broken) {
      complain(record.instance, fmt::format("record {}: {}", number(position), broken.what()));
    }
  }

  void finish() {
    for (const auto& [key, state] : open_) check(key, state);
  }

 private:
  void fold(const store::Record& record) {
    const auto* started = std::get_if<engine::InstanceStarted>(&record.events.front());
    if (started && !begin(*started)) return;
    const auto found = open_.find(record.instance);
    if (found == open_.end()) return complain(record.instance, "its first record is missing");
    engine::Instance& state = found->second;
    const auto replayed = engine::replay(state, record.events, find_process(definitions_));
    if (!replayed) return complain(record.instance, replayed.error().text);
    const bool ended = state.ended != engine::Ended::no;
    if (ended || state.slots.size() <= checked_slots) check(record.instance, state);
    if (ended) open_.erase(record.instance);
  }

  bool begin(const engine::InstanceStarted& started) {
    if (started.execution == 1) ++verdict_.instances;
    const auto definition = definitions_.find(started.definition);
    if (!definition) {
      complain(started.instance, definition.error().text);
      return false;
    }
    open_.erase(started.instance);
    open_.emplace(started.instance, engine::Instance((*definition)->process));
    return true;
  }

  void check(Key key, const engine::Instance& state) {
    const std::string broken = engine::broken_invariant_of(state);
    if (!broken.empty()) complain(key, broken);
  }

  void complain(Key instance, const std::string& what) {
    if (!broken_.insert(instance).second) return;
    verdict_.problems.push_back(fmt::format("instance {}: {}", number(instance), what));
  }

  const Definitions& definitions_;
  Verdict& verdict_;
  std::map<Key, engine::Instance> open_{};
  std::set<Key> broken_{};
};

// Records whose journal files were dropped, as far as the history of the index has them.
using Old = std::map<Position, std::string>;

Result<Old> old_records(const store::Index& index, Position first) {
  Old old;
  PAWL_TRY(rows, index.instances({}));
  for (const store::InstanceRow& row : rows) {
    PAWL_TRY(history, index.history(row.key));
    for (store::HistoryEntry& entry : history) {
      if (entry.position < first) old.emplace(entry.position, std::move(entry.bytes));
    }
  }
  return old;
}

class Verifier {
 public:
  Verifier(store::Files& files, const store::Index* index, const Progress& progress)
      : files_(files), index_(index), progress_(progress) {}

  Result<Verdict> run() {
    PAWL_TRY(report, store::check_journal(files_));
    verdict_.segments = report.segments;
    verdict_.records = report.records;
    verdict_.bytes = report.bytes;
    verdict_.unfinished = report.unfinished;
    verdict_.problems = report.problems;
    if (!verdict_.problems.empty()) return verdict_;
    last_ = report.last;
    verdict_.complete = number(report.first) <= 1;
    if (!index_ && !verdict_.complete) {
      verdict_.problems.push_back("the index is missing, and the journal is not complete");
      return verdict_;
    }
    applied_ = index_ ? index_->applied() : Position::none;
    PAWL_CHECK(read_old(report.first));
    PAWL_CHECK(read_journal());
    PAWL_CHECK(flush());
    folder_.finish();
    compare();
    return verdict_;
  }

 private:
  Result<void> read_old(Position first) {
    if (verdict_.complete) return {};
    definitions_.load_with([this](Key resource) { return index_->resource(resource); });
    PAWL_TRY(rows, index_->definitions());
    for (const store::DefinitionRow& row : rows) definitions_.add_stored(row);
    PAWL_TRY(old, old_records(*index_, first));
    for (Position at = store::position_from(1); at < first; at = at + 1) {
      const auto found = old.find(at);
      // A notice is not in the history; an empty record stands for it.
      PAWL_CHECK(take(at, found == old.end() ? std::string() : found->second));
    }
    return {};
  }

  Result<void> read_journal() {
    PAWL_TRY(found, store::survey(files_));
    for (const store::SegmentPtr& segment : found.segments) PAWL_CHECK(read_segment(*segment));
    return {};
  }

  Result<void> read_segment(const store::Segment& segment) {
    store::FileView view(*segment.file);
    std::uint64_t offset = store::frames_start;
    for (;;) {
      PAWL_TRY(frame, store::frame_at(view, segment.header, offset));
      if (!frame) return {};
      Position at = frame->first;
      Result<void> taken;
      const bool whole =
          store::split_payload(frame->payload, frame->count, [&](std::string_view bytes) {
            taken = take(at, std::string(bytes));
            at = at + 1;
            return taken.has_value();
          });
      PAWL_CHECK(taken);
      if (!whole) {
        problem(fmt::format("{}, offset {}: the records of a frame cannot be told apart",
                            segment.name, offset));
      }
      offset += frame->bytes;
    }
  }

  Result<void> take(Position at, std::string bytes) {
    auto record = store::decode_record(bytes);
    progress_(number(at), number(last_));
    if (!record) {
      problem(fmt::format("record {}: {}", number(at), record.error().text));
      record = store::Record{};
    }
    definitions_.note(*record);
    folder_.take(at, *record);
    if (at > applied_) {
      ++verdict_.unindexed;
      return {};
    }
    window_.push_back(
        {at, std::make_shared<const store::Record>(std::move(*record)), std::move(bytes)});
    return window_.size() < limits::index_window ? Result<void>() : flush();
  }

  Result<void> flush() {
    const auto applied = model_.apply(window_);
    window_.clear();
    return applied;
  }

  // Snapshots are no part of the journal; what a dropped notice said is known to the index alone.
  bool is_compared(std::string_view line) const {
    if (line.starts_with("  past:")) return false;
    if (verdict_.complete) return true;
    for (const char* notice : {"process ", "resource ", "message ", "signal ", "shard "}) {
      if (line.starts_with(notice)) return false;
    }
    return line.find(store::work_set_aside) == std::string_view::npos;
  }

  std::vector<std::string> lines_of(const store::Index& index) const {
    std::vector<std::string> lines;
    std::string line, instance;
    for (std::istringstream text(store::describe(index)); std::getline(text, line);) {
      if (line.starts_with("in instance ")) instance = " (" + line + ")";
      if (!is_compared(line)) continue;
      const std::size_t count = line.find(" incidents ");
      if (!verdict_.complete && count != std::string::npos) {
        line.erase(count, line.find(" busy ") - count);
      }
      lines.push_back(line.starts_with("  ") ? line.substr(2) + instance : line);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  void compare() {
    if (!index_) return;
    if (applied_ > last_) {
      return problem(fmt::format("the index is at record {}, the journal ends at {}",
                                 number(applied_), number(last_)));
    }
    forget_what_is_forgotten();
    const auto from_journal = lines_of(model_), from_index = lines_of(*index_);
    std::vector<std::string> missing, wrong;
    std::set_difference(from_journal.begin(), from_journal.end(), from_index.begin(),
                        from_index.end(), std::back_inserter(missing));
    std::set_difference(from_index.begin(), from_index.end(), from_journal.begin(),
                        from_journal.end(), std::back_inserter(wrong));
    for (const std::string& line : missing) problem("the index does not have: " + line);
    for (const std::string& line : wrong) problem("the index has, against the journal: " + line);
  }

  // What had ended and was removed on purpose is in the journal for a while.
  void forget_what_is_forgotten() {
    const auto until = index_->forgotten();
    if (!until || *until == Instant{}) return;
    const auto removed = [&](const store::Index::Ended& ended) {
      const auto there = index_->past_of(ended.key);
      return ended.at <= *until && there && !*there;
    };
    static_cast<void>(model_.forget_ended(Key::none, store::no_limit, removed).has_value());
  }

  void problem(std::string text) {
    if (verdict_.problems.size() < most_problems) verdict_.problems.push_back(std::move(text));
  }

  store::Files& files_;
  const store::Index* index_;
  const Progress& progress_;
  Verdict verdict_{};
  Position last_{Position::none}, applied_{Position::none};
  Definitions definitions_{};
  Folder folder_{definitions_, verdict_};
  store::MemoryIndex model_{[this](Key definition, ElementIndex element) {
    return definitions_.element_id(definition, element);
  }};
  std::vector<store::Committed> window_{};
};

}  // namespace

Result<Verdict> verify_local(const std::string& directory, const Progress& progress) {
  PAWL_CHECK(has_data(directory));
  PAWL_TRY(holder, store::PosixFiles::open(journal_path(directory)));
  // Without the right to write nobody of us can be writing either.
  const auto locked = holder->lock();
  if (!locked && locked.error().code == Code::store_in_use) return locked.error();
  PAWL_TRY(files, store::PosixFiles::open(journal_path(directory), store::Access::read_only));
  std::unique_ptr<store::SqliteIndex> index;
  std::string broken;
  if (std::filesystem::exists(index_path(directory))) {
    auto opened = open_reader(directory);
    if (opened) {
      index = std::move(*opened);
    } else {
      broken = opened.error().text;
    }
  }
  PAWL_TRY(verdict, Verifier(*files, index.get(), progress).run());
  if (!broken.empty()) verdict.problems.push_back(broken);
  return verdict;
}

}  // namespace pawl::runtime

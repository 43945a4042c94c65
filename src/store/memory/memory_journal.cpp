// SPDX-License-Identifier: Apache-2.0
#include "store/memory/memory_journal.hpp"

#include <fmt/format.h>

#include <optional>

namespace pawl::store {
namespace {

Position next_of(const MemoryLog& log) { return log.first + log.records.size(); }

// Copied, so that the visitor may append or drop.
Result<std::optional<std::string>> record_at(MemoryLog& log, Position at, Position stop) {
  const std::lock_guard lock(log.mutex);
  if (at < log.first) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("position {} of the journal is no longer kept; the oldest is {}",
                            number(at), number(log.first)));
  }
  if (at >= stop) return std::optional<std::string>();
  return std::optional(log.records[number(at) - number(log.first)]);
}

}  // namespace

Result<Position> MemoryJournal::append(std::span<const std::string> records) {
  if (gate_ && !records.empty()) PAWL_CHECK(gate_(records));
  const std::lock_guard lock(log_->mutex);
  const Position first = next_of(*log_);
  log_->records.insert(log_->records.end(), records.begin(), records.end());
  return first;
}

Position MemoryJournal::last() const {
  const std::lock_guard lock(log_->mutex);
  return position_from(number(next_of(*log_)) - 1);
}

Position MemoryJournal::first() const {
  const std::lock_guard lock(log_->mutex);
  return log_->first;
}

Result<void> MemoryJournal::read(
    Position from, const std::function<bool(Position, std::string_view bytes)>& visit) const {
  const Position stop = MemoryJournal::last() + 1;
  for (Position at = from;; at = at + 1) {
    PAWL_TRY(record, record_at(*log_, at, stop));
    if (!record || !visit(at, *record)) return {};
  }
}

Result<void> MemoryJournal::drop_through(Position position) {
  const std::lock_guard lock(log_->mutex);
  while (!log_->records.empty() && log_->first <= position) {
    log_->records.pop_front();
    log_->first = log_->first + 1;
  }
  return {};
}

}  // namespace pawl::store

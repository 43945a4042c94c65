// SPDX-License-Identifier: Apache-2.0
#include "runtime/timer_queue.hpp"

#include "runtime/mutation.hpp"

namespace pawl::runtime {

// While a fetch waits for the index, new timers stay in memory: the fetch will not see them.
void TimerQueue::add(const TimerRow& timer, store::Position at) {
  const Place place{timer.due, timer.key};
  const bool waits = wanted_ != store::Position::none;
  if (more_stored_ && place > horizon_ && !waits) {
    stored_at_ = std::max(stored_at_, at);
    return;  // it is fetched when its time comes
  }
  if (waits) stored_at_ = std::max(stored_at_, at);
  known_[timer.key] = {timer, false};
  near_.insert(place);
  shrink();
}

// The farthest ones go back to where they are stored.
void TimerQueue::shrink() {
  if (near_.size() <= most_) return;
  while (near_.size() > most_ / 2) {
    const Place last = *near_.rbegin();
    near_.erase(last);
    known_.erase(last.key);
  }
  horizon_ = *near_.rbegin();
  more_stored_ = true;
}

void TimerQueue::remove(Key timer) {
  const auto found = known_.find(timer);
  if (found == known_.end()) return;
  near_.erase({found->second.row.due, timer});
  known_.erase(found);
}

// False: the index has to come nearer first.
Result<bool> TimerQueue::fetch_until(Instant now, store::Position indexed) {
  while (needs_fetch(now) || wanted_ != store::Position::none) {
    if (wanted_ == store::Position::none) wanted_ = stored_at_;
    if (indexed < wanted_) return false;
    wanted_ = store::Position::none;
    const std::size_t most = most_ / 2;
    PAWL_TRY(rows, fetch_(horizon_.due, horizon_.key, most));
    for (const TimerRow& row : rows) {
      if (mutated(Mutation::lose_timer) && &row == &rows.back()) continue;
      if (known_.emplace(row.key, Known{row, false}).second) near_.insert({row.due, row.key});
    }
    more_stored_ = rows.size() == most;
    if (rows.size() == most) horizon_ = {rows.back().due, rows.back().key};
    shrink();
  }
  return true;
}

Result<std::vector<TimerRow>> TimerQueue::take_due(Instant now, std::size_t most,
                                                   store::Position indexed) {
  std::vector<TimerRow> due;
  while (due.size() < most) {
    PAWL_TRY(current, fetch_until(now, indexed));
    const bool none = near_.empty() || near_.begin()->due > now;
    if (none || (!current && near_.begin()->due > horizon_.due)) break;
    Known& one = known_.at(near_.begin()->key);
    near_.erase(near_.begin());
    one.held = true;
    due.push_back(one.row);
  }
  return due;
}

void TimerQueue::put_back(Key timer) {
  const auto found = known_.find(timer);
  if (found == known_.end() || !found->second.held) return;
  found->second.held = false;
  near_.insert({found->second.row.due, timer});
}

std::optional<Instant> TimerQueue::next_due() const {
  if (!near_.empty()) return near_.begin()->due;
  if (more_stored_) return horizon_.due;
  return std::nullopt;
}

void TimerQueue::forget_all() {
  near_.clear();
  known_.clear();
  horizon_ = {};
  more_stored_ = true;
  wanted_ = store::Position::none;
}

}  // namespace pawl::runtime

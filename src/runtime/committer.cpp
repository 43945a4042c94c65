// SPDX-License-Identifier: Apache-2.0
#include "runtime/committer.hpp"

#include "store/codec.hpp"

namespace pawl::runtime {

using store::Position;

void Committer::take(std::vector<Draft> drafts) { inbox_.post(std::move(drafts)); }

// Encodes drafts from `from` on, as many as make a reasonable append; gives the place after them.
std::size_t Committer::encode(std::size_t from) {
  constexpr std::size_t enough = 8u << 20;
  encoded_.clear();
  std::size_t bytes = 0;
  std::size_t to = from;
  for (; to < drafts_.size() && bytes < enough; ++to) {
    for (const RecordPtr& record : drafts_[to].records) {
      encoded_.push_back(store::encode(*record));
      record->encoded_bytes = encoded_.back().size();
      bytes += record->encoded_bytes;
    }
  }
  return to;
}

Result<Position> Committer::append() {
  const auto began = std::chrono::steady_clock::now();
  Result<Position> first = journal_.append(encoded_);
  const auto took = std::chrono::steady_clock::now() - began;
  count_.micros += static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  ++(first ? count_.commits : count_.failures);
  if (!first) return first;
  count_.records += encoded_.size();
  for (const std::string& record : encoded_) count_.bytes += record.size();
  return first;
}

void Committer::succeed(std::size_t from, std::size_t to, Position first) {
  std::vector<store::Committed> committed;
  committed.reserve(encoded_.size());
  std::map<std::uint32_t, std::uint64_t> newest;
  std::size_t next = 0;
  for (std::size_t i = from; i < to; ++i) {
    newest[drafts_[i].shard] = drafts_[i].sequence;
    for (const RecordPtr& record : drafts_[i].records) {
      committed.push_back({first + next, record, std::move(encoded_[next])});
      ++next;
    }
  }
  const Position last = committed.empty() ? journal_.last() : committed.back().position;
  indexer_.add(std::move(committed));
  for (const auto& [shard, sequence] : newest) tell_(shard, DraftsDurable{sequence, last});
}

void Committer::fail_with(std::size_t from, std::size_t to, const Error& error) {
  for (std::size_t i = from; i < to; ++i) {
    const Draft& draft = drafts_[i];
    std::uint64_t& failed = failed_[draft.shard];
    if (failed >= draft.epoch) continue;
    failed = draft.epoch;
    tell_(draft.shard, DraftsFailed{draft.epoch, error, journal_.last()});
  }
}

// While the index is too far behind, drafts wait in the inbox and would end each wait at once.
void Committer::wait_for(Millis most) {
  indexer_.is_far_behind() ? indexer_.wait_until_near(most) : inbox_.wait_for(most);
}

bool Committer::run_once() {
  if (indexer_.is_far_behind()) {
    indexer_.hurry();
    return false;
  }
  // The journal is used by one thread only. An error leaves files that the next call drops.
  if (const Position passed = indexer_.take_passed(); passed != Position::none) {
    static_cast<void>(journal_.drop_through(passed).has_value());
  }
  taken_.clear();
  if (!inbox_.take(taken_)) return false;
  drafts_.clear();
  for (auto& some : taken_) {
    for (Draft& draft : some) drafts_.push_back(std::move(draft));
  }
  std::size_t from = 0;
  while (from < drafts_.size()) {
    std::erase_if(drafts_, [&](const Draft& draft) {
      const auto failed = failed_.find(draft.shard);
      return failed != failed_.end() && draft.epoch <= failed->second;
    });
    if (from >= drafts_.size()) break;
    const std::size_t to = encode(from);
    const Result<Position> first = encoded_.empty() ? Result<Position>(Position::none) : append();
    if (first) {
      succeed(from, to, *first);
    } else {
      fail_with(from, to, first.error());
    }
    drafts_.erase(drafts_.begin(), drafts_.begin() + static_cast<std::ptrdiff_t>(to));
    from = 0;
  }
  return true;
}

}  // namespace pawl::runtime

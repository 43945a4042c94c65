// SPDX-License-Identifier: Apache-2.0
#include "runtime/committer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <thread>

#include "store/codec.hpp"

namespace pawl::runtime {

using store::Position;

static Error out_of_memory() {
  return fail(Whose::operators, Code::too_large,
              "there is not enough memory to store this step; give the process more, or the "
              "instance less");
}

void Committer::take(std::vector<Draft> drafts) { inbox_.post(std::move(drafts)); }

// Encodes drafts from `from` on, as many as make a reasonable append; gives the place after them.
std::size_t Committer::encode(std::size_t from) {
  constexpr std::size_t enough = 2u << 20;  // a larger one would keep others waiting
  encoded_.clear();
  refusals_.clear();
  std::size_t bytes = 0;
  std::size_t to = from;
  for (; to < drafts_.size() && bytes < enough; ++to) {
    if (!encode(drafts_[to])) continue;
    for (const RecordPtr& record : drafts_[to].records) bytes += record->encoded_bytes;
  }
  return to;
}

// False: it was refused, and has no records any more.
bool Committer::encode(Draft& draft) {
  const std::size_t before = encoded_.size();
  const auto is_refused = [this](Key instance, std::uint64_t life) {
    const auto refused = refused_.find(instance);
    if (refused == refused_.end() || refused->second == life) return refused != refused_.end();
    refused_.erase(refused);  // it was brought back since: nothing is built on that any more
    return false;
  };
  const auto built_on_refused = [&](const RecordPtr& record) {
    return is_refused(record->instance, record->life);
  };
  const bool says = draft.records.begin() == draft.records.end() && draft.instance != Key::none;
  if (!refused_.empty() &&
      (says ? is_refused(draft.instance, draft.life)
            : std::any_of(draft.records.begin(), draft.records.end(), built_on_refused))) {
    refuse(draft,
           fail(Whose::machine, Code::store_unavailable,
                "an earlier step of the instance could not be stored; try again"),
           true);
    return false;
  }
  for (const RecordPtr& record : draft.records) {
    Result<std::string> bytes = out_of_memory();
    try {
      bytes = store::encode(*record);
    } catch (const std::bad_alloc&) {  // the others go on
    }
    if (!bytes) {
      encoded_.resize(before);
      refuse(draft, bytes.error(), false);
      return false;
    }
    record->encoded_bytes = bytes->size();
    encoded_.push_back(std::move(*bytes));
  }
  return true;
}

void Committer::refuse(Draft& draft, const Error& error, bool follows) {
  for (const RecordPtr& record : draft.records) {
    if (record->instance != Key::none) refused_[record->instance] = record->life;
  }
  draft.records = {};
  refusals_[draft.shard].push_back({draft.sequence, error, follows});
}

Result<Position> Committer::append() {
  const auto began = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(health_mutex_);
    append_began_ = began;
  }
  Result<Position> first = journal_.append(encoded_);
  {
    const std::lock_guard lock(health_mutex_);
    append_began_ = {};
    failure_ = first ? Error{.text = ""} : first.error();
    if (!first) failed_at_ = std::chrono::steady_clock::now();
  }
  const auto took = std::chrono::steady_clock::now() - began;
  count_.micros += static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  ++(first ? count_.commits : count_.failures);
  if (!first) return first;
  pace_.note(began + took, encoded_.size());
  count_.records += encoded_.size();
  for (const std::string& record : encoded_) count_.bytes += record.size();
  return first;
}

Error Committer::trouble() const {
  constexpr std::chrono::seconds remembered{10}, longest_append{5};
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(health_mutex_);
  if (append_began_ != SteadyTime{} && now - append_began_ > longest_append) {
    const auto since = std::chrono::duration_cast<std::chrono::seconds>(now - append_began_);
    return fail(
        Whose::machine, Code::store_unavailable,
        fmt::format("the disk has not taken what was written to it for {} s", since.count()));
  }
  if (!failure_.text.empty() && now - failed_at_ < remembered) return failure_;
  return {.text = ""};
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
  for (const auto& [shard, sequence] : newest) {
    tell_(shard, DraftsDurable{sequence, last, std::move(refusals_[shard])});
  }
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
  if (indexer_.is_far_behind()) return indexer_.wait_until_near(most);
  inbox_.wait_for(most);
  if (!inbox_.empty()) std::this_thread::sleep_until(pace_.slot());
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

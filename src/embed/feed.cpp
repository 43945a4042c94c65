// SPDX-License-Identifier: Apache-2.0
#include "embed/feed.hpp"

#include <fmt/format.h>

#include "store/codec.hpp"

namespace pawl::embed {
namespace {

constexpr std::size_t most_records = 100'000;  // waiting for a slow callback

}  // namespace

Feed::Feed(runtime::Node& node, std::function<void(const Happening&)> callback)
    : node_(node),
      callback_(std::move(callback)),
      happenings_(node.definitions(),
                  [this](Key instance, store::Position before, const auto& visit) {
                    visit_past(instance, before, visit);
                  }) {
  watch_ = node_.watch(
      [this](const runtime::RecordPtr& record, store::Position at) { add(record, at); });
  thread_ = std::thread([this] { run(); });
}

Feed::~Feed() {
  node_.unwatch(watch_);
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Feed::add(const runtime::RecordPtr& record, store::Position at) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= most_records) {
      ++lost_;
      return;
    }
    queue_.push_back({record, at, std::exchange(lost_, 0)});
  }
  changed_.notify_one();
}

// If it cannot be read, elements have no names: the happenings themselves are still told.
void Feed::visit_past(Key instance, store::Position before,
                      const std::function<void(const store::Record&)>& visit) {
  if (!node_.catch_up()) return;
  const auto history = node_.index().history(instance);
  if (!history) return;
  for (const store::HistoryEntry& entry : *history) {
    if (entry.position >= before) return;
    if (const auto record = store::decode_record(entry.bytes)) visit(*record);
  }
}

void Feed::run() {
  for (;;) {
    Item item;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closed_ || !queue_.empty(); });
      if (queue_.empty()) return;
      item = std::move(queue_.front());
      queue_.pop_front();
    }
    if (item.lost > 0) {
      callback_({.position = store::number(item.at),
                 .name = "Gap",
                 .data = fmt::format("{{\"records\":{}}}", item.lost)});
    }
    happenings_.take(*item.record, item.at, callback_);
  }
}

}  // namespace pawl::embed

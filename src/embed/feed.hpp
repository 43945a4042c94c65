// SPDX-License-Identifier: Apache-2.0
// Feed: durable records for one subscriber, on a thread of its own, so that a slow callback does
// not hold up the runtime. The queue is bounded: what does not fit is counted and told as a gap.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "embed/happenings.hpp"
#include "runtime/node.hpp"

namespace pawl::embed {

class Feed {
 public:
  Feed(runtime::Node& node, std::function<void(const Happening&)> callback);
  ~Feed();  // waits for the callback

 private:
  struct Item {
    runtime::RecordPtr record{};
    store::Position at{store::Position::none};
    std::uint64_t lost{0};  // before it
  };
  void add(const runtime::RecordPtr& record, store::Position at);
  void run();
  void visit_past(Key instance, store::Position before,
                  const std::function<void(const store::Record&)>& visit);

  runtime::Node& node_;
  std::function<void(const Happening&)> callback_;
  Happenings happenings_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<Item> queue_{};
  std::uint64_t lost_{0};
  bool closed_{false};
  std::uint64_t watch_{0};
  std::thread thread_{};
};

}  // namespace pawl::embed

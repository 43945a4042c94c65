// SPDX-License-Identifier: Apache-2.0
// Lanes: threads beside the shards for turns of which it is known that they may take long (scripts,
// costly expressions). A turn is a pure function of its instance, so it can be taken anywhere; the
// shard does not touch the instance meanwhile and goes on with others. Definitions come in turn, so
// that whoever has much to do waits for himself.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ids.hpp"

namespace pawl::runtime {

class Lanes {
 public:
  using Work = std::function<void()>;  // never throws

  Lanes() = default;
  ~Lanes() { close(); }

  void post(Key definition, Work work);
  // The first that waits, on this thread; false: there is none. For the simulator.
  bool run_once();
  void run(unsigned threads);
  // Nothing is posted any more; what waits is done first.
  void close();

 private:
  void work_off();

  std::mutex mutex_;
  std::condition_variable posted_;
  std::map<Key, std::deque<Work>> waiting_;  // by definition; none is empty
  std::deque<Key> next_;                     // those that have some, in turn
  bool closing_{false};
  std::vector<std::thread> threads_;
};

}  // namespace pawl::runtime

// SPDX-License-Identifier: Apache-2.0
// Loop: one thread that serves connections. Everything of a connection happens on the thread of its
// loop, so nothing there needs a lock. Other threads post what they want done; it is done in
// batches, so that a thousand answers cost one wake-up and few writes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "base/time.hpp"

namespace boost::asio {
class io_context;
}

namespace pawl::server {

class Loop {
 public:
  using Task = std::function<void()>;
  enum class TimerId : std::uint64_t { none = 0 };

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Until `stop`. Before the moment that `slot` names, what comes from connections waits, because
  // it would only wait elsewhere; what is posted does not.
  using Slot = std::function<std::chrono::steady_clock::time_point()>;
  void run(const Slot& slot = {});
  void stop();           // any thread; what was posted before is still done
  void post(Task task);  // any thread

  // --- only on the loop's own thread
  void at_end(Task task);  // when the batch that is being done is over
  TimerId after(Millis pause, Task task);
  void cancel(TimerId timer);
  boost::asio::io_context& context();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace pawl::server

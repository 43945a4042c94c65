// SPDX-License-Identifier: Apache-2.0
// Health: whether the server can do its work: what the node knows of its disk and its index, looked
// at once a second. A change is logged and told to those who watch.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "base/time.hpp"

namespace pawl::server {

class Health {
 public:
  // Why it cannot work, in a sentence; "": it can.
  using Look = std::function<std::string()>;
  explicit Health(Look look, Millis every = Millis(1'000));
  ~Health() { close(); }

  std::string trouble() const;
  bool is_well() const { return trouble().empty(); }
  // Called at each change, on a thread of its own: it must not wait. Gives a number to end it with.
  std::uint64_t watch(std::function<void(bool well)> changed);
  void unwatch(std::uint64_t number);
  void close();

 private:
  void run(Millis every);
  void note(std::string trouble);

  Look look_;
  mutable std::mutex mutex_{};
  std::condition_variable closing_{};
  bool closed_{false};
  std::string trouble_{};
  std::map<std::uint64_t, std::function<void(bool)>> watchers_{};
  std::uint64_t next_{1};
  std::thread thread_{};
};

}  // namespace pawl::server

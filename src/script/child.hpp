// SPDX-License-Identifier: Apache-2.0
// One helper process as its parent sees it: started, spoken to, ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "script/channel.hpp"
#include "script/helper.hpp"

namespace pawl::script {

// Which program, and its first word. Tests start other ones.
struct Launch {
  std::string program{"/proc/self/exe"};  // also if the file has been replaced since
  std::string word{helper_word};
};

class Child {
 public:
  // To be called on a thread that lives longer: the kernel ends a helper together with the thread
  // that started it.
  static Result<std::unique_ptr<Child>> start(const Launch& launch);
  Child(pid_t process, int socket);
  ~Child();  // it is ended
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until it says that it has given up its rights.
  Result<void> expect_ready();
  // It is there, and silent as it should be between two orders.
  bool is_fit() const { return !has_ended() && channel_.is_quiet(); }
  bool has_ended() const { return process_ < 0; }
  // It has used most of the processor time that it may ever have. Asked after each order.
  bool is_worn();

  pid_t process() const { return process_; }
  Channel& channel() { return channel_; }
  std::chrono::nanoseconds processor_time() const;
  // The names that earlier runs of a program have asked for: the next run gets them at once, which
  // saves most of the time that a short script takes. Only a few are remembered.
  std::vector<std::string>& names_of(std::uint64_t program);

  // It is killed, unless it has ended by itself. The signal that ended it; 0: it was none.
  int end();

 private:
  pid_t process_;
  clockid_t clock_{};
  Channel channel_;
  bool is_ready_{false};
  int ended_by_{0};
  std::uint64_t orders_{0};
  std::map<std::uint64_t, std::vector<std::string>> names_{};
};

}  // namespace pawl::script

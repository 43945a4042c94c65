// SPDX-License-Identifier: Apache-2.0
// Server: a durable node on a directory, as a program opens it, with its threads running. What its
// journal is asked to write is counted, and its time can be moved.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "runtime/node.hpp"

namespace pawl::bench {

// The time of the machine and a little more.
class MovableClock final : public runtime::Clock {
 public:
  Instant now() const override { return runtime::SystemClock().now() + ahead_.load(); }
  void move_to(Instant when) { ahead_ = ahead_.load() + (when - now()); }

 private:
  std::atomic<Millis> ahead_{Millis(0)};
};

struct Commits {
  std::uint64_t count{0}, turns{0}, bytes{0};
};

class CountingJournal;

class Server {
 public:
  explicit Server(const std::string& directory, runtime::NodeOptions options = {});
  ~Server();  // closes it

  runtime::Node& node() { return *node_; }
  MovableClock& clock() { return clock_; }
  Commits commits() const;
  // Deploys a process and gives it back.
  runtime::DefinitionPtr deploy(const std::string& bpmn);

 private:
  MovableClock clock_;
  CountingJournal* counting_{nullptr};
  std::unique_ptr<runtime::Node> node_;
};

}  // namespace pawl::bench

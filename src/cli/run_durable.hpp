// SPDX-License-Identifier: Apache-2.0
// A run on a data directory: a Driver whose instance lives in a node. Everything goes through the
// node, is made durable there, and comes back as records; time is the node's clock, which only the
// run moves. The node has no threads: it works when it is asked to.
#pragma once

#include <memory>
#include <set>

#include "cli/run_plan.hpp"
#include "runtime/driver.hpp"
#include "runtime/local.hpp"

namespace pawl::cli {

class RunClock final : public runtime::Clock {
 public:
  Instant now() const override { return now_; }
  void move_to(Instant when) { now_ = std::max(now_, when); }

 private:
  Instant now_{runtime::SystemClock().now()};
};

Error nothing_unfinished(const std::string& process);

// The data directory of a run, open.
class RunData {
 public:
  static Result<std::unique_ptr<RunData>> open(const std::string& directory,
                                               const engine::Allowance& allowance);

  // Deploys the files of the plan; gives the definition that is started.
  Result<runtime::DefinitionPtr> deploy(const RunPlan& plan, const std::string& process);
  // The only unfinished instance of the process. Error not_found, or invalid_state if several are.
  Result<store::InstanceRow> unfinished(const std::string& process) const;

  runtime::Node& node() { return *node_; }
  RunClock& clock() { return *clock_; }
  // Works until nothing is left to do; gives what became durable meanwhile. Error
  // budget_exceeded: it does not come to an end.
  Result<std::vector<runtime::RecordPtr>> work();

 private:
  bool step();

  std::unique_ptr<RunClock> clock_{std::make_unique<RunClock>()};
  std::unique_ptr<runtime::Node> node_{};
  std::vector<runtime::RecordPtr> seen_{};
};

class DurableDriver final : public runtime::Driver {
 public:
  DurableDriver(RunData& data, runtime::DefinitionPtr definition);

  // Instead of a start: takes the past of an unfinished instance over.
  Result<void> resume(Key instance);

  Result<void> send(const engine::Command& command) override;
  Result<void> start(Value variables) override;
  Result<void> start_next() override { return {}; }  // the node has done it
  Result<void> advance_to(Instant when) override;
  Result<bool> publish(std::string_view name, std::string_view correlation,
                       Value variables) override;
  Result<std::size_t> broadcast(std::string_view name, Value variables) override;

 private:
  template <class Answer, class Ask>
  Result<Answer> ask(Ask request);
  Result<void> catch_up();
  Result<void> fires_nobody_else(Instant when) const;
  Result<void> take_past(Key instance);
  Result<void> take_record(const store::Record& record);

  RunData& data_;
  runtime::DefinitionPtr definition_;
  Key key_{Key::none};
  std::set<Key> ours_{};  // the instance, and those that were called for it
};

}  // namespace pawl::cli

// SPDX-License-Identifier: Apache-2.0
// Recorder: the real runtime on a journal in real files, moved step by step with a clock of its
// own, so that the same story gives the same journal. Whatever is refused ends the program.
#pragma once

#include <filesystem>
#include <stdexcept>

#include "runtime/node.hpp"

namespace pawl::replay {

class StoryClock final : public runtime::Clock {
 public:
  Instant now() const override { return now_; }
  void advance(Millis by) { now_ += by; }

 private:
  Instant now_{Millis(1'800'000'000'000)};
};

class Recorder {
 public:
  explicit Recorder(const std::string& directory);

  void deploy(const std::filesystem::path& file);
  void deploy(const std::string& name, const std::string& content);
  Key start(const std::string& process, const std::string& id, const std::string& variables = "{}");
  // The oldest open job of this type in the instance.
  void complete(Key instance, const std::string& type, const std::string& variables = "{}");
  void fail_job(Key instance, const std::string& type, int retries, Millis backoff = Millis{0});
  void throw_error(Key instance, const std::string& type, const std::string& code);
  void set(Key instance, const std::string& variables);
  void resolve(Key instance);      // all its incidents, with one more retry for jobs
  void resolve_all(Key instance);  // the same, if there are any
  void command(Key target, engine::Command command);
  void try_command(Key target, engine::Command command);  // it may be refused
  std::vector<store::JobRow> jobs_of(Key instance);
  void publish(runtime::PublishRequest request);
  void signal(const std::string& name, const std::string& variables = "{}");
  void pass(Millis time);

  // Sends without waiting for the answer: what is sent next meets it half way.
  void begin(runtime::Request request) { node_->ask(std::move(request)); }
  void settle();  // until nothing moves

  Key body_of(Key instance, const std::string& element);
  Key iteration_of(Key instance, const std::string& element);  // the oldest
  void migrate(Key instance, const std::string& process);      // to its newest version

  // Written past the runtime, which must not be used after it: what only a crash or a mistake of
  // ours would bring about.
  void append_cut_start(const std::string& process, const std::string& id, std::size_t steps);
  void append_work_set_aside(Key instance);

 private:
  template <class Answer>
  runtime::Reply<Answer> must(Answer& answer, bool& done);
  const store::Index& index();
  void append(store::Record record);
  store::JobRow job_of(Key instance, const std::string& type);

  StoryClock clock_;
  store::Journal* journal_{nullptr};
  std::uint64_t next_key_{0};  // past the runtime
  std::unique_ptr<runtime::Node> node_;
};

}  // namespace pawl::replay

// SPDX-License-Identifier: Apache-2.0
// What is inside an Engine, and how its calls speak with the node: ask, wait for the answer, and
// turn an error into a Failure.
#pragma once

#include <future>
#include <map>

#include "embed/feed.hpp"
#include "embed/job_worker.hpp"
#include "pawl/engine.hpp"
#include "runtime/local.hpp"
#include "value/json.hpp"

namespace pawl {

struct Engine::Inside {
  runtime::SystemClock clock{};
  std::unique_ptr<runtime::Node> node{};
  std::mutex mutex{};
  std::map<std::uint64_t, std::shared_ptr<embed::JobWorker>> workers{};
  std::map<std::uint64_t, std::unique_ptr<embed::Feed>> feeds{};
  std::uint64_t next_number{1};

  ~Inside() { close(); }
  void close();
};

namespace embed {

[[noreturn]] void throw_failure(const Error& error);

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw_failure(result.error());
  return std::move(*result);
}

// Asks and waits. The answer comes on a thread of the runtime.
template <class Answer, class Ask>
Answer ask(runtime::Node& node, Ask request) {
  auto promise = std::make_shared<std::promise<Result<Answer>>>();
  auto answer = promise->get_future();
  request.reply = [promise](Result<Answer> said) { promise->set_value(std::move(said)); };
  node.ask(std::move(request));
  return value_or_throw(answer.get());
}

inline Value object_of(std::string_view json) { return value_or_throw(parse_json_object(json)); }

}  // namespace embed
}  // namespace pawl

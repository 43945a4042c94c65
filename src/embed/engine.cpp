// SPDX-License-Identifier: Apache-2.0
// Opening and closing, processes, instances, mail, loops, workers. The questions are in
// queries.cpp.
#include "pawl/engine.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "embed/inside.hpp"

namespace pawl {

using namespace runtime;  // NOLINT: requests only

namespace embed {

void throw_failure(const Error& error) {
  throw Failure(static_cast<int>(error.code), code_text(error.code) + "  " + error.text);
}

}  // namespace embed

using embed::ask;
using embed::object_of;
using embed::value_or_throw;

namespace {

void command(Node& node, std::uint64_t target, engine::Command what) {
  ask<Done>(node, CommandRequest{.target = key_from(target), .command = std::move(what)});
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  if (!file || file.bad()) {
    embed::throw_failure(
        fail(Whose::caller, Code::bad_file, fmt::format("cannot read the file \"{}\"", path)));
  }
  return content.str();
}

std::optional<Outcome> outcome_within(std::future<Result<Ending>> future,
                                      std::chrono::milliseconds most) {
  if (future.wait_for(most) != std::future_status::ready) return std::nullopt;
  const Ending ending = value_or_throw(future.get());
  return Outcome{.instance = number(ending.instance),
                 .state = static_cast<State>(ending.state),
                 .variables = to_json(ending.variables)};
}

std::pair<Reply<Ending>, std::future<Result<Ending>>> expected_ending() {
  auto promise = std::make_shared<std::promise<Result<Ending>>>();
  auto future = promise->get_future();
  return {[promise](Result<Ending> ending) { promise->set_value(std::move(ending)); },
          std::move(future)};
}

OnDuplicate on_duplicate(IfExists policy) {
  switch (policy) {
    case IfExists::start_anew:
      return OnDuplicate::start_anew;
    case IfExists::refuse:
      return OnDuplicate::refuse;
    case IfExists::give_existing:
      return OnDuplicate::give_existing;
  }
  return OnDuplicate::start_anew;
}

StartRequest start_request(Node& node, const std::string& process, std::string_view variables,
                           StartOptions options) {
  return {.definition = value_or_throw(node.definitions().version(process, options.version)),
          .variables = object_of(variables),
          .id = std::move(options.id),
          .business_id = std::move(options.business_id),
          .on_duplicate = on_duplicate(options.if_exists)};
}

}  // namespace

// --- opening and closing ------------------------------------------------------------------------

Engine::Engine(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

Engine Engine::open(const std::string& directory, EngineOptions options) {
  auto inside = std::make_unique<Inside>();
  inside->node = value_or_throw(open_local(directory, inside->clock,
                                           {.node = {.shards = options.shards,
                                                     .resident_bytes = options.memory,
                                                     .allowance = {.value = options.value,
                                                                   .instance = options.instance,
                                                                   .iterations = options.iterations,
                                                                   .steps = options.steps}},
                                            .segment_bytes = options.journal_file}));
  inside->node->run();
  return Engine(std::move(inside));
}

Engine::Inside& Engine::inside() const {
  if (inside_) return *inside_;
  embed::throw_failure(fail(Whose::caller, Code::invalid_state, "this engine was moved from"));
}

// Workers first: their last answers still find a node.
void Engine::Inside::close() {
  std::map<std::uint64_t, std::shared_ptr<embed::JobWorker>> ending;
  std::map<std::uint64_t, std::unique_ptr<embed::Feed>> ended;
  {
    const std::lock_guard lock(mutex);
    ending.swap(workers);
    ended.swap(feeds);
  }
  for (auto& [number, worker] : ending) worker->close();
  if (node) node->close();
  ended.clear();  // what was committed last is still told
}

void Engine::close() { inside().close(); }

// --- processes ----------------------------------------------------------------------------------

std::vector<Deployed> Engine::deploy_file(const std::string& path) {
  return deploy(path, content_of(path));
}

std::vector<Deployed> Engine::deploy(const std::string& name, std::string_view xml) {
  DeployRequest request;
  request.resources.push_back(value_or_throw(read_resource(name, std::string(xml))));
  const Deployment made = ask<Deployment>(*inside().node, std::move(request));
  std::vector<Deployed> deployed;
  for (std::size_t i = 0; i < made.processes.size(); ++i) {
    const Definition& one = *made.processes[i];
    deployed.push_back({number(one.key), one.id, one.version, made.existing[i]});
  }
  return deployed;
}

// --- instances ----------------------------------------------------------------------------------

std::uint64_t Engine::start(const std::string& process, std::string_view variables,
                            StartOptions options) {
  Node& node = *inside().node;
  return number(
      ask<Started>(node, start_request(node, process, variables, std::move(options))).instance);
}

std::optional<Outcome> Engine::wait(std::uint64_t instance, std::chrono::milliseconds most) {
  auto [reply, future] = expected_ending();
  inside().node->ask(WaitRequest{key_from(instance), std::move(reply)});
  return outcome_within(std::move(future), most);
}

std::optional<Outcome> Engine::start_and_wait(const std::string& process,
                                              std::string_view variables,
                                              std::chrono::milliseconds most,
                                              StartOptions options) {
  Node& node = *inside().node;
  StartRequest request = start_request(node, process, variables, std::move(options));
  auto [reply, future] = expected_ending();
  request.ended = std::move(reply);
  ask<Started>(node, std::move(request));
  return outcome_within(std::move(future), most);
}

void Engine::cancel(std::uint64_t instance) {
  command(*inside().node, instance, engine::CancelInstance{});
}

void Engine::set_variables(std::uint64_t scope, std::string_view variables, bool local) {
  command(*inside().node, scope,
          engine::SetVariables{key_from(scope), object_of(variables), local});
}

void Engine::continue_as_new(std::uint64_t instance, std::optional<std::string> variables) {
  command(*inside().node, instance,
          engine::ContinueAsNew{variables ? object_of(*variables) : Value()});
}

void Engine::migrate(std::uint64_t instance, const std::string& process, int version,
                     const std::map<std::string, std::string>& moves) {
  Node& node = *inside().node;
  MigrateRequest request{.instance = key_from(instance),
                         .target = value_or_throw(node.definitions().version(process, version)),
                         .same_ids = true};
  for (const auto& [from, to] : moves) request.moves.push_back({from, to});
  ask<Done>(node, std::move(request));
}

// --- mail ---------------------------------------------------------------------------------------

bool Engine::publish(const std::string& message, const std::string& key, std::string_view variables,
                     std::chrono::milliseconds time_to_live, const std::string& id) {
  PublishRequest request{.name = message,
                         .correlation = key,
                         .id = id,
                         .time_to_live = time_to_live,
                         .variables = object_of(variables)};
  return ask<Published>(*inside().node, std::move(request)).kept;
}

void Engine::signal(const std::string& name, std::string_view variables) {
  ask<Published>(*inside().node, SignalRequest{.name = name, .variables = object_of(variables)});
}

// --- repairing ----------------------------------------------------------------------------------

// An incident of the engine belongs to its instance; one of the runtime is work that was set aside.
void Engine::resolve(std::uint64_t incident) {
  try {
    command(*inside().node, incident, engine::ResolveIncident{key_from(incident)});
  } catch (const Failure& failure) {
    if (failure.code() != static_cast<int>(Code::not_found)) throw;
    ask<Done>(*inside().node, ResumeRequest{.incident = key_from(incident)});
  }
}

void Engine::update_retries(std::uint64_t job, int retries) {
  command(*inside().node, job, engine::UpdateRetries{key_from(job), retries});
}

// --- loops --------------------------------------------------------------------------------------

void Engine::add_iterations(std::uint64_t body, unsigned count) {
  command(*inside().node, body, engine::AddIterations{.body = key_from(body), .count = count});
}

void Engine::add_items(std::uint64_t body, std::string_view items) {
  command(
      *inside().node, body,
      engine::AddIterations{.body = key_from(body), .items = value_or_throw(parse_json(items))});
}

void Engine::remove_iteration(std::uint64_t iteration, bool completed) {
  command(*inside().node, iteration, engine::RemoveIteration{key_from(iteration), completed});
}

void Engine::end_loop(std::uint64_t body, bool cancel) {
  command(*inside().node, body, engine::EndLoop{key_from(body), cancel});
}

// --- ad-hoc sub-processes -----------------------------------------------------------------------

void Engine::activate(std::uint64_t ad_hoc, const std::string& element, std::string_view variables,
                      bool cancel) {
  command(*inside().node, ad_hoc,
          engine::ActivateActivities{key_from(ad_hoc), {{element, object_of(variables)}}, cancel});
}

void Engine::complete_ad_hoc(std::uint64_t ad_hoc) {
  command(*inside().node, ad_hoc, engine::CompleteAdHoc{key_from(ad_hoc)});
}

// --- jobs and happenings ------------------------------------------------------------------------

std::uint64_t Engine::worker(const std::string& type, Handler handler, WorkerOptions options) {
  Inside& in = inside();
  auto worker = embed::JobWorker::start(*in.node, type, std::move(handler), options);
  const std::lock_guard lock(in.mutex);
  in.workers.emplace(in.next_number, std::move(worker));
  return in.next_number++;
}

void Engine::stop_worker(std::uint64_t number) {
  Inside& in = inside();
  std::shared_ptr<embed::JobWorker> worker;
  {
    const std::lock_guard lock(in.mutex);
    const auto found = in.workers.find(number);
    if (found == in.workers.end()) return;
    worker = std::move(found->second);
    in.workers.erase(found);
  }
  worker->close();
}

std::uint64_t Engine::subscribe(std::function<void(const Happening&)> callback) {
  Inside& in = inside();
  auto feed = std::make_unique<embed::Feed>(*in.node, std::move(callback));
  const std::lock_guard lock(in.mutex);
  in.feeds.emplace(in.next_number, std::move(feed));
  return in.next_number++;
}

void Engine::unsubscribe(std::uint64_t number) {
  Inside& in = inside();
  std::unique_ptr<embed::Feed> feed;
  const std::lock_guard lock(in.mutex);
  const auto found = in.feeds.find(number);
  if (found == in.feeds.end()) return;
  feed = std::move(found->second);
  in.feeds.erase(found);
}

}  // namespace pawl

// SPDX-License-Identifier: Apache-2.0
// Engine: durable processes inside a program of your own. One directory, one process that has it
// open. Every call may come from any thread and returns when its effect is durable; one that cannot
// be carried out throws pawl::Failure (failure.hpp). Data is JSON text. Handlers and
// callbacks may use the engine, but not close it or stop themselves.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pawl/failure.hpp"
#include "pawl/queries.hpp"
#include "pawl/worker.hpp"

namespace pawl {

struct EngineOptions {
  unsigned shards{1};                   // threads that run instances
  std::size_t memory{64u << 20};        // for instances; the others wait on the disk
  std::size_t value{4u << 20};          // bytes of one value of an instance; more is an incident
  std::size_t instance{64u << 20};      // of all that one instance holds
  unsigned iterations{1'000'000};       // of one loop, at most
  std::uint64_t steps{1'000'000};       // of an instance without waiting; then it is stopped
  std::size_t journal_file{64u << 20};  // size of one file of the journal
};

struct Deployed {
  std::uint64_t key{0};
  std::string process{};
  int version{0};
  bool existing{false};  // the content was known already
};

// What a start does if an instance has the id, or business id, already.
enum class IfExists : std::uint8_t {
  start_anew,     // refused while that one is active; when it has ended, another one starts
  refuse,         // also when it has ended
  give_existing,  // also when it has ended: a start that is safe to repeat
};

struct StartOptions {
  std::string id{};           // unique among active instances
  std::string business_id{};  // unique among active instances of the process
  IfExists if_exists{IfExists::start_anew};
  int version{0};  // 0: the latest
};

struct Outcome {
  std::uint64_t instance{0};
  State state{State::completed};
  std::string variables{};
};

class Engine {
 public:
  // Makes the directory if it is missing, and goes on with what is in it.
  static Engine open(const std::string& directory, EngineOptions options = {});
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();  // closes

  // Workers end their present jobs, what is being committed is finished, the rest waits for the
  // next open().
  void close();

  // --- processes
  std::vector<Deployed> deploy_file(const std::string& path);
  std::vector<Deployed> deploy(const std::string& name, std::string_view xml);

  // --- instances
  std::uint64_t start(const std::string& process, std::string_view variables = "{}",
                      StartOptions options = {});
  // nullopt: it has not ended within this time.
  std::optional<Outcome> wait(std::uint64_t instance, std::chrono::milliseconds most);
  std::optional<Outcome> start_and_wait(const std::string& process, std::string_view variables,
                                        std::chrono::milliseconds most, StartOptions options = {});
  void cancel(std::uint64_t instance);
  // In the scope that has each name; `local`: exactly in this one. A scope is an instance or an
  // element instance.
  void set_variables(std::uint64_t scope, std::string_view variables, bool local = false);
  // Ends this execution and begins the next; without variables, with those it has.
  void continue_as_new(std::uint64_t instance, std::optional<std::string> variables = {});

  // The instance goes on in another version of its process (0: the latest), or in another process.
  // Elements keep their ids unless `moves` says otherwise: id there by id here.
  void migrate(std::uint64_t instance, const std::string& process, int version = 0,
               const std::map<std::string, std::string>& moves = {});

  // --- mail
  // Kept for `time_to_live` for those who do not wait yet. False: nobody waited, it is gone.
  bool publish(const std::string& message, const std::string& key,
               std::string_view variables = "{}", std::chrono::milliseconds time_to_live = {},
               const std::string& id = "");
  void signal(const std::string& name, std::string_view variables = "{}");

  // --- repairing
  void resolve(std::uint64_t incident);
  void update_retries(std::uint64_t job, int retries);

  // --- loops; a body is the element instance that holds the iterations
  void add_iterations(std::uint64_t body, unsigned count);
  void add_items(std::uint64_t body, std::string_view items);  // a JSON list
  // Ends one iteration, by its element instance; the others go on.
  void remove_iteration(std::uint64_t iteration, bool completed = false);
  void end_loop(std::uint64_t body, bool cancel = false);

  // --- ad-hoc sub-processes, by the key of their element instance
  // Starts an element; the variables are local to what is started. `cancel`: what runs in it ends.
  void activate(std::uint64_t ad_hoc, const std::string& element, std::string_view variables = "{}",
                bool cancel = false);
  void complete_ad_hoc(std::uint64_t ad_hoc);  // when nothing runs in it

  // --- jobs
  // Gives a number to stop it with. Runs until then, or until close().
  std::uint64_t worker(const std::string& type, Handler handler, WorkerOptions options = {});
  void stop_worker(std::uint64_t number);  // waits for its handlers

  // --- questions; they see everything that was durable when they were asked
  std::vector<InstanceInfo> instances(const InstanceFilter& filter = {}) const;
  std::vector<JobInfo> jobs(const std::string& type = "") const;
  std::vector<IncidentInfo> incidents(std::uint64_t instance = 0) const;
  std::vector<ElementInfo> elements(std::uint64_t instance) const;  // open ones
  LoopInfo loop(std::uint64_t body) const;              // by the key of its element instance
  std::string variables(std::uint64_t instance) const;  // of its root
  std::vector<Happening> history(std::uint64_t instance) const;

  // Everything that happens from now on, in order for each instance, on a thread of its own. A
  // callback that is too slow loses some: it is told by a happening with the name "Gap".
  std::uint64_t subscribe(std::function<void(const Happening&)> callback);
  void unsubscribe(std::uint64_t number);

 private:
  struct Inside;
  explicit Engine(std::unique_ptr<Inside> inside);
  Inside& inside() const;
  std::unique_ptr<Inside> inside_;
};

}  // namespace pawl

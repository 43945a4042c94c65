// SPDX-License-Identifier: Apache-2.0
// Operations: everything a client can ask, once, for gRPC and REST alike; those only translate.
// Arguments are checked here, so that both refuse the same things with the same words. A reply is
// called exactly once, on any thread, after the change is durable; it must not wait.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/node.hpp"
#include "server/ledger.hpp"
#include "server/metrics.hpp"
#include "server/rejection.hpp"

namespace pawl::server {

using runtime::ActivatedJob;
using runtime::DefinitionPtr;
using runtime::Done;
using runtime::Reply;

// How long a request waits that does not say it, and at most.
inline constexpr std::int64_t default_wait_ms = 10'000;
inline constexpr std::int64_t longest_wait_ms = 600'000;

// Who asks, for the audit line: "127.0.0.1:40112" or the name it signed in with.
struct Caller {
  std::string name{};
};

struct File {
  std::string name{};
  std::string content{};
};

struct StartOrder {
  Key definition{Key::none};  // alone names the process
  std::string process{};      // or its id,
  std::int32_t version{-1};   // with a version; below 1: the latest
  Value variables{};          // a context or null
  std::optional<std::string> business_id{};
  std::optional<runtime::OnDuplicate> if_exists{};  // none: as the server was told
  std::vector<std::string> tags{};
  std::vector<std::string> start_at{};   // element ids
  std::vector<std::string> end_after{};  // element ids
  SharePtr share{};  // of the request, kept until it has begun; null: nobody counts
};
struct MigrationOrder {
  Key instance{Key::none};
  Key definition{Key::none};  // alone names the process to follow
  std::string process{};      // or its id,
  std::int32_t version{-1};   // with a version; below 1: the latest
  std::vector<runtime::MigrateRequest::Move> moves{};
  bool same_ids{false};  // elements that are not in the moves keep their ids
};
struct StartedInstance {
  Key instance{Key::none};
  DefinitionPtr definition{};
  std::string business_id{};
  bool existing{false};  // it was there before
};
struct FinishedInstance {
  StartedInstance started{};
  Value variables{};
};

// Ends something that waits. What was already under way is given back.
class Waiting {
 public:
  virtual ~Waiting() = default;
  virtual void cancel() = 0;  // any thread; the reply is not called any more, or was already
};
using WaitingPtr = std::shared_ptr<Waiting>;

struct JobQuestion {
  std::string type{};
  std::string worker{};
  std::int64_t lease_ms{0};
  std::int64_t most{0};
  std::int64_t wait_ms{0};  // 0: the server's default; negative: does not wait
};
struct MessageOrder {
  std::string name{};
  std::string correlation{};
  std::string id{};
  std::int64_t time_to_live_ms{0};
  Value variables{};
};

// What the operator has decided.
struct Policy {
  runtime::OnDuplicate business_ids{runtime::OnDuplicate::start_anew};  // of starts that do not say
  std::string backups{};  // of `backup_place`; "": none are made
};

class Operations {
 public:
  Operations(runtime::Node& node, Metrics& metrics, Policy policy = {})
      : node_(node), metrics_(metrics), policy_(std::move(policy)) {}

  // --- processes. Reads the files on the calling thread: not for one that serves connections.
  void deploy(std::vector<File> files, const Caller& caller, Reply<runtime::Deployment> reply);

  // --- instances
  void start(StartOrder order, Reply<StartedInstance> reply);
  // Answered when it has completed; error invalid_state if it was cancelled.
  WaitingPtr start_and_wait(StartOrder order, Reply<FinishedInstance> reply);
  void cancel(Key instance, const Caller& caller, Reply<Done> reply);
  void set_variables(Key scope, Value variables, bool local, const Caller& caller,
                     Reply<Done> reply);
  void resolve_incident(Key incident, const Caller& caller, Reply<Done> reply);
  void migrate(MigrationOrder order, const Caller& caller, Reply<Done> reply);

  // --- jobs
  // The jobs are leased when the reply is called; who cannot pass them on gives them back.
  WaitingPtr activate(JobQuestion question, Reply<std::vector<ActivatedJob>> reply);
  // Jobs are pushed while there is credit; `go_on` after credit was given back.
  Result<std::shared_ptr<runtime::JobStream>> open_stream(
      const JobQuestion& question, std::function<void(std::vector<ActivatedJob>)> push);
  void go_on(const std::shared_ptr<runtime::JobStream>& stream);
  void give_back(const std::vector<ActivatedJob>& jobs);
  // They do not fit into a message of the client: an incident says so, and others are not kept.
  void fail_too_large(const std::vector<ActivatedJob>& jobs, std::size_t most);
  void complete_job(Key job, Value variables, Reply<Done> reply);
  void fail_job(engine::FailJob order, Reply<Done> reply);
  void throw_error(engine::ThrowError order, Reply<Done> reply);
  void update_retries(Key job, std::int32_t retries, const Caller& caller, Reply<Done> reply);
  void update_lease(Key job, std::int64_t lease_ms, const Caller& caller, Reply<Done> reply);

  // --- mail
  void publish(MessageOrder order, Reply<runtime::Published> reply);
  // Kept for nobody: answered with the instance that took it. Error not_found: nobody waits.
  void correlate(MessageOrder order, Reply<runtime::Correlated> reply);
  void broadcast(std::string signal, Value variables, Reply<runtime::Published> reply);

  // --- loops
  void add_iterations(Key body, std::uint32_t count, Value items, const Caller& caller,
                      Reply<Done> reply);
  void remove_iteration(Key iteration, bool completed, const Caller& caller, Reply<Done> reply);
  void end_loop(Key body, bool cancel, const Caller& caller, Reply<Done> reply);

  // --- ad-hoc sub-processes
  void activate_activities(engine::ActivateActivities order, const Caller& caller,
                           Reply<Done> reply);
  void complete_ad_hoc(Key ad_hoc, const Caller& caller, Reply<Done> reply);

  // Copies the data to a new directory where backups may be. Takes its time.
  struct Backup {
    std::string directory{};
    std::uint64_t last_record{0};
  };
  Result<Backup> backup(const std::string& name, const Caller& caller);

  runtime::Node& node() { return node_; }
  Metrics& metrics() { return metrics_; }

 private:
  void command(Operation operation, Key target, engine::Command what, Reply<Done> reply);
  template <class Order>
  Result<DefinitionPtr> definition_of(const Order& order) const;
  Result<runtime::StartRequest> start_request(StartOrder& order) const;
  StartedInstance told_of(const runtime::Started& started,
                          const runtime::StartRequest& request) const;
  template <class T>
  Reply<T> counted(Operation operation, Reply<T> reply);

  runtime::Node& node_;
  Metrics& metrics_;
  Policy policy_;
};

// "" and "<default>" are the only tenants. Error invalid_argument for others.
Result<void> check_tenant(std::string_view tenant);

// Of a member of a job's result.
Error not_supported_result(std::string_view member);

// Of the variables, those with these names; all if there are no names.
Value only(const Value& variables, const std::vector<std::string>& names);

}  // namespace pawl::server

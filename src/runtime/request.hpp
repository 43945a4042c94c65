// SPDX-License-Identifier: Apache-2.0
// What a shard can be asked, by callers outside and by the other parts of the runtime. A reply is
// called exactly once, after the commit, on a thread of the runtime: it must not wait.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "engine/commands.hpp"
#include "runtime/definition.hpp"
#include "runtime/waiting_room.hpp"
#include "store/index.hpp"
#include "store/record.hpp"

namespace pawl::runtime {

using store::Position;

template <class T>
using Reply = std::function<void(Result<T>)>;

// --- answers ------------------------------------------------------------------------------------
struct Done {
  Key instance{Key::none};
  DefinitionPtr definition{};  // if it was asked for: CommandRequest::only_waits
};
struct Started {
  Key instance{Key::none};
  Key definition{Key::none};
  std::int32_t version{0};
  bool existing{false};  // it was running already
};
struct Ending {  // how an instance ended
  Key instance{Key::none};
  store::InstanceState state{store::InstanceState::completed};
  Value variables{};  // of its root, a context
};
struct Published {
  Key key{Key::none};
  bool kept{true};  // false: nobody waited and it had no time to live
};
struct Correlated {
  Key message{Key::none};
  Key instance{Key::none};  // the first that took it
};
struct Deployment {
  std::vector<DefinitionPtr> processes{};
  std::vector<bool> existing{};  // of the same place in `processes`: the content was known already
};
struct ActivatedJob {
  Key key{Key::none};
  std::uint64_t fence{0};  // of this lease: an answer with an older one is late
  std::string type{};
  Key instance{Key::none};
  Key root{Key::none};  // the instance that nobody called
  Key element_instance{Key::none};
  ElementIndex element{ElementIndex::none};
  DefinitionPtr definition{};
  std::int32_t retries{0};
  std::int32_t priority{0};
  Instant deadline{};
  Value variables{};
  Value details{};
  engine::JobKind kind{engine::JobKind::task};
};

// --- from outside -------------------------------------------------------------------------------
// What a start does if an instance has the id or business id already.
enum class OnDuplicate : std::uint8_t {
  start_anew,     // refused while that one is active; when it has ended, another one starts
  refuse,         // also when it has ended, as long as it is known (retention)
  give_existing,  // the same, but the caller is told of that one instead: safe to repeat
  allow,          // business ids need not be unique; instance ids always are
};

struct StartRequest {
  DefinitionPtr definition{};
  Value variables{};
  std::string id{};
  std::string business_id{};
  OnDuplicate on_duplicate{OnDuplicate::start_anew};
  Reply<Started> reply{};
  Reply<Ending> ended{};  // if set: called when the instance has ended
};
// A command for one instance, named by its key or by the key of something in it.
struct CommandRequest {
  Key target{Key::none};
  engine::Command command{};
  Reply<Done> reply{};
  std::uint64_t fence{0};        // 0: not checked
  DefinitionPtr next_version{};  // of ContinueAsNew, null: the same; of MigrateInstance
  std::uint32_t tries{0};
  Key answers{Key::none};  // noted by the shard: the job whose answer it is
  bool only_waits{false};  // no turn: answered when all turns that were taken are durable
  std::shared_ptr<WaitingRoom::Place> place{};  // if it has to wait
};
// A running instance goes on in another process, or in another version of its own. Elements are
// named by their ids; one that is active must be named, or have the id of an element there.
struct MigrateRequest {
  struct Move {
    std::string from{};
    std::string to{};
  };
  Key instance{Key::none};
  DefinitionPtr target{};
  std::vector<Move> moves{};
  bool same_ids{false};  // elements that are not named go to those with the same id, if there are
  Reply<Done> reply{};
};
struct WaitRequest {
  Key instance{Key::none};
  Reply<Ending> reply{};
};
struct DeployRequest {
  std::vector<ReadResource> resources{};
  Reply<Deployment> reply{};
};
struct PublishRequest {
  std::string name{};
  std::string correlation{};
  std::string id{};
  Millis time_to_live{0};
  Value variables{};
  Reply<Published> reply{};
  // When the first instance has taken it; error not_found: nobody waits for it. May be empty.
  Reply<Correlated> taken{};
};
struct SignalRequest {
  std::string name{};
  Value variables{};
  Reply<Published> reply{};
};
struct ActivateRequest {
  std::string type{};
  std::size_t most{1};
  std::size_t most_bytes{limits::job_answer_bytes};  // of them all; one is always given
  Millis lease{300'000};
  Instant until{};  // waits for jobs until then, if there are none now
  Reply<std::vector<ActivatedJob>> reply{};
  // The same question at several shards: who has jobs first answers; if nobody has, the last one.
  // Who asked may win the race too: then it wants no answer any more.
  struct Race {
    std::atomic<bool> won{false};
    std::atomic<std::uint32_t> open{0};
  };
  std::shared_ptr<Race> race{};  // null: the node makes one
};
// About what it takes on its way to a worker.
std::size_t job_bytes(const ActivatedJob& job);

// Jobs of one type are pushed as long as there is credit, in jobs and in bytes: the last one may be
// larger than what is left. The receiver gives credit back.
struct JobStream {
  static constexpr std::int64_t no_end_of_bytes = std::int64_t{1} << 60;
  std::string type{};
  Millis lease{300'000};
  std::atomic<std::int64_t> credit{0};
  std::atomic<std::int64_t> bytes{no_end_of_bytes};
  std::atomic<bool> missed{false};  // a shard found no credit while another one held it
  std::atomic<bool> closed{false};
  std::function<void(std::vector<ActivatedJob>)> push{};
};
struct StreamRequest {
  std::shared_ptr<JobStream> stream{};
};
// The worker will not do it, for example because it closes: the job is offered to others at once.
struct ReturnJobRequest {
  Key job{Key::none};
  std::uint64_t fence{0};
};
struct LeaseRequest {  // the worker needs more time, or less: counted from now
  Key job{Key::none};
  Millis lease{0};
  Reply<Done> reply{};
};
struct ResumeRequest {  // work that was set aside is tried again
  Key incident{Key::none};
  Reply<Done> reply{};
};

// --- between the parts of the runtime -----------------------------------------------------------
// A draft that the store cannot take. It fails alone, with those that were built on it.
struct Refusal {
  std::uint64_t sequence{0};
  Error error{};
  bool follows{false};  // there is nothing wrong with it, but with one before it
};
struct DraftsDurable {
  std::uint64_t sequence{0};  // all drafts of the shard up to this one
  Position position{Position::none};
  std::vector<Refusal> refused{};  // but not these, in order
};
// A turn that was taken beside the shard is back.
struct AwayTurn;
struct TurnTaken {
  std::shared_ptr<AwayTurn> turn{};
};
struct DraftsFailed {
  std::uint64_t epoch{0};
  Error error{};
  Position committed{Position::none};  // what is certainly there
};
struct SubscriptionChange {  // told to the shard that has the mailbox
  store::SubscriptionRow row{};
  bool open{true};
  bool moved{false};  // it is open and belongs to another process now
};
struct DeliverRequest {
  Key subscription{Key::none};
  Key instance{Key::none};
  Key mail{Key::none};
  Value variables{};
};
struct Delivered {
  Key subscription{Key::none};
  Key mail{Key::none};
  bool taken{false};
  bool again{false};  // the outcome is not known: deliver it once more
  Key instance{Key::none};
};

using Request =
    std::variant<StartRequest, CommandRequest, MigrateRequest, WaitRequest, DeployRequest,
                 PublishRequest, SignalRequest, ActivateRequest, StreamRequest, ReturnJobRequest,
                 LeaseRequest, ResumeRequest, DraftsDurable, DraftsFailed, SubscriptionChange,
                 DeliverRequest, Delivered, TurnTaken>;

inline Error closing_error() {
  return fail(Whose::machine, Code::store_unavailable, "Pawl is closing");
}

// Answers a request with an error, whatever it asked.
void refuse(Request& request, const Error& error);

}  // namespace pawl::runtime

// SPDX-License-Identifier: Apache-2.0
// What can be asked of an instance. A command is checked before anything happens: it is either
// carried out or rejected with a reason, and a rejected one has changed nothing.
#pragma once

#include <string>
#include <variant>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "engine/events.hpp"
#include "model/process.hpp"
#include "value/value.hpp"

namespace pawl::engine {

struct StartInstance {
  Key instance{Key::none};
  Key definition{Key::none};
  std::int32_t version{1};
  Value variables{};  // a context or null
  std::uint32_t execution{1};
  std::string id{};
  std::string business_id{};
  model::Held<Caller> caller{};  // then it begins with the next turn
};

struct CompleteJob {
  Key job{Key::none};
  Value variables{};
};

struct FailJob {
  Key job{Key::none};
  std::int32_t retries{0};
  Millis backoff{0};
  std::string message{};
  Value variables{};  // local to the element
};

struct ThrowError {
  Key job{Key::none};
  std::string code{};
  std::string message{};
  Value variables{};
};

struct UpdateRetries {
  Key job{Key::none};
  std::int32_t retries{0};
};

struct RetryJob {  // the back-off is over; sent by the runtime's timer
  Key job{Key::none};
};

struct SetVariables {
  Key scope{Key::none};  // an element instance
  Value variables{};
  bool local{false};  // in exactly this scope, else to whoever owns the name
};

struct ResolveIncident {
  Key incident{Key::none};
};

struct AddIterations {  // to a running multi-instance body
  Key body{Key::none};
  std::uint32_t count{0};  // of a loop that counts
  Value items{};           // a list, for a loop over a collection
};

struct EndLoop {  // now, with what it has collected; or cancelled, then it has no output
  Key body{Key::none};
  bool cancel{false};
};

struct RemoveIteration {  // of a running loop; the others go on
  Key iteration{Key::none};
  bool completed{false};  // it counts as completed; else as never planned
};

struct ActivateActivities {  // of an ad-hoc sub-process
  struct Activity {
    std::string element{};
    Value variables{};  // local to its path; a context or null
  };
  Key ad_hoc{Key::none};
  std::vector<Activity> activities{};
  bool cancel_remaining{false};  // what runs in it ends
};

struct CompleteAdHoc {  // when nothing runs in it
  Key ad_hoc{Key::none};
};

struct MigrateInstance {
  Key definition{Key::none};
  std::int32_t version{0};
  model::ProcessPtr process{};
  std::vector<ElementMove> moves{};
};

struct TriggerTimer {  // the time has come; sent by the runtime's clock
  Key timer{Key::none};
};

struct DeliverMail {
  Key subscription{Key::none};
  Key mail{Key::none};  // grows; a subscription takes each once
  Value variables{};
};

struct ContinueAsNew {  // ends this execution; the runtime starts the next one
  Value variables{};    // null: the root's variables as they are at the end
};

struct CancelInstance {
  bool by_caller{false};  // an instance that was called ends only with its caller
};

struct AnswerCall {  // the child of a call activity has ended; sent by the runtime
  Key element{Key::none};
  Key child{Key::none};
  CallOutcome outcome{CallOutcome::completed};
  std::string code{};
  std::string message{};
  Value variables{};
  std::uint32_t number{0};
};

struct Continue {};  // goes on with the agenda; sent by the runtime after a turn that was cut

using Command =
    std::variant<StartInstance, CompleteJob, FailJob, ThrowError, UpdateRetries, RetryJob,
                 SetVariables, ResolveIncident, AddIterations, EndLoop, TriggerTimer, DeliverMail,
                 ContinueAsNew, CancelInstance, AnswerCall, Continue, RemoveIteration,
                 ActivateActivities, CompleteAdHoc, MigrateInstance>;

}  // namespace pawl::engine

// SPDX-License-Identifier: Apache-2.0
// One handler per command. It checks everything first and only then emits: a returned error means
// that nothing has changed.
#pragma once

#include "engine/step.hpp"

namespace pawl::engine {

// What comes with a command for `at`, as it can be stored: an object or null, that fits through the
// gate. `whose` begins the message.
Result<Value> admit_variables(const Step& step, Slot at, const Value& variables,
                              std::string_view whose);

Result<void> handle(Step& step, const StartInstance& command);
Result<void> handle(Step& step, const CompleteJob& command);
Result<void> handle(Step& step, const FailJob& command);
Result<void> handle(Step& step, const ThrowError& command);
Result<void> handle(Step& step, const UpdateRetries& command);
Result<void> handle(Step& step, const RetryJob& command);
Result<void> handle(Step& step, const SetVariables& command);
Result<void> handle(Step& step, const ResolveIncident& command);
Result<void> handle(Step& step, const AddIterations& command);
Result<void> handle(Step& step, const EndLoop& command);
Result<void> handle(Step& step, const RemoveIteration& command);
Result<void> handle(Step& step, const ActivateActivities& command);
Result<void> handle(Step& step, const CompleteAdHoc& command);
Result<void> handle(Step& step, const MigrateInstance& command);
Result<void> handle(Step& step, const TriggerTimer& command);
Result<void> handle(Step& step, const DeliverMail& command);
Result<void> handle(Step& step, const ContinueAsNew& command);
Result<void> handle(Step& step, const CancelInstance& command);
Result<void> handle(Step& step, const AnswerCall& command);
Result<void> handle(Step& step, const Continue& command);

}  // namespace pawl::engine

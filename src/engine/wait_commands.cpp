// SPDX-License-Identifier: Apache-2.0
// What the runtime's clock and mail deliver to an instance.
#include <fmt/format.h>

#include "engine/handlers.hpp"
#include "engine/lifecycle.hpp"
#include "engine/timer_due.hpp"
#include "engine/waits.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {
namespace {

Error wait_is_gone(std::string_view what, Key key) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no {} with key {} (any more)", what, number(key)));
}

void repeat(Step& step, Slot owner, const Waits::Timer& timer) {
  const auto due = next_due(timer.cycle, timer.due);
  if (!due) return;  // a date that never comes
  const std::int32_t left = timer.repetitions < 0 ? -1 : timer.repetitions - 1;
  step.emit(TimerCreated{.key = step.new_key(),
                         .element = step.state().at(owner).key,
                         .target = timer.target,
                         .due = *due,
                         .repetitions = left,
                         .cycle = left == 0 ? std::string() : timer.cycle});
}

}  // namespace

Result<void> handle(Step& step, const TriggerTimer& command) {
  const Waits::Timer* found = step.state().find_timer(command.timer);
  const Slot owner = step.state().slot_of.find(command.timer);
  if (!found || is_ending(step.state(), owner)) return wait_is_gone("timer", command.timer);
  const Waits::Timer timer = *found;
  if (step.now() < timer.due) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("timer {} is not due yet", number(command.timer)));
  }
  step.emit(TimerTriggered{command.timer});
  if (timer.repetitions != 0) repeat(step, owner, timer);
  occur(step, owner, timer.target, {});
  return {};
}

Result<void> handle(Step& step, const DeliverMail& command) {
  const Waits::Subscription* found = step.state().find_subscription(command.subscription);
  const Slot owner = step.state().slot_of.find(command.subscription);
  if (!found || is_ending(step.state(), owner)) {
    return wait_is_gone("open subscription", command.subscription);
  }
  // Signals come in the order of their keys, and again after a crash. Messages need not: an older
  // one may have been refused by somebody else first; that one is not taken twice by the last
  // check.
  const bool in_order = found->kind == MailKind::signal;
  if (in_order ? command.mail <= found->last_mail : command.mail == found->last_mail) {
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("subscription {} has already taken mail {}",
                            number(command.subscription), number(command.mail)));
  }
  // Who sent it has his answer and cannot be told that it does not fit: it was weighed when it
  // came. An instance that it makes too large is stopped (turn.cpp); one that is, takes no more.
  if (weight_of(step.state()) > step.allowance().instance) {
    return fail(
        Whose::operators, Code::too_large,
        fmt::format("the instance holds {} bytes and takes no mail; the limit is {} "
                    "(--max-instance): let it hold less, or set the limit higher, then "
                    "resolve this incident. Mail {} is kept",
                    weight_of(step.state()), step.allowance().instance, number(command.mail)));
  }
  if (!command.variables.is_null() && !command.variables.is_context()) {
    PAWL_CHECK(admit_variables(step, owner, command.variables,
                               fmt::format("mail {}", number(command.mail))));
  }
  const Value variables = storable(command.variables);
  const ElementIndex target = found->target;
  step.emit(MailReceived{command.subscription, command.mail, variables});
  if (!may_repeat(step.process().at(target))) step.emit(SubscriptionClosed{command.subscription});
  occur(step, owner, target, variables);
  return {};
}

}  // namespace pawl::engine

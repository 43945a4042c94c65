// SPDX-License-Identifier: Apache-2.0
// Calls between instances. A child is started by a record that is committed with its caller's turn,
// so there is no moment in which only one of them knows of the other; it lives on the same shard.
// The way back is an errand: the child's answers are in its records and are brought to the caller
// until the caller has taken note of it, which the index knows; that a child has to end is part of
// its caller's state until it has.
#include <fmt/format.h>

#include "base/assert.hpp"
#include "runtime/mutation.hpp"
#include "runtime/shard.hpp"
#include "store/codec.hpp"

namespace pawl::runtime {

using engine::AnswerCall;
using engine::CallOutcome;
using engine::CancelInstance;

// --- there --------------------------------------------------------------------------------------

void Shard::start_children(std::vector<engine::ChildStart> calls, Records& out,
                           std::vector<Key>& started) {
  if (!calls.empty() && mutated(Mutation::start_child_twice)) {
    calls.push_back(calls.front());
    calls.back().start.instance = new_key();
  }
  for (engine::ChildStart& call : calls) {
    const auto definition = around_.definitions.find(call.start.definition);
    PAWL_ASSERT(definition.has_value());  // the turn has just read it
    const Key key = call.start.instance;
    started.push_back(key);
    Resident& child = residents_.add(
        key, std::make_unique<Resident>(*definition, engine::Instance((*definition)->process)));
    engine::World world = world_now(**definition);
    world.max_steps = 0;  // its own turns follow
    auto turn = engine::take_turn(child.state, call.start, world);
    PAWL_ASSERT(turn.has_value());
    keep_keys_of(*turn);
    out.push_back(std::make_shared<const store::Record>(as_record(child, *turn)));
    residents_.weigh(child);
    ++child.pending;
    go_on(child);
  }
}

void Shard::add_cancel(Key caller, Key element, Key child) {
  errands_.push_back({.target = child,
                      .command = CancelInstance{.by_caller = true},
                      .caller = caller,
                      .element = element,
                      .child = child});
}

// Its state was just read: whether its children have heard of it is not known.
void Shard::cancel_again(const Resident& caller) {
  const engine::Instance& state = caller.state;
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const engine::ElementInstance& one = state.at(static_cast<engine::Slot>(i));
    if (one.call && one.call->cancelling) add_cancel(state.key, one.key, one.call->child);
  }
}

// --- and back -----------------------------------------------------------------------------------

void Shard::add_answer(Key child, const engine::CallerAnswered& answer) {
  errands_.push_back({.target = answer.caller,
                      .command = AnswerCall{.element = answer.element,
                                            .child = child,
                                            .outcome = answer.outcome,
                                            .code = answer.code,
                                            .message = answer.message,
                                            .variables = answer.variables,
                                            .number = answer.number},
                      .caller = answer.caller,
                      .element = answer.element,
                      .child = child});
}

// Its last word, and the escalations before it: what the caller has already is refused there.
Result<void> Shard::answer_again(Key child) {
  PAWL_TRY(history, around_.index.history(child));
  bool said = false;
  for (const auto& entry : history) {
    PAWL_TRY(record, store::decode_record(entry.bytes));
    for (const engine::Event& event : record.events) {
      const auto* answer = std::get_if<engine::CallerAnswered>(&event);
      if (!answer) continue;
      add_answer(child, *answer);
      said = true;
    }
  }
  if (said) return {};
  return fail(Whose::machine, Code::store_damaged,
              fmt::format("instance {} owes its caller an answer, but has none; `pawl reindex` "
                          "makes the index anew",
                          number(child)));
}

// Work about this call was set aside, and is tried again.
void Shard::call_again(Key child) {
  const auto past = around_.index.past_of(child);
  if (!past || !*past || (*past)->row.caller == Key::none) return;
  if ((*past)->row.owes_answer) {
    static_cast<void>(answer_again(child).has_value());
    return;
  }
  Resident* caller = nullptr;
  if (bring((*past)->row.caller, caller) != Found::here) return;
  if (!caller->away) return cancel_again(*caller);
  caller->when_back.push_back([this](const Resident& back) { cancel_again(back); });
}

// --- errands ------------------------------------------------------------------------------------

bool Shard::run_errands() {
  const std::size_t some = std::min(errands_.size(), limits::timers_per_round);
  for (std::size_t left = some; left > 0 && round_cost_ < limits::own_cost_per_round; --left) {
    const Errand errand = std::move(errands_.front());
    errands_.pop_front();
    if (aside_.contains(errand.child)) continue;
    CommandRequest request{.target = errand.target, .command = errand.command};
    request.reply = [this, errand](const Result<Done>& done) { settle_errand(errand, done); };
    handle(request);
  }
  return some != 0;
}

// An answer that is refused is not needed any more. A child that is not found has ended: perhaps
// its answer is on its way, and then this one is refused. One that is about to continue as new can
// be cancelled a moment later.
void Shard::settle_errand(const Errand& errand, const Result<Done>& done) {
  if (done) return;
  const bool cancels = std::holds_alternative<CancelInstance>(errand.command);
  const bool refused = done.error().whose == Whose::caller;
  if (refused && !cancels) return;
  if (refused && done.error().code == Code::not_found) {
    add_answer(
        errand.child,
        {.caller = errand.caller, .element = errand.element, .outcome = CallOutcome::terminated});
    return;
  }
  if (!aside_.contains(errand.child)) errands_.push_back(errand);
}

}  // namespace pawl::runtime

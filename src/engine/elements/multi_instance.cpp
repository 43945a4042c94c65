// SPDX-License-Identifier: Apache-2.0
#include "engine/elements/multi_instance.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "engine/compensation.hpp"
#include "engine/cost.hpp"
#include "engine/elements/loop_plan.hpp"
#include "engine/failure.hpp"
#include "engine/gate.hpp"
#include "engine/lifecycle.hpp"
#include "engine/listeners.hpp"
#include "engine/loop_counters.hpp"
#include "engine/scope_names.hpp"
#include "engine/variables.hpp"
#include "engine/waits.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {
namespace {

using model::LoopDefinition;

const LoopDefinition& loop_of(const Step& step, Slot body) {
  return *step.state().definition_of(step.state().at(body)).loop;
}

bool is_standard(const LoopDefinition& loop) { return loop.kind == LoopDefinition::Kind::standard; }

// A body that may start iterations.
Slot open_body(const Instance& state, Key key) {
  const Slot slot = state.slot_of.find(key);
  if (slot == Slot::none) return Slot::none;
  const ElementInstance& body = state.at(slot);
  return body.life == Life::activated && !body.interrupted && body.loop ? slot : Slot::none;
}

bool may_spawn(const ElementInstance& body) {
  const Loop& loop = *body.loop;
  return loop.spawned < loop.total &&
         (loop.concurrency == 0 || body.active_children < loop.concurrency);
}

// How many must complete for a join that counts: no more than there are.
std::uint32_t needed_of(const Loop& loop) {
  return std::min(loop.needed, loop.total - static_cast<std::uint32_t>(loop.removed.size()));
}

std::uint32_t ended(const Loop& loop) { return loop.completed + loop.terminated + loop.failed; }

// The output collection as it will be with the next output.
Value with_output(const Instance& state, const IterationCollected& next) {
  const ElementInstance& body = *state.find(next.body);
  const LoopDefinition& loop = *state.definition_of(body).loop;
  const Variable* replaced = body.variables.find(loop.output_collection);
  if (!replaced || !replaced->value.is_list()) return body.loop->output_list(loop, &next);
  List list = replaced->value.as_list();
  if (loop.options.completion_order) {
    list.push_back(next.value);
  } else {
    list[next.iteration - 1] = next.value;
  }
  return Value(std::move(list));
}

// Names of the loop on top of a scope: its counters, loopCounter before there is an iteration, and
// the output of one that is about to complete.
class LoopNames final : public VisibleNames {
 public:
  LoopNames(const Instance& state, Slot scope, const LoopCounts& counts)
      : state_(state), scope_(scope), counts_(counts) {}

  std::int64_t counter_of_next{-1};
  const IterationCollected* output{nullptr};

  std::optional<Value> find(std::string_view name) const override {
    if (counter_of_next >= 0 && name == "loopCounter") return Value(counter_of_next);
    if (auto count = counter(counts_, name)) return count;
    if (output && is_output_collection(name)) return with_output(state_, *output);
    return visible_value(state_, scope_, name);
  }

 private:
  bool is_output_collection(std::string_view name) const {
    const ElementInstance& one = state_.at(scope_);
    return state_.definition_of(one).loop->output_collection == name && !one.variables.find(name);
  }

  const Instance& state_;
  Slot scope_;
  LoopCounts counts_;
};

std::int64_t counter_base(const Step& step) {
  return step.dialect() == model::Dialect::zeebe ? 1 : 0;
}

const Name& counter_name() {
  static const Name name("loopCounter");
  return name;
}

void spawn_one(Step& step, Slot body) {
  const ElementInstance& one = step.state().at(body);
  const LoopDefinition& loop = loop_of(step, body);
  const std::uint32_t iteration = one.loop->spawned + 1;
  const Key key = step.new_key();
  step.emit(ElementActivating{
      .key = key, .scope = one.key, .element = one.element, .iteration = iteration});
  const Slot slot = step.state().slot_of.find(key);
  if (!loop.item_variable.empty() && one.loop->items.is_list()) {
    create_local(step, slot, one.loop->item_name, one.loop->item_of(iteration));
  }
  const std::int64_t count = counter_base(step) + iteration - 1;
  create_local(step, slot, counter_name(), Value(count));
  if (!one.loop->index_name.empty()) {
    create_local(step, slot, one.loop->index_name, Value(std::int64_t{iteration} - 1));
  }
  if (!one.loop->output_name.empty()) {
    create_local(step, slot, one.loop->output_name, Value());
  }
  start(step, slot);
}

// Whether a standard loop goes on, asked between two iterations. nullopt: an incident was raised.
std::optional<bool> wants_another(Step& step, Slot body) {
  const LoopDefinition& loop = loop_of(step, body);
  if (loop.loop_condition.empty()) return true;
  const ElementInstance& one = step.state().at(body);
  LoopNames names(step.state(), body, counts_of(step.state(), one));
  names.counter_of_next = counter_base(step) + one.loop->spawned;
  const auto wanted = step.truth(loop.loop_condition, body, names, "loop condition");
  if (wanted) return *wanted;
  fail_at(step, body, {wanted.error(), IncidentKind::extract_value, {}});
  return std::nullopt;
}

bool tests_before(const LoopDefinition& loop) { return is_standard(loop) && loop.test_before; }

// The limit of iterations is no end of a standard loop: it stops there, and goes on if the limit
// was set higher or the condition does not hold any more.
bool is_cut_off(const LoopDefinition& loop, std::uint32_t total) {
  return is_standard(loop) && (!loop.loop_maximum || *loop.loop_maximum > total);
}

void go_on_at_limit(Step& step, Slot body) {
  const auto wanted = wants_another(step, body);
  if (!wanted) return;
  if (!*wanted) return end_loop(step, body);
  const ElementInstance& one = step.state().at(body);
  const std::int64_t limit = step.allowance().iterations;
  const std::int64_t most = std::min(loop_of(step, body).loop_maximum.value_or(limit), limit);
  if (most > one.loop->total) {
    step.emit(IterationsAdded{one.key, static_cast<std::uint32_t>(most - one.loop->total), {}});
    return step.emit(Deferred{Work{.kind = Work::Kind::spawn, .key = one.key}, false});
  }
  fail_at(step, body,
          {fail(Whose::operators, Code::too_large,
                fmt::format("loop \"{}\" has done {} iterations, the limit, and wants to go on; "
                            "correct what its condition reads, or end the loop",
                            step.state().definition_of(one).id, one.loop->total)),
           IncidentKind::extract_value,
           {}});
}

// Another iteration, with its item, must fit into what the instance may hold. False: an incident
// was raised, and resolving it tries again.
bool has_room(Step& step, Slot body) {
  const ElementInstance& one = step.state().at(body);
  const Loop& loop = *one.loop;
  const Value item = loop.items.is_list() ? loop.item_of(loop.spawned + 1) : Value();
  const std::size_t held = weight_of(step.state()) + limits::element_bytes + item.encoded_size();
  if (held <= step.allowance().instance) return true;
  fail_at(
      step, body,
      {fail(Whose::operators, Code::too_large,
            fmt::format("loop \"{}\" cannot start iteration {} of {}: the instance would hold "
                        "{} bytes; the limit is {} (--max-instance): let fewer iterations run at "
                        "once (pawl:concurrency), or set the limit higher",
                        step.state().definition_of(one).id, loop.spawned + 1, loop.total, held,
                        step.allowance().instance)),
       IncidentKind::too_large,
       {}});
  return false;
}

Error output_replaced_wrongly(const LoopDefinition& loop, const Value& value, std::uint32_t place,
                              std::uint32_t total) {
  const std::string found = value.is_list() ? fmt::format("a list of {}", value.as_list().size())
                                            : std::string(kind_name(value.kind()));
  return fail(
      Whose::operators, Code::wrong_type,
      fmt::format("nothing can be put at place {} of output collection \"{}\": it must be a list "
                  "of {} items, but was replaced by {}; set it to a list of that size again",
                  place, loop.output_collection, total, found));
}

Result<Value> output_of(Step& step, Slot iteration) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(iteration);
  const ElementInstance& body = state.at(one.parent);
  const LoopDefinition& loop = loop_of(step, one.parent);
  if (const Variable* replaced = body.variables.find(loop.output_collection)) {
    const Value& value = replaced->value;
    const bool fits = value.is_list() &&
                      (loop.options.completion_order || value.as_list().size() == body.loop->total);
    if (!fits) return output_replaced_wrongly(loop, value, one.iteration, body.loop->total);
  }
  if (loop.output_element.empty()) {
    const Variable* result = one.variables.find(loop.output_item);
    return result ? result->value : Value();
  }
  PAWL_TRY(got, step.evaluate(loop.output_element, iteration));
  return got.value;
}

void stop_iteration(Step& step, Slot iteration, const Error& error) {
  remember_mappings(step, iteration);
  fail_at(step, iteration, {error, IncidentKind::extract_value, {}});
}

}  // namespace

void start_loop(Step& step, Slot body) {
  const ElementInstance& one = step.state().at(body);
  if (waits_for_listener(step, body)) return;
  const auto plan = plan_loop(step, body);
  if (!plan) return fail_at(step, body, {plan.error(), IncidentKind::extract_value, {}});
  std::vector<FlowIndex> leaving;
  if (plan->detached && !one.loop) {
    auto flows = leave_by_conditions(step, body);
    if (auto* failure = std::get_if<Failure>(&flows)) return fail_at(step, body, *failure);
    leaving = std::move(std::get<std::vector<FlowIndex>>(flows));
  }
  if (one.life == Life::activating) {
    const auto waiting = evaluate_waits(step, body);
    if (!waiting) return fail_at(step, body, {waiting.error(), IncidentKind::extract_value, {}});
    activated(step, body, *waiting);
  }
  step.emit(*plan);
  for (const FlowIndex flow : leaving) {
    step.emit(FlowTaken{step.state().at(one.parent).key, flow});
  }
  if (plan->total == 0) return complete(step, body);
  step.emit(Deferred{Work{.kind = Work::Kind::spawn, .key = one.key}, false});
}

void spawn(Step& step, Key key) {
  for (std::uint32_t started = 0;; ++started) {
    const Slot body = open_body(step.state(), key);
    if (body == Slot::none || step.state().at(body).incident) return;
    if (!may_spawn(step.state().at(body))) return;
    if (started == limits::iterations_per_step || (started > 0 && step.is_spent())) break;
    if (!has_room(step, body)) return;
    if (tests_before(loop_of(step, body))) {
      const auto wanted = wants_another(step, body);
      if (!wanted) return;
      if (!*wanted) return end_loop(step, body);
    }
    const std::uint32_t before = ended(*step.state().at(body).loop);
    const bool bounded = step.state().at(body).loop->concurrency != 0;
    spawn_one(step, body);
    // An iteration that ended at once has asked for the next one itself; one that threw an error
    // may have ended all.
    const Slot after = open_body(step.state(), key);
    if (after == Slot::none || is_ending(step.state(), after)) return;
    if (bounded && ended(*step.state().at(after).loop) != before) return;
  }
  step.emit(Deferred{Work{.kind = Work::Kind::spawn, .key = key}, false});
}

Result<bool> is_over(Step& step, Slot iteration, const IterationCollected* output) {
  const Instance& state = step.state();
  const Slot body = state.at(iteration).parent;
  const LoopDefinition& loop = loop_of(step, body);
  LoopCounts counts = counts_of(state, state.at(body));
  --counts.active;
  ++counts.completed;
  LoopNames names(state, iteration, counts);
  names.output = output;
  if (is_standard(loop)) {
    if (loop.loop_condition.empty() || loop.test_before) return false;
    PAWL_TRY(again, step.truth(loop.loop_condition, iteration, names, "loop condition"));
    return !again;
  }
  if (loop.completion_condition.empty()) return false;
  return step.truth(loop.completion_condition, iteration, names, "completion condition");
}

void finish_iteration(Step& step, Slot iteration) {
  const Slot body = step.state().at(iteration).parent;
  const LoopDefinition& loop = loop_of(step, body);
  const ElementInstance& one = step.state().at(iteration);
  IterationCollected collected{.body = step.state().at(body).key, .iteration = one.iteration};
  if (loop.collects()) {
    const auto got = output_of(step, iteration);
    if (!got) return stop_iteration(step, iteration, got.error());
    auto admitted = Gate(step, iteration).admit({"output", loop.output_collection}, *got, 2);
    if (!admitted) return stop_iteration(step, iteration, admitted.error());
    collected.value = std::move(*admitted);
  }
  const auto over = is_over(step, iteration, loop.collects() ? &collected : nullptr);
  if (!over) return stop_iteration(step, iteration, over.error());
  if (loop.collects()) step.emit(std::move(collected));
  close_waits(step, iteration);
  record_undoable(step, iteration);
  step.emit(ElementCompleted{one.key});
  if (*over && open_body(step.state(), step.state().at(body).key) != Slot::none) {
    return end_loop(step, body);
  }
  check_scope(step, body);
}

void proceed_loop(Step& step, Slot body) {
  const ElementInstance& one = step.state().at(body);
  if (!one.loop || one.loop->failure) return start_loop(step, body);
  if (one.interrupted) return;
  const Loop& loop = *one.loop;
  const std::uint32_t needed = needed_of(loop);
  if (loop.needed != 0 && loop.completed >= needed) return end_loop(step, body);
  if (loop.spawned < loop.total) {
    // One iteration at a time: the next comes with a step of its own, so that long loops of
    // automatic tasks neither nest nor block.
    if (may_spawn(one) && loop.concurrency != 0) {
      step.emit(Deferred{Work{.kind = Work::Kind::spawn, .key = one.key}, false});
    }
    return;
  }
  if (one.active_children != 0) return;
  if (is_cut_off(loop_of(step, body), loop.total)) return go_on_at_limit(step, body);
  if (loop.needed != 0) {
    return fail_body(step, body,
                     {fail(Whose::operators, Code::unhandled_error,
                           fmt::format("multi-instance \"{}\": {} iterations must complete, but "
                                       "only {} of {} did",
                                       step.state().definition_of(one).id, needed, loop.completed,
                                       progress_of(one).total)),
                      IncidentKind::unhandled_error,
                      {}});
  }
  complete(step, body);
}

void resume_loop(Step& step, Slot body) {
  const ElementInstance& one = step.state().at(body);
  const bool stopped = one.loop && !one.loop->failure && !one.interrupted && may_spawn(one);
  if (!stopped) return proceed_loop(step, body);
  step.emit(Deferred{Work{.kind = Work::Kind::spawn, .key = one.key}, false});
}

void end_loop(Step& step, Slot body) {
  if (step.state().at(body).active_children == 0) return complete(step, body);
  interrupt(step, body);
}

void finish_loop(Step& step, Slot body) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(body);
  const LoopDefinition& loop = loop_of(step, body);
  if (loop.collects() && !one.mappings_applied) {
    const Value list = one.loop->output_list(loop);
    step.charge(cost::entry * list.as_list().size());
    // It is counted as part of the instance already, item by item.
    auto admitted = Gate(step, body).admit({"output collection", loop.output_collection}, list);
    if (!admitted) {
      return fail_at(step, body, {admitted.error(), IncidentKind::extract_value, {}});
    }
    write_outside(step, body, loop.output_collection, *admitted);
  }
  std::vector<FlowIndex> leaving;
  if (!one.loop->detached) {
    auto flows = leave_by_conditions(step, body);
    if (auto* failure = std::get_if<Failure>(&flows)) {
      remember_mappings(step, body);
      return fail_at(step, body, *failure);
    }
    leaving = std::move(std::get<std::vector<FlowIndex>>(flows));
  }
  const Slot scope = one.parent;
  close_waits(step, body);
  record_undoable(step, body);
  step.emit(ElementCompleted{one.key});
  for (const FlowIndex flow : leaving) step.emit(FlowTaken{state.at(scope).key, flow});
  check_scope(step, scope);
}

Slot enclosing_iteration(const Instance& state, Slot slot) {
  while (slot != Slot::none && state.at(slot).iteration == 0) slot = state.at(slot).parent;
  return slot;
}

model::LoopOptions::OnError policy_of(const Instance& state, Slot iteration) {
  using OnError = model::LoopOptions::OnError;
  const OnError set = state.definition_of(state.at(iteration)).loop->options.on_error;
  if (set != OnError::by_dialect) return set;
  return state.process->dialect == model::Dialect::zeebe ? OnError::incident : OnError::fail;
}

bool takes_one_by_one(model::LoopOptions::OnError policy) {
  using OnError = model::LoopOptions::OnError;
  return policy == OnError::tolerate || policy == OnError::collect;
}

bool has_room_for_failure(const Instance& state, Slot iteration) {
  const Loop& loop = *state.at(state.at(iteration).parent).loop;
  return loop.failed < loop.tolerated;
}

void take_failure(Step& step, Slot iteration, const std::string& code, const std::string& message) {
  const ElementInstance& one = step.state().at(iteration);
  const bool collected = policy_of(step.state(), iteration) == model::LoopOptions::OnError::collect;
  const Value error = object({{"error", object({{"code", code}, {"message", message}})}});
  step.emit(IterationFailed{one.key, collected ? error : Value(), collected});
  terminate(step, iteration);
}

void fail_loop(Step& step, Slot body, const Failure& failure) {
  const ElementInstance& one = step.state().at(body);
  step.emit(LoopFailed{one.key, failure.kind, static_cast<std::uint16_t>(failure.error.code),
                       cut_text(failure.error.text, limits::message_bytes)});
  if (one.active_children == 0) return report_failed_loop(step, body);
  step.emit(Deferred{Work{.kind = Work::Kind::wind_down, .key = one.key}, true});
}

void report_failed_loop(Step& step, Slot body) {
  const LoopFailed failure = *step.state().at(body).loop->failure;
  raise_incident(step, body, failure.kind,
                 Error{Whose::operators, static_cast<Code>(failure.code), failure.message});
}

}  // namespace pawl::engine

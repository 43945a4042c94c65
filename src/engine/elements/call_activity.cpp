// SPDX-License-Identifier: Apache-2.0
#include "engine/elements/call_activity.hpp"

#include <fmt/format.h>

#include <set>

#include "base/limits.hpp"
#include "engine/escalation.hpp"
#include "engine/failure.hpp"
#include "engine/gate.hpp"
#include "engine/scope_names.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

using model::CallDefinition;
using model::CallMapping;

struct Wanted {
  Called called{};
  Value variables{};
  std::string business_id{};
};

const CallDefinition& call_of(const Step& step, Slot slot) {
  return *step.state().definition_of(step.state().at(slot)).call;
}

Failure cannot_call(std::string text) {
  return {
      fail(Whose::operators, Code::call_failed, std::move(text)), IncidentKind::called_element, {}};
}

// The digits of a number are the same version as text.
Result<std::string> version_of(Step& step, Slot slot, const CallDefinition& call) {
  if (call.version.empty()) return std::string();
  PAWL_TRY(got, step.evaluate(call.version, slot));
  if (got.value.is_string()) return std::string(got.value.as_string());
  if (got.value.is_number()) return got.value.as_decimal().to_string();
  return fail(
      Whose::operators, Code::wrong_type,
      fmt::format("version \"{}\" of the called process must give a text or a number, but "
                  "gave {} ({}){}",
                  call.version.text, preview(got.value), kind_name(got.value.kind()), got.remarks));
}

// --- what the child gets
// Only what the call activity has itself.
class OwnNames final : public VisibleNames {
 public:
  explicit OwnNames(const ElementInstance& one) : one_(one) {}
  std::optional<Value> find(std::string_view name) const override {
    const Variable* variable = one_.variables.find(name);
    return variable ? std::optional<Value>(variable->value) : std::nullopt;
  }

 private:
  const ElementInstance& one_;
};

class ResultNames final : public VisibleNames {
 public:
  explicit ResultNames(const Value& result) : result_(result) {}
  std::optional<Value> find(std::string_view name) const override {
    const Value* value = result_.find(name);
    return value ? std::optional<Value>(*value) : std::nullopt;
  }

 private:
  const Value& result_;
};

// A variable that is not there is null, as Camunda 7 has it.
Result<Value> value_of(Step& step, Slot slot, const CallMapping& mapping,
                       const VisibleNames& names) {
  if (!mapping.variable.empty()) return names.find(mapping.variable).value_or(Value());
  auto got = step.evaluate(mapping.source, slot, names);
  if (got) return std::move(got->value);
  return fail(Whose::operators, Code::mapping_failed,
              fmt::format("mapping \"{}\" to \"{}\" failed: {}", mapping.source.text,
                          mapping.target, got.error().text));
}

// From the element outward, nearest first; or what it has itself.
std::vector<Entry> variables_of(const Instance& state, Slot slot, bool only_own) {
  std::vector<Entry> entries;
  std::set<std::string_view> seen;
  for (Slot at = slot; at != Slot::none; at = only_own ? Slot::none : state.at(at).parent) {
    for (const Variable& variable : state.at(at).variables.all()) {
      if (!seen.insert(variable.name.text()).second) continue;
      entries.push_back({variable.name.string(), variable.value});
    }
  }
  return entries;
}

void put_entry(std::vector<Entry>& entries, const std::string& name, Value value) {
  for (Entry& entry : entries) {
    if (entry.key != name) continue;
    entry.value = std::move(value);
    return;
  }
  entries.push_back({name, std::move(value)});
}

Result<Value> handed_over(Step& step, Slot slot, const CallDefinition& call) {
  const Instance& state = step.state();
  std::vector<Entry> entries;
  if (call.propagate_all_parent) {
    entries = variables_of(state, slot, call.only_locals);
  } else if (call.passes_locals) {
    entries = variables_of(state, slot, true);
  }
  const OwnNames own(state.at(slot));
  const ScopeNames visible(state, slot);
  for (const CallMapping& mapping : call.inputs) {
    const VisibleNames& names = mapping.local ? static_cast<const VisibleNames&>(own) : visible;
    PAWL_TRY(value, value_of(step, slot, mapping, names));
    put_entry(entries, mapping.target, std::move(value));
  }
  return Value::context(std::move(entries));
}

// --- the call
std::uint32_t depth_below(const Instance& state) {
  return (state.caller ? state.caller->depth : 0) + 1;
}

Outcome<Called> find_process(Step& step, Slot slot, const CallDefinition& call) {
  auto id = step.text(call.process_id, slot, "called process id");
  if (!id) return Failure{id.error(), IncidentKind::extract_value, {}};
  auto version = version_of(step, slot, call);
  if (!version) return Failure{version.error(), IncidentKind::extract_value, {}};
  if (depth_below(step.state()) > limits::call_depth) {
    return cannot_call(fmt::format(
        "process \"{}\" cannot be called: {} calls lie inside each other already, which is the "
        "limit; does it call itself without end?",
        *id, limits::call_depth));
  }
  auto found = step.find_called(
      {.process = *id, .binding = call.binding, .version = *version, .caller = {}});
  if (!found) return cannot_call(found.error().text);
  const model::Element& root = found->process->root();
  if (root.none_start == ElementIndex::none && !root.start_events.empty()) {
    return cannot_call(
        fmt::format("process \"{}\" cannot be called: it has no none start event", *id));
  }
  return std::move(*found);
}

Outcome<Wanted> evaluate_call(Step& step, Slot slot) {
  const CallDefinition& call = call_of(step, slot);
  auto called = find_process(step, slot, call);
  if (auto* failure = std::get_if<Failure>(&called)) return std::move(*failure);
  Wanted wanted{.called = std::move(std::get<Called>(called))};
  auto variables = handed_over(step, slot, call);
  if (!variables) return Failure{variables.error(), IncidentKind::mapping, {}};
  auto admitted = Gate(step, slot).admit_variables(*variables);
  if (!admitted) return Failure{admitted.error(), IncidentKind::mapping, {}};
  wanted.variables = std::move(*admitted);
  if (call.business_key.empty()) return wanted;
  const auto key = step.evaluate(call.business_key, slot);
  if (!key) return Failure{key.error(), IncidentKind::extract_value, {}};
  if (key->value.is_string()) wanted.business_id = key->value.as_string();
  if (key->value.is_number()) wanted.business_id = key->value.as_decimal().to_string();
  const auto fits = expect_short(wanted.business_id, "business key", Whose::operators);
  if (!fits) return Failure{fits.error(), IncidentKind::extract_value, {}};
  return wanted;
}

Caller caller_for(const Step& step, Slot slot) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(slot);
  return {.instance = state.key,
          .element = one.key,
          .root = state.caller ? state.caller->root : state.key,
          .depth = depth_below(state),
          .catches = codes_caught_around(state, slot),
          .tolerates = is_tolerated_around(state, slot),
          .ignores_result = ignores_result(state.definition_of(one)),
          .escalations = escalations_caught_around(state, slot),
          .takes_failures = is_taken_around(state, slot)};
}

void start_child(Step& step, Slot slot, Wanted wanted) {
  const Key child = step.new_key();
  const std::string& process = wanted.called.process->id;
  step.start_child({wanted.called.process,
                    {.instance = child,
                     .definition = wanted.called.definition,
                     .version = wanted.called.version,
                     .variables = std::move(wanted.variables),
                     .business_id = std::move(wanted.business_id),
                     .caller = caller_for(step, slot)}});
  step.emit(CallStarted{.element = step.state().at(slot).key,
                        .child = child,
                        .definition = wanted.called.definition,
                        .process = Name(process),
                        .version = wanted.called.version});
}

Outcome<Next> activate_call(Step& step, Slot slot, const Waiting& waiting) {
  auto wanted = evaluate_call(step, slot);
  if (auto* failure = std::get_if<Failure>(&wanted)) return std::move(*failure);
  activated(step, slot, waiting);
  start_child(step, slot, std::move(std::get<Wanted>(wanted)));
  return Next::wait;
}

}  // namespace

const Behaviour call_activity{
    .activate = activate_call, .leave = leave_by_conditions, .after = after_nothing};

bool ignores_result(const model::Element& call_activity) {
  const CallDefinition& call = *call_activity.call;
  return !call.propagate_all_child && call_activity.outputs.empty() && call.outputs.empty();
}

void call_again(Step& step, Slot slot) {
  auto wanted = evaluate_call(step, slot);
  if (auto* failure = std::get_if<Failure>(&wanted)) return fail_at(step, slot, *failure);
  start_child(step, slot, std::move(std::get<Wanted>(wanted)));
}

Result<void> take_call_result(Step& step, Slot slot) {
  const Value result = step.state().at(slot).call->result;
  const ResultNames names(result);
  std::vector<std::pair<const CallMapping*, Value>> made;
  Gate gate(step, slot);
  for (const CallMapping& mapping : call_of(step, slot).outputs) {
    PAWL_TRY(value, value_of(step, slot, mapping, names));
    PAWL_TRY(admitted, gate.admit({"variable", mapping.target}, value));
    made.emplace_back(&mapping, std::move(admitted));
  }
  for (const auto& [mapping, value] : made) {
    if (mapping->local) {
      write_local(step, slot, mapping->target, value, true);
    } else {
      write_result(step, slot, mapping->target, value);
    }
  }
  return {};
}

}  // namespace pawl::engine

// SPDX-License-Identifier: Apache-2.0
#include "server/view/show.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bpmn/read.hpp"
#include "server/view/waiting.hpp"
#include "store/bring_back.hpp"
#include "store/loop_report.hpp"
#include "value/temporal.hpp"

namespace pawl::server {
namespace {

using engine::ElementInstance;
using engine::Slot;

Result<model::ProcessPtr> process_of(const store::Index& index, Key definition) {
  PAWL_TRY(rows, index.definitions());
  for (const store::DefinitionRow& row : rows) {
    if (row.process.key != definition) continue;
    PAWL_TRY(content, index.resource(row.process.resource));
    const bpmn::Definitions read = bpmn::read(content, row.resource_name);
    for (const auto& process : read.processes) {
      if (process->id == row.process.id) return model::ProcessPtr(process);
    }
  }
  return fail(Whose::machine, Code::store_damaged,
              fmt::format("the process with key {} is not in the index any more; `pawl verify "
                          "DIR` says more",
                          number(definition)));
}

// Of one answer.
constexpr std::size_t most_elements = 1'000;
constexpr std::size_t most_iterations = 100;  // of each loop, without those that have incidents
constexpr std::size_t most_incidents = 100;
constexpr std::size_t most_variable_bytes = 1u << 20;

Value count_value(std::uint64_t count) { return static_cast<std::int64_t>(count); }

Value element_value(const engine::Instance& state, const ElementInstance& one) {
  const model::Element& element = state.definition_of(one);
  std::vector<Wait> waiting;
  add_waiting(state, one, waiting);
  List texts, waits;
  for (const Wait& wait : waiting) {
    texts.push_back(wait.for_what);
    waits.push_back(object({{"element", wait.element}, {"for", wait.for_what}}));
  }
  const ElementInstance* scope = state.parent_of(one);
  const bool loop = one.is_body && one.loop;
  const engine::LoopProgress progress = loop ? progress_of(one) : engine::LoopProgress{};
  return object({{"key", key_value(one.key)},
                 {"element", element.id},
                 {"kind", std::string(model::name_of(element.kind))},
                 {"scope", scope ? key_value(scope->key) : Value()},
                 {"iteration", count_value(one.iteration)},
                 {"body", one.is_body},
                 {"path", one.is_path},
                 {"done", loop ? count_value(progress.done) : Value()},
                 {"active", loop ? count_value(progress.active) : Value()},
                 {"failed", loop ? count_value(progress.failed) : Value()},
                 {"cancelled", loop ? count_value(progress.cancelled) : Value()},
                 {"total", loop ? count_value(progress.total) : Value()},
                 {"job", one.job ? key_value(one.job->key) : Value()},
                 {"type", one.job ? Value(one.job->type.string()) : Value()},
                 {"retries", one.job ? Value(one.job->retries) : Value()},
                 {"retryAt", one.job ? time_value(one.job->retry_at) : Value()},
                 {"incident", one.incident ? key_value(one.incident->key) : Value()},
                 {"called", one.waits_for_call() ? key_value(one.call->child) : Value()},
                 {"waiting", std::move(texts)},
                 {"waits", std::move(waits)}});
}

struct Collected {
  List elements{};
  std::size_t left_out{0};
};

void collect(const engine::Instance& state, Slot slot, bool wanted, Collected& out) {
  const ElementInstance& one = state.at(slot);
  wanted = (wanted || one.incident) && out.elements.size() < most_elements;
  if (wanted) {
    out.elements.push_back(element_value(state, one));
  } else {
    ++out.left_out;
  }
  std::size_t place = 0;
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    collect(state, child, wanted && (!one.is_body || place++ < most_iterations), out);
  }
}

std::string_view state_name(store::InstanceState state) {
  constexpr std::string_view names[] = {"active", "completed", "terminated"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace

Value key_value(Key key) { return std::to_string(number(key)); }

Value instance_value(const store::InstanceRow& row) {
  return object({{"key", key_value(row.key)},
                 {"process", row.process},
                 {"version", static_cast<std::int64_t>(row.version)},
                 {"state", std::string(state_name(row.state))},
                 {"execution", static_cast<std::int64_t>(row.execution)},
                 {"id", row.id},
                 {"businessId", row.business_id},
                 {"started", time_value(row.started)},
                 {"ended", time_value(row.ended)},
                 {"incidents", static_cast<std::int64_t>(row.incidents)}});
}

Value incident_value(const store::IncidentRow& row) {
  return object({{"key", key_value(row.key)},
                 {"instance", key_value(row.instance)},
                 {"element", row.element_id},
                 {"type", row.type},
                 {"message", row.message},
                 {"at", time_value(row.at)},
                 {"job", row.job == Key::none ? Value() : key_value(row.job)}});
}

Value time_value(Instant instant) {
  return instant == Instant{} ? Value() : Value(to_string(from_instant(instant)));
}

Result<engine::Instance> state_of(const store::Index& index, const store::Past& past) {
  PAWL_TRY(back, store::bring_back(index, past, [&index](Key definition) {
             return process_of(index, definition);
           }));
  return std::move(back.state);
}

Result<Value> show_loop(const store::Index& index, Key body) {
  PAWL_TRY(loop, store::loop_report(index, body, [&index](Key definition) {
             return process_of(index, definition);
           }));
  return object({{"key", key_value(body)},
                 {"instance", key_value(loop.instance)},
                 {"element", loop.element},
                 {"done", count_value(loop.progress.done)},
                 {"active", count_value(loop.progress.active)},
                 {"failed", count_value(loop.progress.failed)},
                 {"cancelled", count_value(loop.progress.cancelled)},
                 {"total", count_value(loop.progress.total)}});
}

Result<Value> show_instance(const store::Index& index, Key key) {
  PAWL_TRY(owner, index.owner_of(key));
  PAWL_TRY(past, index.past_of(owner.value_or(key)));
  if (!past) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("nothing has the key {}; `pawl instances` lists the keys of instances",
                            number(key)));
  }
  const store::InstanceRow& row = past->row;
  List incidents;
  Collected collected;
  if (row.state == store::InstanceState::active) {
    PAWL_TRY(state, state_of(index, *past));
    if (state.root != Slot::none) collect(state, state.root, true, collected);
  }
  PAWL_TRY(open, index.incidents(row.key));
  const std::size_t shown = std::min(open.size(), most_incidents);
  for (std::size_t i = 0; i < shown; ++i) incidents.push_back(incident_value(open[i]));
  PAWL_TRY(roots, index.variables(row.key));
  std::vector<Entry> variables;
  std::size_t bytes = 0;
  for (const store::VariableRow& one : roots) {
    const std::size_t size = one.name.size() + one.value.encoded_size();
    if (bytes + size > most_variable_bytes) continue;
    bytes += size;
    variables.push_back({one.name, one.value});
  }
  const std::size_t variables_left_out = roots.size() - variables.size();
  return object({{"instance", key_value(row.key)},
                 {"process", row.process},
                 {"version", count_value(static_cast<std::uint64_t>(row.version))},
                 {"state", std::string(state_name(row.state))},
                 {"execution", count_value(row.execution)},
                 {"id", row.id},
                 {"businessId", row.business_id},
                 {"caller", row.caller == Key::none ? Value() : key_value(row.caller)},
                 {"root", row.root == Key::none ? Value() : key_value(row.root)},
                 {"started", time_value(row.started)},
                 {"ended", time_value(row.ended)},
                 {"elements", std::move(collected.elements)},
                 {"elementsLeftOut", count_value(collected.left_out)},
                 {"incidents", std::move(incidents)},
                 {"incidentsLeftOut", count_value(open.size() - shown)},
                 {"variables", Value::context(std::move(variables))},
                 {"variablesLeftOut", count_value(variables_left_out)}});
}

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
#include "cli/show.hpp"

#include <fmt/format.h>

#include "cli/data.hpp"
#include "cli/report.hpp"
#include "cli/run_record.hpp"
#include "cli/waiting.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

using engine::ElementInstance;
using engine::Slot;

constexpr Option options[] = {data_option, json_option};

// All that is known of one instance.
struct Shown {
  store::InstanceRow row{};
  std::optional<engine::Instance> state{};  // if it is active
  std::vector<store::IncidentRow> incidents{};
  std::vector<store::VariableRow> variables{};

  const store::IncidentRow* incident(Key key) const {
    for (const auto& one : incidents) {
      if (one.key == key) return &one;
    }
    return nullptr;
  }
};

Result<Shown> look_up(const store::Index& index, Key key) {
  PAWL_TRY(owner, index.owner_of(key));
  PAWL_TRY(past, index.past_of(owner.value_or(key)));
  if (!past) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("nothing has the key {}; `pawl instances` lists the keys of instances",
                            number(key)));
  }
  Shown shown{.row = past->row};
  if (past->row.state == store::InstanceState::active) {
    PAWL_TRY(state, state_of(index, *past));
    shown.state = std::move(state);
  }
  PAWL_TRY(incidents, index.incidents(past->row.key));
  PAWL_TRY(variables, index.variables(past->row.key));
  shown.incidents = std::move(incidents);
  shown.variables = std::move(variables);
  return shown;
}

// --- for people ---------------------------------------------------------------------------------

void print_head(const store::InstanceRow& row) {
  fmt::print("instance {} of {} v{}\n", number(row.key), row.process, row.version);
  fmt::print("  state     {}{}\n", name_of(row.state),
             row.execution > 1 ? fmt::format(", execution {}", row.execution) : "");
  fmt::print("  started   {}\n", time_text(row.started));
  if (row.ended != Instant{}) fmt::print("  ended     {}\n", time_text(row.ended));
  if (!row.id.empty()) fmt::print("  id        {}\n", row.id);
  if (!row.business_id.empty()) fmt::print("  business  {}\n", row.business_id);
}

std::string job_text(const engine::Job& job) {
  return fmt::format(" (key {}, {} retries{})", number(job.key), job.retries,
                     job.retry_at == Instant{} ? "" : ", again at " + time_text(job.retry_at));
}

std::string kind_text(const model::Element& element, const ElementInstance& one) {
  if (one.is_body) {
    return fmt::format("loop, {} of {} iterations done", one.loop ? one.loop->completed : 0,
                       one.loop ? one.loop->total : 0);
  }
  return fmt::format("{}{}", model::name_of(element.kind),
                     one.iteration == 0 ? "" : fmt::format(" #{}", one.iteration));
}

void print_tree(const Shown& shown, Slot slot, int depth) {
  const engine::Instance& state = *shown.state;
  const ElementInstance& one = state.at(slot);
  const model::Element& element = state.definition_of(one);
  fmt::print("{:{}}{}  {}  {}\n", "", depth * 2, element.id, kind_text(element, one),
             painted(stdout, Colour::faint, fmt::format("key {}", number(one.key))));
  std::vector<Waiting> waiting;
  add_waiting(state, one, waiting);
  for (const Waiting& wait : waiting) {
    const bool job = one.job && wait.for_what.starts_with("job ");
    fmt::print("{:{}}{}{} {}{}\n", "", depth * 2 + 2,
               wait.element == element.id ? "" : wait.element + " ",  // a join in this scope
               painted(stdout, Colour::yellow, "waits for"), wait.for_what,
               job ? job_text(*one.job) : "");
  }
  const auto* incident = one.incident ? shown.incident(one.incident->key) : nullptr;
  if (incident) {
    fmt::print("{:{}}{} {}: {}\n", "", depth * 2 + 2,
               painted(stdout, Colour::red, fmt::format("incident {}", number(incident->key))),
               incident->type, incident->message);
  }
  std::uint32_t more = 0;
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    const bool hidden = one.is_body && more + 1 > shown_iterations && !state.at(child).incident;
    if (!hidden) print_tree(shown, child, depth + 1);
    ++more;
  }
  if (one.is_body && more > shown_iterations) {
    fmt::print("{:{}}… {} iterations run; --json has all of them\n", "", depth * 2 + 2, more);
  }
}

void print_text(const Shown& shown) {
  print_head(shown.row);
  if (shown.state && shown.state->root != Slot::none) {
    fmt::print("\nelements\n");
    print_tree(shown, shown.state->root, 1);
  }
  for (const store::IncidentRow& row : shown.incidents) {
    if (row.element != Key::none) continue;  // is shown at its element
    fmt::print("\n{} {}: {}\n",
               painted(stdout, Colour::red, fmt::format("incident {}", number(row.key))), row.type,
               row.message);
  }
  if (shown.variables.empty()) return;
  fmt::print("\nvariables\n");
  for (const store::VariableRow& row : shown.variables) {
    fmt::print("  {} = {}\n", row.name, preview(row.value, 200));
  }
}

// --- for programs -------------------------------------------------------------------------------

void collect(const engine::Instance& state, Slot slot, List& out) {
  const ElementInstance& one = state.at(slot);
  const model::Element& element = state.definition_of(one);
  std::vector<Waiting> waiting;
  add_waiting(state, one, waiting);
  List waits;
  for (const Waiting& wait : waiting) waits.push_back(wait.for_what);
  const ElementInstance* scope = state.parent_of(one);
  out.push_back(object({{"key", key_value(one.key)},
                        {"element", element.id},
                        {"kind", std::string(model::name_of(element.kind))},
                        {"scope", scope ? key_value(scope->key) : Value()},
                        {"iteration", static_cast<std::int64_t>(one.iteration)},
                        {"body", one.is_body},
                        {"job", one.job ? key_value(one.job->key) : Value()},
                        {"incident", one.incident ? key_value(one.incident->key) : Value()},
                        {"waiting", std::move(waits)}}));
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    collect(state, child, out);
  }
}

void print_json(const Shown& shown) {
  List elements, incidents;
  if (shown.state && shown.state->root != Slot::none) {
    collect(*shown.state, shown.state->root, elements);
  }
  for (const store::IncidentRow& row : shown.incidents) {
    incidents.push_back(object({{"key", key_value(row.key)},
                                {"element", row.element_id},
                                {"type", row.type},
                                {"message", row.message}}));
  }
  std::vector<Entry> variables;
  for (const store::VariableRow& row : shown.variables) variables.push_back({row.name, row.value});
  const store::InstanceRow& row = shown.row;
  fmt::print("{}\n", to_json(object({{"instance", key_value(row.key)},
                                     {"process", row.process},
                                     {"version", static_cast<std::int64_t>(row.version)},
                                     {"state", std::string(name_of(row.state))},
                                     {"execution", static_cast<std::int64_t>(row.execution)},
                                     {"id", row.id},
                                     {"businessId", row.business_id},
                                     {"started", time_value(row.started)},
                                     {"ended", time_value(row.ended)},
                                     {"elements", std::move(elements)},
                                     {"incidents", std::move(incidents)},
                                     {"variables", Value::context(std::move(variables))}})));
}

Exit run(const Arguments& arguments) {
  const auto key = key_argument(arguments.words()[0]);
  if (!key) return refuse(key.error());
  const auto index = open_data(arguments);
  if (!index) return refuse(index.error());
  const auto shown = look_up(**index, *key);
  if (!shown) return refuse(shown.error());
  if (arguments.has("--json")) {
    print_json(*shown);
  } else {
    print_text(*shown);
  }
  return Exit::done;
}

}  // namespace

const Command show_command{
    .name = "show",
    .summary = "shows one instance: where it is, what it waits for, its variables",
    .usage = "KEY --data DIR [--json]",
    .details =
        "KEY is that of an instance, or of a job, incident or element instance in it. It\n"
        "reads beside a process that works there.\n",
    .example = "  pawl show 17 --data orders\n",
    .options = options,
    .least_words = 1,
    .most_words = 1,
    .run = run,
};

}  // namespace pawl::cli

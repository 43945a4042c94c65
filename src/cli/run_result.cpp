// SPDX-License-Identifier: Apache-2.0
#include "cli/run_result.hpp"

#include <fmt/format.h>

#include "cli/report.hpp"
#include "cli/run_view.hpp"
#include "server/view/show.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

using namespace engine;  // NOLINT: state only

void collect_waiting(const Instance& state, Slot slot, RunResult& result) {
  const ElementInstance& one = state.at(slot);
  server::add_waiting(state, one, result.waiting);
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    collect_waiting(state, child, result);
  }
}

void decide_state(const Instance& state, RunResult& result) {
  if (state.ended == Ended::completed) {
    result.state = "completed";
  } else if (state.ended == Ended::terminated) {
    result.state = "cancelled";
    result.exit = Exit::incident;
  } else if (!result.incidents.empty()) {
    result.state = "incident";
    result.exit = Exit::incident;
  } else {
    result.state = "waiting";
    result.exit = Exit::stuck;
  }
}

std::string indented(std::string_view text, std::string_view by) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += by;
  }
  return out;
}

void print_incident(const RunResult::Incident& incident) {
  const std::string place = incident.place.line == 0
                                ? incident.file
                                : fmt::format("{}:{}", incident.file, incident.place.line);
  say("\n{}\n", painted(stdout, Colour::red, "incident at \"" + incident.element + "\""));
  say("  where  {}, process \"{}\"\n", place, incident.process);
  say("  what   {} {}\n", code_text(incident.code), incident.type);
  say("  why    {}\n", indented(incident.message, "       "));
  say("  to do  {}\n", advice_for(incident.code));
}

void print_variables(const Value& variables) {
  if (variables.entries().empty()) return;
  say("\nvariables\n");
  std::size_t width = 0;
  for (const Entry& entry : variables.entries()) width = std::max(width, entry.key.size());
  for (const Entry& entry : variables.entries()) {
    say("  {:<{}} = {}\n", entry.key, std::min<std::size_t>(width, 30), preview(entry.value, 200));
  }
}

}  // namespace

RunResult result_of(const runtime::Driver& driver, const RunRecord& record, bool timed_out,
                    Millis took) {
  const Instance& state = driver.instance();
  RunResult result;
  result.process = driver.process()->id;
  result.file = driver.process()->file;
  result.instance = state.key;
  result.variables = record.variables();
  result.path = record.path();
  result.events = record.events();
  result.took = took;
  result.timed_out = timed_out;
  for (const auto& [key, open] : driver.incidents()) {
    const model::Element& element = *record.seen(key).element;
    const model::Process& process = *driver.home_of(open.element).process;
    result.incidents.push_back({element.id, std::string(name_of(open.kind)), open.message,
                                open.code, element.place, process.id, process.file});
  }
  for (const Instance* one : driver.instances()) {
    if (one->root != Slot::none) collect_waiting(*one, one->root, result);
  }
  decide_state(state, result);
  if (timed_out && result.exit == Exit::done) result.exit = Exit::stuck;
  return result;
}

void print_json(const RunResult& result) {
  List path(result.path.begin(), result.path.end());
  List incidents;
  for (const auto& incident : result.incidents) {
    incidents.push_back(object({{"element", incident.element},
                                {"type", incident.type},
                                {"message", incident.message},
                                {"code", code_text(incident.code)}}));
  }
  List waiting;
  for (const auto& one : result.waiting) {
    waiting.push_back(object({{"element", one.element}, {"for", one.for_what}}));
  }
  say_json(object({{"state", result.state},
                   {"instance", server::key_value(result.instance)},
                   {"variables", result.variables},
                   {"path", std::move(path)},
                   {"incidents", std::move(incidents)},
                   {"waiting", std::move(waiting)},
                   {"events", static_cast<std::int64_t>(result.events)}}));
}

void print_text(const RunResult& result, const std::vector<std::string>& unawaited) {
  const bool good = result.state == "completed";
  say("\n{} after {}, {} events{}\n",
      painted(stdout, good ? Colour::green : Colour::yellow, result.state), span_text(result.took),
      result.events, result.timed_out ? "; time is up" : "");
  for (const auto& incident : result.incidents) print_incident(incident);
  for (const auto& one : result.waiting) {
    say("\n\"{}\" waits for {}{}\n", one.element, one.for_what,
        one.how.empty() ? "" : fmt::format("; answer it with {}", one.how));
  }
  for (const std::string& mail : unawaited) say("\nnothing waited for {}\n", mail);
  print_variables(result.variables);
}

}  // namespace pawl::cli

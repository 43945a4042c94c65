// SPDX-License-Identifier: Apache-2.0
#include "cli/run_view.hpp"

#include <fmt/format.h>

#include "cli/report.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

using namespace engine;  // NOLINT: events only

// Beyond a few, the iterations of a loop are counted, not shown.
std::string few(std::uint32_t total) {
  if (total <= shown_iterations) return "";
  return fmt::format("; the first {} are shown", shown_iterations);
}

std::string iterations(std::uint64_t count) { return counted(count, "iteration", "iterations"); }

// Elements whose completing says nothing that entering them has not said.
bool is_scope(const model::Element& element) { return model::is_container(element.kind); }

Colour colour_of(std::string_view verb) {
  if (verb == "incident" || verb == "error" || verb == "fails") return Colour::red;
  if (verb == "ends" || verb == "retries") return Colour::yellow;
  if (verb == "done" || verb == "completes") return Colour::green;
  return Colour::faint;
}

std::string name_and_kind(const model::Element& element) {
  const std::string event =
      element.event == model::EventKind::none || !model::is_event(element.kind)
          ? ""
          : fmt::format("{} ", model::name_of(element.event));
  return fmt::format("{}{}", event, model::name_of(element.kind));
}

}  // namespace

std::string span_text(Millis span) {
  const std::int64_t total = span.count();
  if (total < 60'000)
    return fmt::format("{}s",
                       Decimal::make(false, static_cast<std::uint64_t>(total), -3)->to_string());
  std::string text;
  const std::pair<std::int64_t, const char*> units[] = {
      {86'400'000, "d"}, {3'600'000, "h"}, {60'000, "m"}, {1'000, "s"}};
  std::int64_t left = total;
  for (const auto& [size, unit] : units) {
    if (left >= size) text += fmt::format("{}{}{}", text.empty() ? "" : " ", left / size, unit);
    left %= size;
  }
  return text;
}

RunView::Line RunView::line_of(const Event& event) const {
  const auto kind_of = [this](Key key) { return name_and_kind(*record_.seen(key).element); };
  if (const auto* e = std::get_if<ElementActivating>(&event)) {
    if (e->scope == Key::none) return {e->key, "starts", "process"};
    const bool scope = is_scope(*record_.seen(e->key).element);
    if (e->body) return {e->key, "loops", kind_of(e->key), true};
    if (e->path) return {e->key, "enters", "path"};
    return {e->key, scope ? "enters" : "begins", kind_of(e->key), !scope};
  }
  if (const auto* e = std::get_if<ElementActivated>(&event)) return {e->key, "active", "", true};
  if (const auto* e = std::get_if<ElementCompleting>(&event))
    return {e->key, "completing", "", true};
  if (const auto* e = std::get_if<ElementCompleted>(&event)) {
    const model::Element& element = *record_.seen(e->key).element;
    if (element.kind == model::ElementKind::process) return {e->key, "completes", ""};
    const RunRecord::Seen& seen = record_.seen(e->key);
    if (seen.body) {
      const std::string more = seen.ended == 0 ? "" : fmt::format(", {} terminated", seen.ended);
      return {e->key, "leaves", fmt::format("loop, {} done{}", iterations(seen.done), more)};
    }
    if (is_scope(element)) return {e->key, "leaves", seen.path ? "path" : ""};
    return {e->key, model::is_activity(element.kind) ? "done" : "passes", kind_of(e->key)};
  }
  if (const auto* e = std::get_if<ElementTerminating>(&event)) return {e->key, "ending", "", true};
  if (const auto* e = std::get_if<ElementTerminated>(&event)) return {e->key, "ends", "terminated"};
  if (const auto* e = std::get_if<JobCreated>(&event)) {
    return {e->key, "waits", fmt::format("job \"{}\"", e->type.text())};
  }
  if (const auto* e = std::get_if<CallStarted>(&event)) {
    return {e->element, "calls", fmt::format("process \"{}\"", e->process.text())};
  }
  if (const auto* e = std::get_if<CallEnded>(&event)) return {e->element, "answered", "", true};
  if (const auto* e = std::get_if<LoopStarted>(&event)) {
    return {e->body, "loops", iterations(e->total) + few(e->total)};
  }
  if (const auto* e = std::get_if<IterationFailed>(&event))
    return {e->element, "fails", "iteration"};
  if (const auto* e = std::get_if<LoopFailed>(&event)) return {e->body, "fails", "loop"};
  if (const auto* e = std::get_if<IterationsAdded>(&event)) {
    return {e->body, "adds", iterations(e->count)};
  }
  if (const auto* e = std::get_if<JobFailed>(&event)) {
    const auto left = static_cast<std::uint64_t>(std::max(e->retries, 0));
    return {e->key, "fails",
            fmt::format("{} ({} left)", e->message, counted(left, "retry", "retries"))};
  }
  if (const auto* e = std::get_if<JobRetryDue>(&event)) return {e->key, "retries", ""};
  if (const auto* e = std::get_if<ErrorThrown>(&event)) {
    return {e->element, "error",
            fmt::format("\"{}\"{}{}", e->code, e->message.empty() ? "" : " ", e->message)};
  }
  if (const auto* e = std::get_if<IncidentRaised>(&event)) {
    return {e->element, "incident", code_text(static_cast<Code>(e->code))};
  }
  if (const auto* e = std::get_if<IncidentResolved>(&event)) return {e->key, "resolved", "", true};
  if (const auto* e = std::get_if<VariableCreated>(&event)) {
    return {e->scope, "sets", fmt::format("{} = {}", e->name.text(), preview(e->value)), true};
  }
  if (const auto* e = std::get_if<VariableUpdated>(&event)) {
    return {e->scope, "sets", fmt::format("{} = {}", e->name.text(), preview(e->value)), true};
  }
  if (const auto* e = std::get_if<IterationRemoved>(&event)) {
    return {e->element, "removed", e->completed ? "as if it was done" : "from the plan"};
  }
  if (const auto* e = std::get_if<EscalationThrown>(&event)) {
    return {e->element, "escalates", fmt::format("\"{}\"", e->code)};
  }
  if (const auto* e = std::get_if<CompensationThrown>(&event)) {
    return {e->element, "undoes", "what was done"};
  }
  if (const auto* e = std::get_if<TransactionCancelled>(&event)) {
    return {e->element, "cancels", "the transaction"};
  }
  if (const auto* e = std::get_if<JobCompleted>(&event)) return {e->key, "answered", "", true};
  if (const auto* e = std::get_if<JobCanceled>(&event)) return {e->key, "job gone", "", true};
  return wait_line_of(event);
}

// What boundary events and event sub-processes wait for is shown only in a trace; that they happen,
// always.
RunView::Line RunView::wait_line_of(const Event& event) const {
  const auto on_border = [this](Key key) {
    const model::ElementKind kind = record_.seen(key).element->kind;
    return kind == model::ElementKind::boundary_event || kind == model::ElementKind::start_event;
  };
  if (const auto* e = std::get_if<TimerCreated>(&event)) {
    return {e->key, "waits", "timer, due at " + to_string(from_instant(e->due)), on_border(e->key)};
  }
  if (const auto* e = std::get_if<SubscriptionOpened>(&event)) {
    return {e->key, "waits", record_.seen(e->key).waits_for, on_border(e->key)};
  }
  if (const auto* e = std::get_if<TimerTriggered>(&event)) return {e->key, "fires", "timer"};
  if (const auto* e = std::get_if<MailReceived>(&event)) {
    return {e->subscription, "receives", record_.seen(e->subscription).waits_for};
  }
  if (const auto* e = std::get_if<TimerCanceled>(&event)) {
    return {e->key, "waits not", "timer", true};
  }
  if (const auto* e = std::get_if<SubscriptionClosed>(&event)) {
    return {e->key, "waits not", record_.seen(e->key).waits_for, true};
  }
  if (std::holds_alternative<InstanceContinued>(event)) {
    return {record_.root(), "continues", "as a new execution"};
  }
  return {};
}

bool RunView::is_left_out(const Line& line) {
  constexpr std::size_t most_lines = 1'000;
  const bool over = line.verb == "incident" || line.verb == "continues" ||
                    (line.verb == "completes" && line.key == record_.root());
  if (all_events_ || over || line.verb == "waits") {
    since_wait_ = 0;
    return false;
  }
  return ++since_wait_ > most_lines;
}

void RunView::tell_left_out() {
  if (left_out_ != 0) say("{:>8}  … ({} more steps)\n", "", left_out_);
  left_out_ = 0;
}

void RunView::finish() { tell_left_out(); }

void RunView::show(Instant at, const Event& event) {
  const Line line = line_of(event);
  if (line.verb.empty() || (line.only_traced && !all_events_)) return;
  const RunRecord::Seen& seen = record_.seen(line.key);
  if (seen.hidden) return;
  if (is_left_out(line)) {
    ++left_out_;
    return;
  }
  tell_left_out();
  const std::string& name = seen.element->name.empty() ? seen.element->id : seen.element->name;
  std::string shown = name;
  for (char& c : shown) c = c == '\n' || c == '\r' ? ' ' : c;
  if (seen.iteration != 0) shown += fmt::format(" #{}", seen.iteration);
  say("{:>8}  {:{}}{} {}{}{}\n", "+" + span_text(at - start_), "", seen.depth * 2,
      painted(stdout, colour_of(line.verb), fmt::format("{:<10}", line.verb)), shown,
      line.details.empty() ? "" : "  ", painted(stdout, Colour::faint, line.details));
}

std::string advice_for(Code code) {
  switch (code) {
    case Code::no_flow_applies:
      return "add a default flow to the model, or set a variable so that one condition holds";
    case Code::wrong_type:
    case Code::evaluation_failed:
      return "set the variable that the expression needs";
    case Code::budget_exceeded:
      return "make the expression or script do less";
    case Code::script_failed:
      return "correct the script, or the variables it reads";
    case Code::mapping_failed:
      return "set the variable that the mapping needs";
    case Code::unhandled_error:
      return "add an error boundary event or event sub-process that catches this code, or complete "
             "the job another way";
    case Code::no_retries_left:
      return "repair what the worker needs, give the job new retries";
    case Code::call_failed:
      return "give the file that has the called process, too, or correct its id";
    default:
      return "see docs/errors.md";
  }
}

}  // namespace pawl::cli

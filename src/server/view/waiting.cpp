// SPDX-License-Identifier: Apache-2.0
#include "server/view/waiting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "value/temporal.hpp"

namespace pawl::server {
namespace {

using namespace engine;  // NOLINT: state only

void add_job(const ElementInstance& one, const model::Element& element, std::vector<Wait>& out) {
  const std::string type = one.job->type.string();
  out.push_back(
      {element.id, fmt::format("job \"{}\"", type), fmt::format("--job {}='{{}}'", type)});
}

// Tokens that wait at a join, with the flows that have not come.
void add_joins(const Instance& state, const ElementInstance& scope, std::vector<Wait>& out) {
  if (!scope.arrivals) return;
  for (const auto& waiting : scope.arrivals->waiting) {
    const model::Element& join = state.process->at(state.process->at(waiting.flow).target);
    std::vector<std::string> missing;
    for (const FlowIndex flow : join.incoming) {
      const bool here = std::any_of(scope.arrivals->waiting.begin(), scope.arrivals->waiting.end(),
                                    [&](const auto& other) { return other.flow == flow; });
      if (!here) missing.push_back("\"" + state.process->at(flow).id + "\"");
    }
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const auto& other) { return other.element == join.id; });
    if (known) continue;
    out.push_back({join.id, fmt::format("a token on flow {}", fmt::join(missing, ", ")), ""});
  }
}

std::string border_text(const Instance& state, const ElementInstance& one, ElementIndex target) {
  const model::Element& event = state.process->at(target);
  if (target == one.element) return "";
  if (event.kind == model::ElementKind::start_event) {
    const model::Element& handler = state.process->at(event.scope);
    return fmt::format(", for {} \"{}\"", model::name_of(handler.kind), handler.id);
  }
  return fmt::format(", for {} \"{}\"", model::name_of(event.kind), event.id);
}

void add_mail_and_timers(const Instance& state, const ElementInstance& one,
                         std::vector<Wait>& out) {
  if (!one.waits) return;
  const std::string& id = state.definition_of(one).id;
  for (const Waits::Subscription& mail : one.waits->subscriptions) {
    const bool signal = mail.kind == MailKind::signal;
    const std::string address =
        mail.name.string() + (mail.correlation.empty() ? "" : ":" + mail.correlation);
    out.push_back({id,
                   mail_text(mail.kind, mail.name.text(), mail.correlation) +
                       border_text(state, one, mail.target),
                   fmt::format("{} {}='{{}}'", signal ? "--signal" : "--message", address)});
  }
  for (const Waits::Timer& timer : one.waits->timers) {
    out.push_back({id,
                   fmt::format("timer, due at {}{}", to_string(from_instant(timer.due)),
                               border_text(state, one, timer.target)),
                   ""});
  }
}

// An ad-hoc sub-process in which nothing runs.
void add_ad_hoc_wait(const Instance& state, const ElementInstance& one, std::vector<Wait>& out) {
  const model::Element& element = state.definition_of(one);
  const bool own = element.kind == model::ElementKind::ad_hoc_sub_process && !one.is_path;
  if (!own || one.is_body || !one.is_open() || one.active_children != 0) return;
  std::vector<std::string> ids;
  for (const ElementIndex start : element.implicit_starts) {
    ids.push_back("\"" + state.process->at(start).id + "\"");
  }
  if (ids.empty()) return out.push_back({element.id, "somebody to complete it", ""});
  out.push_back({element.id, fmt::format("somebody to start {}", fmt::join(ids, " or ")),
                 fmt::format("--activate {}={}", element.id,
                             state.process->at(element.implicit_starts.front()).id)});
}

}  // namespace

std::string mail_text(MailKind kind, std::string_view name, std::string_view correlation) {
  return fmt::format("{} \"{}\"{}", kind == MailKind::signal ? "signal" : "message", name,
                     correlation.empty() ? "" : fmt::format(" with key \"{}\"", correlation));
}

void add_waiting(const Instance& state, const ElementInstance& one, std::vector<Wait>& out) {
  if (one.job && !one.incident) add_job(one, state.definition_of(one), out);
  if (one.waits_for_call()) {
    out.push_back({state.definition_of(one).id,
                   fmt::format("the called instance {}", number(one.call->child)), ""});
  }
  add_mail_and_timers(state, one, out);
  add_joins(state, one, out);
  add_ad_hoc_wait(state, one, out);
}

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
#include "cli/start_wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Millis first_look{10}, longest_look{250};
constexpr int most_called = 20;        // instances that are looked into for incidents
constexpr std::size_t most_named = 3;  // of what is said in a sentence

const List& items_of(const Value& object, std::string_view name) {
  static const List none;
  const Value* member = object.find(name);
  return member && member->is_list() ? member->as_list() : none;
}

Result<void> wait_until_ended(Remote& remote, const std::string& instance, Millis most) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + most;
  for (Millis pause = first_look;; pause = std::min(pause * 2, longest_look)) {
    PAWL_TRY(found, remote.get("/v2/process-instances/" + instance));
    const auto left = std::chrono::ceil<Millis>(until - Clock::now());
    if (text_of(found, "state") != "ACTIVE" || left.count() <= 0) return {};
    std::this_thread::sleep_for(std::min(pause, left));
  }
}

// What an instance that is active stands at, and those that it called.
Result<void> look_into(Remote& remote, const Value& shown, Outcome& outcome, int& called) {
  for (const Value& one : items_of(shown, "incidents")) {
    outcome.incidents.push_back(object({{"element", text_of(one, "element")},
                                        {"type", text_of(one, "type")},
                                        {"message", text_of(one, "message")}}));
  }
  for (const Value& element : items_of(shown, "elements")) {
    for (const Value& wait : items_of(element, "waits")) outcome.waiting.push_back(wait);
    const std::string child = text_of(element, "called");
    if (child.empty() || ++called > most_called) continue;
    PAWL_TRY(inner, remote.get("/v2/pawl/instances/" + child));
    PAWL_CHECK(look_into(remote, inner, outcome, called));
  }
  return {};
}

// The view leaves out what is large.
Result<Value> all_variables(Remote& remote, const Value& shown) {
  const Value* given = shown.find("variables");
  if (text_of(shown, "variablesLeftOut") == "0" && given) return *given;
  std::vector<Entry> all;
  PAWL_CHECK(search_all(
      remote, "/v2/variables/search?truncateValues=false",
      object({{"scopeKey", text_of(shown, "instance")}}), [&](const Value& one) {
        all.push_back({text_of(one, "name"), parse_json(text_of(one, "value")).value_or(Value())});
      }));
  return Value::context(std::move(all));
}

// Each once: iterations mostly wait for the same.
std::string listed(const List& rows, std::string (*text)(const Value& row)) {
  std::vector<std::string> texts;
  for (const Value& row : rows) {
    std::string one = text(row);
    if (std::find(texts.begin(), texts.end(), one) == texts.end()) texts.push_back(std::move(one));
  }
  const std::size_t named = std::min(texts.size(), most_named);
  std::string out;
  for (std::size_t i = 0; i < named; ++i) out += (i == 0 ? "" : ", ") + texts[i];
  if (texts.size() > named) out += fmt::format(" and {} more", texts.size() - named);
  return out;
}

}  // namespace

Result<Outcome> await_outcome(Remote& remote, const std::string& instance, Millis most) {
  PAWL_CHECK(wait_until_ended(remote, instance, most));
  PAWL_TRY(shown, remote.get("/v2/pawl/instances/" + instance));
  Outcome outcome{.state = text_of(shown, "state")};
  PAWL_TRY(variables, all_variables(remote, shown));
  outcome.variables = variables;
  if (outcome.state == "terminated") outcome.state = "cancelled";
  if (outcome.state != "active") return outcome;
  int called = 0;
  PAWL_CHECK(look_into(remote, shown, outcome, called));
  outcome.state = outcome.incidents.empty() ? "waiting" : "incident";
  return outcome;
}

Exit exit_for(const Outcome& outcome) {
  if (outcome.state == "completed") return Exit::done;
  return outcome.state == "waiting" ? Exit::stuck : Exit::incident;
}

std::string reason_of(const Outcome& outcome) {
  if (outcome.state == "cancelled") return "it was cancelled";
  if (!outcome.incidents.empty()) {
    return "incident " + listed(outcome.incidents, [](const Value& one) {
             return fmt::format("at \"{}\": {}: {}", text_of(one, "element"), text_of(one, "type"),
                                text_of(one, "message"));
           });
  }
  if (outcome.waiting.empty()) return "it is still at work";
  return listed(outcome.waiting, [](const Value& one) {
    return fmt::format("\"{}\" waits for {}", text_of(one, "element"), text_of(one, "for"));
  });
}

}  // namespace pawl::cli

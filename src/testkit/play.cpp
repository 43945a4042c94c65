// SPDX-License-Identifier: Apache-2.0

#include "testkit/play.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sstream>
#include "engine/apply.hpp"
#include "testkit/draw.hpp"
#include "testkit/state_bytes.hpp"
#include "testkit/story.hpp"
#include "value/json.hpp"

namespace pawl::testkit {
namespace {

using namespace engine;  // NOLINT: a test kit for little else

// Folding everything again after every turn is quadratic; long runs do it now and then.
constexpr std::size_t always_folded = 3'000;

Value json(std::string_view text) {
  auto parsed = parse_json(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed ? *parsed : Value();
}

Value context_of(const VariableMap& variables) {
  std::vector<Entry> entries;
  for (const Variable& variable : variables.all()) {
    entries.push_back({variable.name.string(), variable.value});
  }
  return Value::context(std::move(entries));
}

const ElementInstance* find_active(const Instance& state, Slot from, std::string_view id) {
  const ElementInstance& one = state.at(from);
  if (state.definition_of(one).id == id) return &one;
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    if (const auto* found = find_active(state, child, id)) return found;
  }
  return nullptr;
}

const ElementInstance* find_active(const Instance& state, std::string_view id) {
  return state.root == Slot::none ? nullptr : find_active(state, state.root, id);
}

}  // namespace

namespace {

model::ProcessPtr drawn_with_id(const Play::Named& one) {
  auto process = std::make_shared<model::Process>(*draw(one.drawing));
  process->id = one.id;
  process->elements[0].id = one.id;
  return process;
}

}  // namespace

Play::Play(model::ProcessPtr process, std::string_view variables, std::size_t steps_per_turn)
    : driver_(std::move(process)) {
  begin(variables, steps_per_turn);
}

Play::Play(std::string_view drawing, std::string_view variables) : Play(draw(drawing), variables) {}

Play::Play(const std::vector<Named>& processes, std::string_view variables,
           std::size_t steps_per_turn)
    : driver_(drawn_with_id(processes.front())) {
  driver_.library.add(driver_.process());
  for (std::size_t i = 1; i < processes.size(); ++i)
    driver_.library.add(drawn_with_id(processes[i]));
  begin(variables, steps_per_turn);
}

void Play::begin(std::string_view variables, std::size_t steps_per_turn) {
  driver_.steps_per_turn = steps_per_turn;
  driver_.after_turn = [this](const Instance& instance, const Events& events) {
    check(instance, events);
  };
  const auto started = driver_.start(json(variables));
  EXPECT_TRUE(started.has_value()) << started.error().text;
}

void Play::check(const Instance& instance, const Events& events) {
  // Each execution has a history of its own.
  const bool starts = !events.empty() && std::holds_alternative<InstanceStarted>(events.front());
  Told& told = told_[instance.key];
  if (starts) told = {instance.process->id, instance.process, {}, {}};
  told.events.insert(told.events.end(), events.begin(), events.end());
  for (std::size_t i = 0; i < events.size(); ++i) told.places.push_back(happened_++);
  if (!instance.caller) {
    if (starts) all_.clear();
    all_.insert(all_.end(), events.begin(), events.end());
  }
  const std::string broken = broken_invariant_of(instance);
  ASSERT_EQ(broken, "") << trace();
  const bool fold_now = told.events.size() < always_folded || instance.ended != Ended::no;
  if (!fold_now) return;
  ASSERT_EQ(state_bytes(folded(told.first, told.events)), state_bytes(instance)) << trace();
}

void Play::send(const Command& command) {
  const auto done = driver_.send(command);
  EXPECT_TRUE(done.has_value()) << done.error().text << "\n" << trace();
}

Play& Play::complete(std::string_view element, std::string_view variables) {
  send(CompleteJob{job_of(element), json(variables)});
  return *this;
}

Play& Play::fail(std::string_view element, int retries, std::string_view message, Millis backoff,
                 std::string_view variables) {
  send(FailJob{job_of(element), retries, backoff, std::string(message), json(variables)});
  return *this;
}

Play& Play::throw_error(std::string_view element, std::string_view code, std::string_view message,
                        std::string_view variables) {
  send(ThrowError{job_of(element), std::string(code), std::string(message), json(variables)});
  return *this;
}

Play& Play::set(std::string_view element, std::string_view variables, bool local) {
  send(SetVariables{element.empty() ? driver_.instance().key : key_of(element), json(variables),
                    local});
  return *this;
}

Play& Play::retries(std::string_view element, int count) {
  send(UpdateRetries{job_of(element), count});
  return *this;
}

Play& Play::resolve(std::string_view element) {
  Key incident = Key::none;
  for (const Instance* instance : driver_.instances()) {
    const ElementInstance* one = find_active(*instance, element);
    if (one && one->incident && incident == Key::none) incident = one->incident->key;
  }
  EXPECT_NE(incident, Key::none) << "no incident at " << element << "\n" << trace();
  if (incident != Key::none) send(ResolveIncident{incident});
  return *this;
}

Play& Play::cancel() {
  send(CancelInstance{});
  return *this;
}

Play& Play::pass(Millis time) {
  const auto done = driver_.advance_to(driver_.now() + time);
  EXPECT_TRUE(done.has_value()) << done.error().text << "\n" << trace();
  return *this;
}

Play& Play::publish(std::string_view message, std::string_view variables) {
  const std::size_t colon = std::min(message.find(':'), message.size());
  const std::string_view key = message.substr(std::min(colon + 1, message.size()));
  const auto taken = driver_.publish(message.substr(0, colon), key, json(variables));
  EXPECT_TRUE(taken && *taken) << "nobody waits for " << message << "\n" << trace();
  return *this;
}

Play& Play::signal(std::string_view name, std::string_view variables) {
  const auto reached = driver_.broadcast(name, json(variables));
  EXPECT_TRUE(reached && *reached > 0) << "nobody waits for " << name << "\n" << trace();
  return *this;
}

std::string Play::rejection(const Command& command) {
  const std::size_t before = driver_.journal().size();
  const auto done = driver_.send(command);
  if (done) return "";
  EXPECT_EQ(driver_.journal().size(), before) << "a rejected command left something behind";
  EXPECT_EQ(state_bytes(folded(first_process(), all_)), state_bytes(driver_.instance()));
  return done.error().text;
}

const model::ProcessPtr& Play::first_process() const {
  const auto told = told_.find(driver_.instance().key);
  return told == told_.end() ? driver_.process() : told->second.first;
}

Instance Play::folded(const model::ProcessPtr& first, const Events& events) const {
  Instance instance(first);
  const auto done = replay(instance, events, [this](Key definition) -> Result<model::ProcessPtr> {
    return targets_.at(number(definition) - 1);
  });
  EXPECT_TRUE(done.has_value());
  return instance;
}

std::string Play::migrate(const model::ProcessPtr& to, std::string_view moves) {
  targets_.push_back(to);
  MigrateInstance command{.definition = key_from(targets_.size()), .version = 2, .process = to};
  const auto place = [](const model::Process& process, const std::string& id) {
    const model::Element* found = process.find(id);
    EXPECT_NE(found, nullptr) << id;
    return found ? found->index : ElementIndex::none;
  };
  std::istringstream words{std::string(moves)};
  for (std::string word; words >> word;) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string from = word.substr(0, equals);
    const std::string target = equals == word.size() ? from : word.substr(equals + 1);
    command.moves.push_back({place(*driver_.instance().process, from), place(*to, target)});
  }
  return rejection(command);
}

std::string Play::state() const {
  if (driver_.instance().ended == Ended::completed) return "completed";
  if (driver_.instance().ended == Ended::terminated) return "terminated";
  if (driver_.instance().ended == Ended::continued) return "continued";
  return driver_.incidents().empty() ? "waiting" : "incident";
}

bool Play::is_active(std::string_view element) const { return key_of(element) != Key::none; }

Key Play::key_of(std::string_view element) const {
  for (const Instance* instance : driver_.instances()) {
    if (const ElementInstance* one = find_active(*instance, element)) return one->key;
  }
  return Key::none;
}

const Instance* Play::called(std::string_view process) const {
  for (const Instance* instance : driver_.instances()) {
    if (instance->caller && instance->process->id == process) return instance;
  }
  return nullptr;
}

Key Play::job_of(std::string_view element) const {
  for (const Key job : driver_.open_jobs()) {
    const Instance& state = driver_.home_of(job);
    const ElementInstance* owner = state.find_job_owner(job);
    if (owner && state.definition_of(*owner).id == element) return job;
  }
  for (const Instance* state : driver_.instances()) {
    const ElementInstance* one = find_active(*state, element);
    if (one && one->job) return one->job->key;
  }
  return Key::none;
}

std::string Play::waiting() const {
  std::vector<std::string> ids;
  for (const Key job : driver_.open_jobs()) {
    const Instance& state = driver_.home_of(job);
    if (const ElementInstance* owner = state.find_job_owner(job)) {
      ids.push_back(state.definition_of(*owner).id);
    }
  }
  return fmt::format("{}", fmt::join(ids, " "));
}

std::string Play::waits() const {
  std::vector<std::string> lines;
  for (const auto& [key, one] : driver_.subscriptions()) {
    const Instance& state = driver_.home_of(key);
    const model::Element& target = state.process->at(state.find_subscription(key)->target);
    lines.push_back(fmt::format("{}{}{}{} at {}", one.kind == MailKind::signal ? "signal " : "",
                                one.name.text(), one.correlation.empty() ? "" : ":",
                                one.correlation, target.id));
  }
  for (const auto& [key, due] : driver_.timers()) {
    const Instance& state = driver_.home_of(key);
    const model::Element& target = state.process->at(state.find_timer(key)->target);
    const auto seconds = std::chrono::duration<double>(due - driver_.now()).count();
    lines.push_back(fmt::format("{:+}s at {}", seconds, target.id));
  }
  return fmt::format("{}", fmt::join(lines, ", "));
}

Key Play::timer_of(std::string_view target) const {
  for (const auto& [key, due] : driver_.timers()) {
    const Instance& state = driver_.home_of(key);
    if (state.process->at(state.find_timer(key)->target).id == target) return key;
  }
  return Key::none;
}

Key Play::subscription_of(std::string_view target) const {
  for (const auto& [key, one] : driver_.subscriptions()) {
    const Instance& state = driver_.home_of(key);
    if (state.process->at(state.find_subscription(key)->target).id == target) return key;
  }
  return Key::none;
}

std::string Play::path() const {
  std::vector<std::string> ids;
  for (const std::string& line : story("completed")) ids.push_back(line.substr(10));
  if (!ids.empty() && ids.back() == driver_.instance().process->id) ids.pop_back();
  return fmt::format("{}", fmt::join(ids, " "));
}

std::string Play::incident() const {
  if (driver_.incidents().empty()) return "";
  const auto& open = driver_.incidents().begin()->second;
  const Instance& state = driver_.home_of(open.element);
  const ElementInstance* one = state.find(open.element);
  return fmt::format("{} at {}: {}", name_of(open.kind), one ? state.definition_of(*one).id : "?",
                     open.message);
}

std::string Play::variables(std::string_view element) const {
  const Instance& state = driver_.instance();
  if (state.root == Slot::none) return to_json(final_variables(driver_.process(), all_));
  if (element.empty()) return to_json(context_of(state.root_scope().variables));
  const Key key = key_of(element);
  const ElementInstance* one = driver_.home_of(key).find(key);
  return one ? to_json(context_of(one->variables)) : "";
}

std::string Play::visible(std::string_view element) const {
  return to_json(driver_.variables_of(key_of(element)));
}

std::vector<std::string> Play::story(std::string_view only) const {
  return tell(first_process(), all_, only, targets_);
}

std::string Play::told(std::string_view only) const {
  return fmt::format("{}", fmt::join(story(only), ", "));
}

std::string Play::told_by_all(std::string_view only) const {
  std::map<std::size_t, std::string> lines;
  for (const auto& [key, told] : told_) {
    const auto each = tell_each(told.first, told.events, only, targets_);
    for (std::size_t i = 0; i < each.size(); ++i) {
      if (!each[i].empty()) lines[told.places[i]] = told.process + ": " + each[i];
    }
  }
  std::vector<std::string> sorted;
  for (auto& [place, line] : lines) sorted.push_back(std::move(line));
  return fmt::format("{}", fmt::join(sorted, ", "));
}

int Play::count(std::string_view line) const {
  int found = 0;
  for (const std::string& one : story()) found += one == line ? 1 : 0;
  return found;
}

std::string Play::trace() const {
  return fmt::format("{}\n{}", fmt::join(story(), "\n"), describe(driver_.instance()));
}

}  // namespace pawl::testkit

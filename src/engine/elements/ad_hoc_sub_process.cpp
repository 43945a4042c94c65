// SPDX-License-Identifier: Apache-2.0
#include "engine/elements/ad_hoc_sub_process.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "engine/failure.hpp"
#include "engine/gate.hpp"
#include "engine/lifecycle.hpp"
#include "engine/scope_names.hpp"
#include "engine/variables.hpp"

namespace pawl::engine {
namespace {

using model::Dialect;
using model::Element;
using model::ElementKind;

const Element& ad_hoc_of(const Step& step, Slot slot) {
  return step.state().definition_of(step.state().at(slot));
}

// --- what is started when it is entered
// A few names, for messages.
std::string startable(const model::Process& process, const Element& ad_hoc) {
  constexpr std::size_t shown = 10;
  std::string text;
  for (std::size_t i = 0; i < ad_hoc.implicit_starts.size() && i < shown; ++i) {
    text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", process.at(ad_hoc.implicit_starts[i]).id);
  }
  if (text.empty()) return "nothing in it can be started";
  return fmt::format("it can start {}{}", text, ad_hoc.implicit_starts.size() > shown ? " …" : "");
}

Error not_ids(const Element& ad_hoc, const Evaluated& got) {
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("ad-hoc sub-process \"{}\": \"{}\" must give a list of element ids, but "
                          "gave {} ({}){}",
                          ad_hoc.id, ad_hoc.active_elements.text, preview(got.value),
                          kind_name(got.value.kind()), got.remarks));
}

Result<std::vector<PathStart>> named_starts(Step& step, Slot slot, const Element& ad_hoc) {
  PAWL_TRY(got, step.evaluate(ad_hoc.active_elements, slot));
  if (!got.value.is_list()) return not_ids(ad_hoc, got);
  if (got.value.as_list().size() > paths_at_once) {
    return fail(Whose::operators, Code::too_large,
                fmt::format("ad-hoc sub-process \"{}\": \"{}\" gives {} elements; the limit is {}",
                            ad_hoc.id, ad_hoc.active_elements.text, got.value.as_list().size(),
                            paths_at_once));
  }
  std::vector<PathStart> starts;
  for (const Value& id : got.value.as_list()) {
    if (!id.is_string()) return not_ids(ad_hoc, got);
    auto start = find_start(step.process(), ad_hoc, id.as_string());
    if (!start) return fail(Whose::operators, Code::wrong_type, start.error().text);
    starts.push_back({*start, {}});
  }
  return starts;
}

// The standard has no word for who starts something. In a plain model everything that nothing leads
// to is offered at once; elsewhere somebody names it.
Result<std::vector<PathStart>> first_starts(Step& step, Slot slot) {
  const Element& ad_hoc = ad_hoc_of(step, slot);
  if (!ad_hoc.active_elements.empty()) return named_starts(step, slot, ad_hoc);
  std::vector<PathStart> starts;
  if (step.dialect() != Dialect::plain) return starts;
  for (const ElementIndex element : ad_hoc.implicit_starts) starts.push_back({element, {}});
  return starts;
}

// Paths add to a variable of the sub-process, as long as nobody replaces it. See apply_ad_hoc.hpp.
void begin_collection(Step& step, Slot slot) {
  const std::string& name = ad_hoc_of(step, slot).path_output_collection;
  if (!name.empty()) create_local(step, slot, Name(name), Value(List{}));
}

Outcome<Next> activate_ad_hoc(Step& step, Slot slot, const Waiting& waiting) {
  const auto starts = first_starts(step, slot);
  if (!starts) return Failure{starts.error(), IncidentKind::extract_value, {}};
  activated(step, slot, waiting);
  begin_collection(step, slot);
  begin_paths(step, slot, *starts);
  return Next::wait;
}

// --- a path
bool has_path(const Instance& state, const ElementInstance& ad_hoc) {
  for (Slot child = ad_hoc.first_child; child != Slot::none; child = state.at(child).next) {
    if (state.at(child).is_path) return true;
  }
  return false;
}

// As with loops: a result that is a plain variable is local to the path, or paths would overwrite
// each other's.
std::string result_name(const Element& ad_hoc) {
  const model::Expression& result = ad_hoc.path_output_element;
  if (ad_hoc.path_output_collection.empty()) return "";
  if (result.language != model::Expression::Language::feel) return "";
  return result.feel.root_name().value_or("");
}

Slot make_path(Step& step, Slot ad_hoc, const Value& variables) {
  const ElementInstance& one = step.state().at(ad_hoc);
  const Key key = step.new_key();
  step.emit(ElementActivating{.key = key, .scope = one.key, .element = one.element, .path = true});
  const Slot path = step.state().slot_of.find(key);
  const std::string result = result_name(ad_hoc_of(step, ad_hoc));
  if (!result.empty()) create_local(step, path, Name(result), Value());
  write_results(step, path, variables, true);
  return path;
}

// Its first element stands in it, not begun, until it is its turn.
void queue_path(Step& step, Slot path, ElementIndex first) {
  step.emit(ElementActivating{.key = step.new_key(),
                              .scope = step.state().at(path).key,
                              .element = first,
                              .body = step.process().at(first).loop.has_value()});
}

// `later`: its first element begins in a step of its own.
void begin_path(Step& step, Slot ad_hoc, const PathStart& start, bool later) {
  const bool waits = ad_hoc_of(step, ad_hoc).sequential_ordering &&
                     has_path(step.state(), step.state().at(ad_hoc));
  const Slot path = make_path(step, ad_hoc, start.variables);
  if (waits) return queue_path(step, path, start.element);
  step.emit(ElementActivated{step.state().at(path).key});
  if (later) {
    step.emit(StartsTaken{step.state().at(path).key, {start.element}});
  } else {
    enter(step, path, start.element);
  }
}

Error results_replaced_wrongly(const Element& ad_hoc, const Value& value) {
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("output collection \"{}\" must be a list, but was replaced by {}; set it "
                          "to a list again",
                          ad_hoc.path_output_collection, kind_name(value.kind())));
}

Result<Value> result_of(Step& step, Slot path) {
  const Slot slot = step.state().at(path).parent;
  const Element& ad_hoc = ad_hoc_of(step, slot);
  const Variable* own = step.state().at(slot).variables.find(ad_hoc.path_output_collection);
  if (own && !own->value.is_list()) return results_replaced_wrongly(ad_hoc, own->value);
  PAWL_TRY(got, step.evaluate(ad_hoc.path_output_element, path));
  return Gate(step, path).admit({"output", ad_hoc.path_output_collection}, got.value, 2);
}

// What a path sees when it has completed: its result is among those that are gathered.
class NamesAfterPath final : public VisibleNames {
 public:
  NamesAfterPath(const Instance& state, Slot path, const Value& result)
      : state_(state), path_(path), result_(result) {}

  std::optional<Value> find(std::string_view name) const override {
    const ElementInstance& path = state_.at(path_);
    const ElementInstance& ad_hoc = state_.at(path.parent);
    const std::string& gathered = state_.definition_of(ad_hoc).path_output_collection;
    const std::optional<Value> now = visible_value(state_, path_, name);
    if (gathered != name || path.variables.find(name)) return now;
    List list = now && now->is_list() ? now->as_list() : List{};
    list.push_back(result_);
    return Value(std::move(list));
  }

 private:
  const Instance& state_;
  Slot path_;
  const Value& result_;
};

// After this path: should the sub-process end? Once that was decided nobody asks again.
Result<bool> completes_ad_hoc(Step& step, Slot path, const Value& result) {
  const Slot slot = step.state().at(path).parent;
  const ElementInstance& ad_hoc = step.state().at(slot);
  const model::Expression& condition = ad_hoc_of(step, slot).completion_condition;
  const bool decided = !ad_hoc.is_open() || (ad_hoc.ad_hoc && ad_hoc.ad_hoc->closed);
  if (condition.empty() || decided) return false;
  return step.truth(condition, path, NamesAfterPath(step.state(), path, result),
                    "completion condition");
}

// No path begins any more, also none of those that wait for their turn.
void close(Step& step, Slot slot) {
  const Instance& state = step.state();
  const Key key = state.at(slot).key;
  step.emit(PathsClosed{key});
  for (Slot child = state.at(slot).last_child; child != Slot::none;) {
    const ElementInstance& one = state.at(child);
    const Slot before = one.previous;
    if (one.is_path && one.life == Life::activating) terminate(step, child);
    child = before;
  }
  check_scope(step, slot);
}

void end(Step& step, Slot slot) {
  if (!ad_hoc_of(step, slot).cancel_remaining) return close(step, slot);
  if (step.state().at(slot).active_children == 0) return complete(step, slot);
  interrupt(step, slot);
}

}  // namespace

const Behaviour ad_hoc_sub_process{
    .activate = activate_ad_hoc, .leave = leave_by_conditions, .after = after_nothing};

bool is_ad_hoc(const Instance& state, const ElementInstance& one) {
  return !one.is_path && !one.is_body &&
         state.definition_of(one).kind == ElementKind::ad_hoc_sub_process;
}

Result<ElementIndex> find_start(const model::Process& process, const Element& ad_hoc,
                                std::string_view id) {
  for (const ElementIndex start : ad_hoc.implicit_starts) {
    if (process.at(start).id == id) return start;
  }
  const Element* other = process.find(id);
  if (!other || other->scope != ad_hoc.index) {
    return fail(Whose::caller, Code::not_found,
                fmt::format("there is no element \"{}\" in ad-hoc sub-process \"{}\"; {}", id,
                            ad_hoc.id, startable(process, ad_hoc)));
  }
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("{} \"{}\" is not where a path of ad-hoc sub-process \"{}\" starts; {}",
                          model::name_of(other->kind), id, ad_hoc.id, startable(process, ad_hoc)));
}

bool has_live_path(const Instance& state, const ElementInstance& ad_hoc) {
  for (Slot child = ad_hoc.first_child; child != Slot::none; child = state.at(child).next) {
    if (state.at(child).is_path && state.at(child).life != Life::terminating) return true;
  }
  return false;
}

void begin_paths(Step& step, Slot ad_hoc, const std::vector<PathStart>& starts) {
  const Key key = step.state().at(ad_hoc).key;
  std::size_t begun = 0;
  for (const PathStart& start : starts) {
    // An error in one of them may have ended this or a scope around.
    const ElementInstance* one = step.state().find(key);
    if (!one || !one->is_open() || is_ending(step.state(), ad_hoc)) return;
    begin_path(step, ad_hoc, start, begun >= limits::iterations_per_step || step.is_spent());
    ++begun;
  }
}

void start_path(Step& step, Slot path) {
  step.emit(ElementActivated{step.state().at(path).key});
  start(step, step.state().at(path).first_child);
}

void finish_path(Step& step, Slot path) {
  const Slot slot = step.state().at(path).parent;
  const bool collects = !ad_hoc_of(step, slot).path_output_collection.empty();
  auto result = collects ? result_of(step, path) : Result<Value>(Value());
  if (!result) return fail_at(step, path, {result.error(), IncidentKind::extract_value, {}});
  const auto over = completes_ad_hoc(step, path, *result);
  if (!over) return fail_at(step, path, {over.error(), IncidentKind::extract_value, {}});
  merge_into_parent(step, path);
  if (collects) step.emit(PathCollected{step.state().at(slot).key, std::move(*result)});
  step.emit(ElementCompleted{step.state().at(path).key});
  if (*over) return end(step, slot);
  check_scope(step, slot);
}

void begin_next_path(Step& step, Slot scope) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(scope);
  if (!is_ad_hoc(state, one) || !one.is_open()) return;
  for (Slot child = one.first_child; child != Slot::none; child = state.at(child).next) {
    const ElementInstance& path = state.at(child);
    if (!path.is_path) continue;
    if (path.life == Life::activating) {
      step.emit(Deferred{Work{.kind = Work::Kind::proceed, .key = path.key}, false});
    }
    return;  // the first of them runs, or does now
  }
}

bool completes_when_empty(const Instance& state, const ElementInstance& scope) {
  if (!is_ad_hoc(state, scope) || scope.taken_over) return true;
  if (!scope.ad_hoc) return false;  // no path has ended yet
  // Flowable, whose models are of this dialect, waits to be told or for its condition.
  const bool told = state.process->dialect == Dialect::camunda7 ||
                    !state.definition_of(scope).completion_condition.empty();
  return scope.ad_hoc->closed || !told;
}

void hand_out_results(Step& step, Slot slot) {
  const Instance& state = step.state();
  const ElementInstance& one = state.at(slot);
  if (!is_ad_hoc(state, one) || one.mappings_applied) return;
  const std::string& name = state.definition_of(one).path_output_collection;
  const bool iterates = one.iteration != 0;
  // What the loop around collects is read from inside.
  if (name.empty() || (iterates && state.at(one.parent).loop->output_name.text() == name)) return;
  const Variable* own = one.variables.find(name);
  Value list = own ? own->value : Value(one.ad_hoc ? one.ad_hoc->outputs : List{});
  iterates ? write_result(step, slot, name, list) : write_outside(step, slot, name, list);
}

}  // namespace pawl::engine

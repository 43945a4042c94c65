// SPDX-License-Identifier: Apache-2.0
// The executable process graph: immutable once built, indexed by small integers, expressions
// compiled once. Made by the BPMN reader (or drawn by a test), read by the engine from any thread.
// Whatever BPMN says about run time is here, also what the engine cannot run yet: refusing that is
// the engine's decision (engine/support.hpp), not the reader's.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "model/expression.hpp"
#include "model/held.hpp"
#include "model/kinds.hpp"
#include "value/name.hpp"
#include "value/value.hpp"

namespace pawl::model {

// Where in the source an element stands; 0 means unknown (drawn in a test).
struct Place {
  std::uint32_t line{0};
  std::uint32_t column{0};
};

struct Flow {
  FlowIndex index{FlowIndex::none};
  std::string id{};
  std::string name{};
  ElementIndex source{ElementIndex::none};
  ElementIndex target{ElementIndex::none};
  Expression condition{};  // empty: unconditional
  Place place{};
};

// source expression → target variable path ("order.total"). An empty source gives null.
struct Mapping {
  Expression source{};
  std::string target{};
  std::vector<std::string> path{};  // target split at dots; never empty
  Place place{};
};

// Work for a worker outside. Expressions are evaluated when the element is activated.
struct JobDefinition {
  Expression type{};
  Name type_name{};       // of a literal type, made once for all jobs
  Expression retries{};   // empty: 3
  Expression priority{};  // empty: 0
  std::vector<std::pair<std::string, std::string>> headers{};
};

// Jobs around the life of an element, one after the other.
struct Listeners {
  std::vector<JobDefinition> before_all{};  // on the body of a loop, before it is counted
  std::vector<JobDefinition> start{};
  std::vector<JobDefinition> end{};
};

struct ScriptDefinition {
  Expression script{};            // FEEL or JavaScript
  std::string result_variable{};  // empty: only what the script assigns itself
};

struct UserTaskDefinition {
  Expression assignee{};
  Expression candidate_groups{};
  Expression candidate_users{};
  Expression due_date{};
  Expression follow_up_date{};
  Expression priority{};
  std::string form_key{};
  std::string form_id{};
  bool native{false};  // zeebe:userTask, as against a job-based one
};

// A business rule task that calls a decision instead of creating a job.
struct DecisionDefinition {
  Expression decision_id{};
  std::string result_variable{};
  std::string binding{};  // latest, deployment, version, versionTag
  std::string version{};
};

// Camunda 7's in and out of a call: one variable, or the value of an expression, of the process
// that gives becomes a variable of the one that takes.
struct CallMapping {
  std::string variable{};  // empty: the expression
  Expression source{};
  std::string target{};
  bool local{false};  // only what the call activity has itself; to the call activity itself
};

struct CallDefinition {
  // Which version of the process: the newest, the one of the caller's deployment, a number, a tag.
  enum class Binding : std::uint8_t { latest, deployment, version, version_tag };
  Expression process_id{};
  Binding binding{Binding::latest};
  Expression version{};             // number or tag
  bool propagate_all_parent{true};  // Zeebe's defaults; Camunda 7 differs
  bool propagate_all_child{true};
  bool passes_locals{true};   // what the call activity has itself is passed in any case
  bool only_locals{false};    // Camunda 7: "all" means all of the call activity itself
  Expression business_key{};  // Camunda 7
  std::vector<CallMapping> inputs{};
  std::vector<CallMapping> outputs{};
};

struct TimerDefinition {
  enum class Kind : std::uint8_t { date, duration, cycle };
  Kind kind{Kind::duration};
  Expression value{};
};

// One event definition of an event.
struct EventDefinition {
  EventKind kind{EventKind::none};
  std::string ref_id{};  // id of the message, signal, error, escalation it refers to
  Expression name{};     // message or signal name; link name
  Expression code{};     // error or escalation code; empty: any
  Expression correlation_key{};
  std::string code_variable{};     // camunda:errorCodeVariable, escalationCodeVariable
  std::string message_variable{};  // camunda:errorMessageVariable
  std::optional<TimerDefinition> timer{};
  Expression condition{};
  std::string variable_name{};                 // conditional: filter
  std::vector<std::string> variable_events{};  // conditional: create, update
  std::string activity_ref{};                  // compensation
  bool wait_for_completion{true};
  Place place{};
};

// Of a multi-instance loop with behavior="Complex": when the condition holds after an iteration,
// the event is thrown.
struct LoopBehavior {
  Expression condition{};
  EventDefinition event{};
};

// What pawl: attributes say about a loop beyond BPMN (docs/multi-instance.md).
struct LoopOptions {
  enum class Join : std::uint8_t { all, count, none };
  enum class OnError : std::uint8_t { by_dialect, incident, fail, tolerate, collect };
  Expression minimum{};  // of iterations; fewer is an incident
  Expression maximum{};  // more is an incident
  Join join{Join::all};
  Expression join_count{};  // for Join::count; "first" is the literal 1
  OnError on_error{OnError::by_dialect};
  Expression tolerated{};        // for OnError::tolerate: how many failures
  Expression concurrency{};      // at most so many at once; empty: no bound
  bool completion_order{false};  // of the output; else by item
  bool compact{false};           // no holes in the output
};

struct LoopDefinition {
  enum class Kind : std::uint8_t { multi_instance, standard };
  enum class Behavior : std::uint8_t { all, one, none, complex };
  Kind kind{Kind::multi_instance};
  bool sequential{false};
  Expression cardinality{};
  Expression collection{};
  std::string item_variable{};
  std::string index_variable{};  // Flowable: the counter, under a name of the model
  std::string output_collection{};
  Expression output_element{};  // Zeebe
  std::string output_item{};    // others: the variable that is collected
  Expression completion_condition{};
  // standard loop
  bool test_before{false};
  Expression loop_condition{};
  std::optional<std::int64_t> loop_maximum{};
  // What a completed iteration tells the boundary events: nothing by default (BPMN 2.0, 13.3.7).
  Behavior behavior{Behavior::all};
  std::optional<EventDefinition> behavior_event{};  // thrown after one, or after each
  std::vector<LoopBehavior> complex_behaviors{};
  LoopOptions options{};

  // Results of the iterations become a list.
  bool collects() const {
    return !output_collection.empty() && (!output_element.empty() || !output_item.empty());
  }
};

inline constexpr std::uint32_t no_join = UINT32_MAX;

struct Element {
  ElementIndex index{ElementIndex::none};
  ElementKind kind{ElementKind::task};
  EventKind event{EventKind::none};  // of an event; of an event sub-process: of its start event
  std::string id{};
  std::string name{};
  Place place{};
  ElementIndex scope{ElementIndex::none};  // the container; none for the process itself

  // Graph, in file order.
  std::vector<FlowIndex> incoming{};
  std::vector<FlowIndex> outgoing{};
  FlowIndex default_flow{FlowIndex::none};

  // Boundary events.
  ElementIndex attached_to{ElementIndex::none};
  std::vector<ElementIndex> boundary_events{};  // attached to this one
  bool interrupting{true};  // boundary event; start event of an event sub-process, and the latter

  // Containers.
  std::vector<ElementIndex> children{};
  std::vector<ElementIndex> start_events{};
  ElementIndex none_start{ElementIndex::none};  // where the container begins by itself
  std::vector<ElementIndex> event_sub_processes{};
  std::vector<ElementIndex>
      inclusive_joins{};  // children: inclusive gateways with several incoming
  // Where a container without any start event begins: all of these at once (BPMN 2.0, 13.3.4).
  std::vector<ElementIndex> implicit_starts{};
  std::optional<WriteRule> own_write_rule{};  // as the model sets it
  WriteRule write_rule{WriteRule::shared};    // in force: own, else inherited, else the dialect's

  // What it does.
  std::vector<EventDefinition> events{};
  Held<JobDefinition> job{};
  Held<ScriptDefinition> script{};
  Held<UserTaskDefinition> user_task{};
  Held<DecisionDefinition> decision{};
  Held<CallDefinition> call{};
  Held<LoopDefinition> loop{};
  Held<Listeners> listeners{};
  std::vector<Mapping> inputs{};
  std::vector<Mapping> outputs{};

  std::int64_t start_quantity{1};         // tokens that are needed to begin
  std::int64_t completion_quantity{1};    // tokens that leave
  std::vector<std::string> data_names{};  // of its data objects and properties

  bool continue_as_new{false};  // none end event of the process: the next execution begins

  bool for_compensation{false};
  ElementIndex compensation_handler{ElementIndex::none};  // of a compensation boundary event
  ElementIndex compensates{
      ElementIndex::none};  // of a compensation throw event: only this activity
  ElementIndex link_target{ElementIndex::none};  // of a link throw event: the catch event
  bool instantiate{false};            // receive task or event-based gateway that starts a process
  Expression completion_condition{};  // ad-hoc sub-process
  Expression active_elements{};       // ad-hoc sub-process, Zeebe
  bool cancel_remaining{true};        // ad-hoc sub-process
  bool sequential_ordering{false};    // ad-hoc sub-process
  std::string path_output_collection{};  // ad-hoc sub-process, Zeebe: results of its paths
  Expression path_output_element{};
  Expression activation_condition{};  // complex gateway

  // What the model asks for and no release runs yet, found by the reader while it had the XML:
  // "execution listener \"audit\"". The engine refuses it with this text.
  std::vector<std::string> unsupported{};

  // Inclusive gateway with several incoming flows: its place in `inclusive_joins` of its scope.
  std::uint32_t join_place{no_join};
  std::uint32_t ahead{0};  // place in Process::ahead
};

// Places in Element::inclusive_joins of a scope: from, and up to but not including to.
struct JoinRange {
  std::uint32_t from{0};
  std::uint32_t to{0};
};

class Process {
 public:
  std::string id{};
  std::string name{};
  std::string version_tag{};
  std::string file{};
  Dialect dialect{Dialect::plain};
  bool executable{true};
  bool global_task{false};  // made from a global task: can be called, is not started by itself
  std::vector<Element> elements{};  // [0] is the process itself
  std::vector<Flow> flows{};
  std::optional<Place> first_script{};  // of all JavaScript in it, if there is any

  bool has_scripts() const { return first_script.has_value(); }
  const Element& root() const { return elements[0]; }
  const Element& at(ElementIndex index) const { return elements[number(index)]; }
  const Flow& at(FlowIndex index) const { return flows[number(index)]; }
  const Element* find(std::string_view element_id) const;  // linear; for commands and tests

  // The inclusive joins of its scope that a token at `from` can still come to by way of sequence
  // flows, of a boundary event of an activity on the way, or of a link. A join that it is at
  // already is among them only if it can come there again.
  std::span<const JoinRange> joins_ahead(ElementIndex from) const;
  // The same for one inclusive join; false for a token that is there already.
  bool reaches(ElementIndex from, ElementIndex join) const;

  std::vector<std::vector<JoinRange>> ahead{};  // shared by elements that see the same
  std::size_t most_joins{0};                    // inclusive ones in one scope
  bool joins_unknown{false};  // there are too many, too entangled: the engine refuses it
};

using ProcessPtr = std::shared_ptr<const Process>;

// Completes a graph whose elements and flows are filled: incoming and outgoing lists, children,
// boundary lists, start events, event sub-processes, links, write rules, reachability. The
// reader and the tests' drawings both end with it. Expects valid indexes.
void link(Process& process);

}  // namespace pawl::model

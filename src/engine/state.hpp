// SPDX-License-Identifier: Apache-2.0
// The state of one instance: a slot map of element instances, each the scope of what runs inside
// it, and the agenda of work still to do. Read by everyone, changed only by apply (apply.hpp).
// Whether a scope is empty is a comparison with 0; parent, children and definition are found by
// index; nothing searches.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/agenda.hpp"
#include "engine/events.hpp"
#include "engine/key_map.hpp"
#include "engine/slots.hpp"
#include "engine/variable_map.hpp"
#include "model/process.hpp"

namespace pawl::engine {

// Life of an element instance; one that has ended is no longer in the state.
enum class Life : std::uint8_t { activating, activated, completing, terminating };

enum class JobState : std::uint8_t {
  activatable,
  failed,        // waits for its back-off, or for an operator (no retries left)
  error_thrown,  // with a BPMN error that nothing caught
};

struct Job {
  Key key{Key::none};
  Name type{};
  std::int32_t retries{0};
  std::int32_t priority{0};
  Value details{};
  JobKind kind{JobKind::task};
  JobState state{JobState::activatable};
  Instant retry_at{};
};

struct Incident {
  Key key{Key::none};
  IncidentKind kind{IncidentKind::unknown};
};

// What an element instance waits for in the world outside.
struct Waits {
  struct Timer {
    Key key{Key::none};
    ElementIndex target{ElementIndex::none};
    Instant due{};
    std::int32_t repetitions{0};
    std::string cycle{};
  };
  struct Subscription {
    Key key{Key::none};
    ElementIndex target{ElementIndex::none};
    MailKind kind{MailKind::message};
    Name name{};
    std::string correlation{};
    Key last_mail{Key::none};  // the same mail is never taken twice
  };
  std::vector<Timer> timers{};
  std::vector<Subscription> subscriptions{};
};

// Of a call activity: the instance that it waits for. One that has ended is kept only until its
// out mappings are done.
struct Call {
  Key child{Key::none};
  bool ended{false};
  bool cancelling{false};
  Value result{};
  std::uint32_t escalated{0};  // how often the child has told of an escalation
};

// What waits until its host has terminated or its scope is empty. An event sub-process has it until
// its start event begins.
struct Trigger {
  ElementIndex boundary{ElementIndex::none};  // or start event of an event sub-process
  Value variables{};
};

// Tokens that wait at the joining gateways of one scope.
struct Arrivals {
  struct Waiting {
    FlowIndex flow{FlowIndex::none};
    std::uint32_t count{0};
  };
  std::vector<Waiting> waiting{};  // by arrival; entries with count 0 are removed
  // For each inclusive join of the scope (Element::inclusive_joins): how many tokens of the scope
  // can still reach it. Zero means: nothing more can arrive.
  std::vector<std::uint32_t> approaching{};
  std::uint32_t parked{0};  // sum of the counts above
};

// What the body of a loop knows. The output is kept by index, so that collecting one costs the same
// whatever the size; the list is built once, when the body completes.
struct Loop {
  std::uint32_t total{0};
  std::uint32_t spawned{0};
  std::uint32_t completed{0};
  std::uint32_t terminated{0};
  std::uint32_t failed{0};
  std::uint32_t concurrency{0};
  std::uint32_t needed{0};
  std::uint32_t tolerated{0};
  bool detached{false};
  Value items{};               // a list as it was counted; null: the loop has none
  std::vector<Value> added{};  // items that came later
  Name item_name{};            // made once for all iterations
  Name index_name{};           // empty: only loopCounter counts
  Name output_name{};  // what a result is written to, local to the iteration; empty: nothing is
  std::vector<Value> outputs{};
  std::vector<bool> filled{};
  std::unique_ptr<LoopFailed> failure{};
  std::vector<std::uint32_t> removed{};  // iterations that an operator has taken away

  // Of an iteration, which are numbered from 1.
  const Value& item_of(std::uint32_t iteration) const;
  // The output as it is now, or will be with the next one: a list in the order and form that the
  // model asks for.
  Value output_list(const model::LoopDefinition& definition,
                    const IterationCollected* next = nullptr) const;
};

// What has completed and can be undone: an activity with a handler, or a scope with such inside.
struct Undoable {
  ElementIndex element{ElementIndex::none};
  ElementIndex handler{ElementIndex::none};  // none: only what is inside can be undone
  Value variables{};                         // of its own, as they were when it completed
  // Of the completed scopes around it, the outermost first; known when it is about to be undone.
  std::vector<Value> around{};
  std::vector<Undoable> inside{};
};

struct Compensation {
  std::vector<Undoable> done{};  // in this scope, in order of completion
  std::vector<Undoable>
      pending{};       // of an event that undoes: what is still to begin, the next last
  bool thrown{false};  // it is such an event, and its handlers run
};

// What an ad-hoc sub-process knows of its paths.
struct AdHoc {
  std::vector<Value> outputs{};
  bool closed{false};
};

struct ElementInstance {
  Key key{Key::none};
  ElementIndex element{ElementIndex::none};
  Slot parent{Slot::none};
  Slot first_child{Slot::none};
  Slot last_child{Slot::none};
  Slot previous{Slot::none};  // siblings, in order of activation
  Slot next{Slot::none};
  std::uint32_t active_children{0};
  std::uint32_t active_tokens{0};  // taken flows: on their way, or parked at a join
  Life life{Life::activating};
  bool mappings_applied{false};  // of the current phase
  bool interrupted{false};       // its children end, then it completes or is taken over
  bool taken_over{false};        // by an interrupting event sub-process: all that runs in it now
  bool is_body{false};           // of a loop
  bool failed{false};            // an iteration that failed; it is counted as such
  bool skipped{false};           // an iteration that ends as if it had completed
  bool is_path{false};           // of an ad-hoc sub-process
  std::uint16_t listened{0};     // listeners of the current phase that are done
  std::uint32_t iteration{0};    // number in its loop, from 1; 0: not an iteration
  VariableMap variables{};
  std::unique_ptr<Job> job{};
  std::unique_ptr<Incident> incident{};
  std::unique_ptr<Waits> waits{};
  std::unique_ptr<Trigger> trigger{};
  std::unique_ptr<Arrivals> arrivals{};
  std::unique_ptr<Loop> loop{};
  std::unique_ptr<Call> call{};
  std::unique_ptr<Compensation> compensation{};
  std::unique_ptr<AdHoc> ad_hoc{};

  bool waits_for_call() const { return call && !call->ended; }
  bool is_empty() const { return active_children == 0 && active_tokens == 0; }
  // Its children end; nothing new begins in it.
  bool winds_down() const { return interrupted && !taken_over; }
  // Tokens move in it, and its event sub-processes may begin.
  bool is_open() const { return life == Life::activated && !interrupted; }
};

// continued: this execution ended, the runtime starts the next one with `next_variables`.
enum class Ended : std::uint8_t { no, completed, terminated, continued };

struct Instance {
  explicit Instance(model::ProcessPtr definition) : process(std::move(definition)) {}

  model::ProcessPtr process;
  Key key{Key::none};
  std::uint32_t execution{1};
  std::uint32_t rules{0};  // InstanceStarted::rules
  std::string id{};
  std::string business_id{};
  Ended ended{Ended::no};
  bool continues{false};             // as a new execution, when the root has ended
  Value next_variables{};            // of that execution; null: those that the root had at its end
  VariableMap last_variables{};      // of the root, once it has ended
  std::unique_ptr<Caller> caller{};  // null: nobody called it
  std::unique_ptr<ErrorEscaped> escaped{};  // the error that it ends with
  std::uint32_t cancelling{0};              // calls whose child is asked to end
  std::uint64_t unrested{0};                // steps in turns that were cut, since it last waited
  Key halted{Key::none};                    // the incident until which nothing moves
  std::size_t value_bytes{0};               // of all values in it, as stored (weight.hpp)
  Slots<ElementInstance> slots{};
  std::vector<Slot> free_slots{};
  KeyMap slot_of{};  // element instances, jobs, incidents, timers … → their owner
  Slot root{Slot::none};
  Agenda agenda{};

  const ElementInstance& at(Slot slot) const { return slots[number(slot)]; }
  // nullptr if there is no such element instance now.
  const ElementInstance* find(Key element_instance) const;
  const ElementInstance* find_job_owner(Key job) const;
  const ElementInstance* find_incident_owner(Key incident) const;
  const Waits::Timer* find_timer(Key timer) const;
  const Waits::Subscription* find_subscription(Key subscription) const;
  const model::Element& definition_of(const ElementInstance& instance) const {
    return process->at(instance.element);
  }
  const ElementInstance* parent_of(const ElementInstance& instance) const {
    return instance.parent == Slot::none ? nullptr : &at(instance.parent);
  }
  const ElementInstance& root_scope() const { return at(root); }
};

// All element instances, each before those inside it, siblings by age: an order that does not
// depend on the slots they are in, which are others after an instance was brought back.
std::vector<Slot> in_order(const Instance& instance);

// Something around the element instance is ending, and it with that, in a later step of a turn that
// was cut: nothing happens to it any more.
bool is_ending(const Instance& instance, Slot slot);

// Everything in the state as text, for comparing two states and for messages of failing tests.
std::string describe(const Instance& instance);

// The first broken invariant (S9), or an empty text. Walks the whole state: for tests only.
std::string broken_invariant_of(const Instance& instance);

}  // namespace pawl::engine

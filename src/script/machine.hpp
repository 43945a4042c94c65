// SPDX-License-Identifier: Apache-2.0
// The JavaScript engine of one thread: a context, the programs compiled on it, and the budget of
// the run that is under way. Made at the thread's first script, gone with the thread.
#pragma once

#include <js/experimental/JSStencil.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "script/allocation_meter.hpp"
#include "script/engine.hpp"
#include "script/handover.hpp"
#include "script/microtasks.hpp"
#include "script/script.hpp"
#include "script/watchdog.hpp"

namespace pawl::script {

// The run that is under way.
struct Run {
  const Environment& environment;
  Handover handover;
  std::uint64_t random_state{0};
};

class Machine {
 public:
  enum class Stop : std::uint8_t { none, time, memory };

  // The calling thread's; nullptr if the engine cannot be started.
  static Machine* of_this_thread();
  static Machine& of(JSContext* cx) { return *static_cast<Machine*>(JS_GetContextPrivate(cx)); }
  // The next run on this thread gets a new context. For after a budget was used up: what state the
  // engine is in then is not worth a thought.
  static void discard();

  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  JSContext* context() { return context_.get(); }
  JSObject* home() { return home_->get(); }  // a global for what is not a run
  Microtasks& microtasks() { return *microtasks_; }
  Run* run() { return run_; }
  Stop stopped() const { return stopped_; }
  AllocationMeter* meter() { return meter_ ? &*meter_ : nullptr; }

  // nullptr: an exception is pending.
  RefPtr<JS::Stencil> compiled(const Program& program);

  // From here to the end of its life, `run` is the current one and its budget counts.
  class Session {
   public:
    Session(Machine& machine, Run& run);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

   private:
    Machine& machine_;
  };

 private:
  struct Destroy {
    void operator()(JSContext* cx) const { JS_DestroyContext(cx); }
  };
  struct Compiled {
    RefPtr<JS::Stencil> stencil;
    std::uint64_t last_use{0};
  };

  Machine();
  bool start();
  void configure();
  bool make_home();
  static bool on_interrupt(JSContext* cx);
  static void on_collection(JSContext* cx, JSGCStatus status, JS::GCReason reason, void* data);
  bool may_go_on();
  bool has_memory_left();
  std::int64_t measured_bytes();
  void forget_oldest_program();

  std::unique_ptr<JSContext, Destroy> context_;
  std::unique_ptr<Microtasks> microtasks_;
  std::optional<JS::PersistentRootedObject> home_;
  std::optional<JS::PersistentRootedObject> memory_info_;
  std::unique_ptr<Watchdog::Watched> watched_;
  std::optional<AllocationMeter> meter_;
  std::map<std::uint64_t, Compiled> programs_{};
  std::uint64_t uses_{0};
  Run* run_{nullptr};
  Stop stopped_{Stop::none};
};

}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
#include "script/machine.hpp"

#include <js/ArrayBuffer.h>
#include <js/Context.h>
#include <js/ContextOptions.h>
#include <js/Date.h>
#include <js/GCAPI.h>
#include <js/Initialization.h>
#include <js/Interrupt.h>
#include <js/LocaleSensitive.h>
#include <js/SourceText.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "script/globals.hpp"

namespace pawl::script {
namespace {

constexpr std::size_t stack_bytes = 2u << 20;  // of the 8 MB that a thread usually has
constexpr std::size_t nursery_bytes = 4u << 20;
// Realms of finished runs pile up until then. Small, so that they stay in the processor's cache:
// with 27, the default, a run takes twice as long.
constexpr std::uint32_t collect_at_megabytes = 4;
constexpr std::uint32_t own_heap_bytes = 32u << 20;  // what the machine itself needs, with garbage
constexpr std::size_t programs_kept = 512;

// The time a script sees is the turn's, not the clock's.
double script_time(double clock_micros, JSContext* cx) {
  const Run* run = Machine::of(cx).run();
  if (run == nullptr) return clock_micros;
  return static_cast<double>(run->environment.now.time_since_epoch().count()) * 1000.0;
}

std::atomic<int> machines_alive{0};

// The library insists on being shut down before the process ends, and on all contexts being gone.
struct Engine {
  Engine() {
    install_allocation_meter();
    // No code is made at run time, also not for regular expressions: no page is ever executable
    // that a script could have written to, and most holes that engines have are in their compilers.
    JS::DisableJitBackend();
    started = JS_Init();
    if (!started) return;
    JS::SetReduceMicrosecondTimePrecisionCallback(script_time);
    JS::SetLargeArrayBuffersEnabled(false);
  }
  ~Engine() {
    if (started && machines_alive == 0) JS_ShutDown();
  }
  bool started{false};
};

bool start_engine() {
  static const Engine engine;
  return engine.started;
}

std::unique_ptr<Machine>& machine_of_this_thread() {
  thread_local std::unique_ptr<Machine> machine;
  return machine;
}

void mark_collecting(JSContext* cx, JS::GCNurseryProgress progress, JS::GCReason) {
  if (AllocationMeter* meter = Machine::of(cx).meter()) {
    meter->set_collecting(progress == JS::GCNurseryProgress::GC_NURSERY_COLLECTION_START);
  }
}

void request_interrupt(void* context) {
  JS_RequestInterruptCallback(static_cast<JSContext*>(context));
}

}  // namespace

Machine* Machine::of_this_thread() {
  auto& machine = machine_of_this_thread();
  if (machine == nullptr) {
    if (!start_engine()) return nullptr;
    std::unique_ptr<Machine> made(new Machine);
    if (!made->start()) return nullptr;
    machine = std::move(made);
  }
  return machine.get();
}

void Machine::discard() { machine_of_this_thread().reset(); }

Machine::Machine() { ++machines_alive; }

Machine::~Machine() {
  watched_.reset();
  programs_.clear();
  memory_info_.reset();
  home_.reset();
  if (context_ != nullptr && microtasks_ != nullptr) microtasks_->drop();
  microtasks_.reset();
  context_.reset();
  --machines_alive;
}

bool Machine::start() {
  context_.reset(JS_NewContext(own_heap_bytes + limits::script_heap_bytes));
  if (context_ == nullptr) return false;
  configure();
  if (!JS::InitSelfHostedCode(context())) return false;
  microtasks_ = std::make_unique<Microtasks>(context());
  JS::SetJobQueue(context(), microtasks_.get());
  if (!make_home()) return false;
  watched_ = std::make_unique<Watchdog::Watched>(context());
  return JS_AddInterruptCallback(context(), on_interrupt);
}

void Machine::configure() {
  JSContext* cx = context();
  JS_SetContextPrivate(cx, this);
  JS_SetNativeStackQuota(cx, stack_bytes);
  JS_SetGCParameter(cx, JSGC_MAX_NURSERY_BYTES, nursery_bytes);
  JS_SetGCParameter(cx, JSGC_ALLOCATION_THRESHOLD, collect_at_megabytes);
  JS_SetGCCallback(cx, on_collection, this);
  JS::SetGCNurseryCollectionCallback(cx, mark_collecting);
  JS_SetDefaultLocale(JS_GetRuntime(cx), "en-US");
  JS::ContextOptionsRef(cx).setAsmJS(false).setWasm(false).setWasmBaseline(false).setWasmIon(false);
}

bool Machine::make_home() {
  JSContext* cx = context();
  JS::RootedObject home(cx, new_global(cx, nullptr));
  if (!home) return false;
  home_.emplace(cx, home);
  JSAutoRealm realm(cx, home);
  JS::RootedObject info(cx, js::gc::NewMemoryInfoObject(cx));
  if (!info) return false;
  memory_info_.emplace(cx, info);
  return true;
}

RefPtr<JS::Stencil> Machine::compiled(const Program& program) {
  Compiled& entry = programs_[program.id()];
  entry.last_use = ++uses_;
  if (entry.stencil) return entry.stencil;

  JSContext* cx = context();
  const std::string source = wrapped_source(program);
  JS::SourceText<mozilla::Utf8Unit> text;
  const JS::CompileOptions options(
      cx);  // no file name: with one, every run takes half as long again
  if (text.init(cx, source.data(), source.size(), JS::SourceOwnership::Borrowed)) {
    entry.stencil = JS::CompileGlobalScriptToStencil(cx, options, text);
  }
  RefPtr<JS::Stencil> stencil = entry.stencil;
  if (!stencil) programs_.erase(program.id());
  if (programs_.size() > programs_kept) forget_oldest_program();
  return stencil;
}

void Machine::forget_oldest_program() {
  const auto oldest = std::min_element(
      programs_.begin(), programs_.end(),
      [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
  programs_.erase(oldest);
}

Machine::Session::Session(Machine& machine, Run& run) : machine_(machine) {
  const Environment& environment = run.environment;
  machine.run_ = &run;
  machine.stopped_ = Stop::none;
  const std::uint64_t heap = std::uint64_t{own_heap_bytes} + environment.heap_bytes;
  JS_SetGCParameter(machine.context(), JSGC_MAX_BYTES,
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(heap, UINT32_MAX)));
  machine.meter_.emplace(environment.heap_bytes, request_interrupt, machine.context());
  machine.watched_->start(std::chrono::milliseconds(environment.millis));
}

Machine::Session::~Session() {
  machine_.watched_->stop();
  machine_.meter_.reset();
  machine_.microtasks_->drop();
  machine_.run_ = nullptr;
}

void Machine::on_collection(JSContext* cx, JSGCStatus status, JS::GCReason, void*) {
  if (AllocationMeter* meter = Machine::of(cx).meter()) meter->set_collecting(status == JSGC_BEGIN);
}

bool Machine::on_interrupt(JSContext* cx) {
  Machine& machine = Machine::of(cx);
  if (machine.run_ == nullptr || machine.may_go_on()) return true;
  // Not catchable, and every later check stops as well: no script gets past this.
  JS_RequestInterruptCallback(cx);
  return false;
}

bool Machine::may_go_on() {
  if (stopped_ != Stop::none) return false;
  if (watched_->is_time_up()) {
    stopped_ = Stop::time;
  } else if (!has_memory_left()) {
    stopped_ = Stop::memory;
  }
  return stopped_ == Stop::none;
}

bool Machine::has_memory_left() {
  if (!meter_ || meter_->has_refused()) return !meter_;
  if (!meter_->is_check_due()) return true;
  const auto limit = static_cast<std::int64_t>(run_->environment.heap_bytes);
  std::int64_t used = measured_bytes();
  // Not only beyond the limit: the next request may be a large one, and garbage would stand in its
  // way.
  if (used > limit / 4 * 3) {
    // Twice: the second collection waits until the helper threads have freed what the first found.
    JS_GC(context());
    JS_GC(context());
    used = measured_bytes();
  }
  meter_->correct(used);
  return used <= limit;
}

// As the engine itself counts: buffers that belong to live objects, or to garbage not yet found.
std::int64_t Machine::measured_bytes() {
  JSContext* cx = context();
  JSAutoRealm realm(cx, home());
  JS::RootedObject info(cx, memory_info_->get());
  JS::RootedValue bytes(cx);
  if (!JS_GetProperty(cx, info, "mallocBytes", &bytes) || !bytes.isNumber()) {
    JS_ClearPendingException(cx);
    return 0;
  }
  return static_cast<std::int64_t>(bytes.toNumber());
}

}  // namespace pawl::script

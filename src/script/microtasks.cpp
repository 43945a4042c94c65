// SPDX-License-Identifier: Apache-2.0
#include "script/microtasks.hpp"

#include <js/Interrupt.h>

namespace pawl::script {

bool Microtasks::run(JSContext* cx) {
  JS::RootedObject job(cx);
  JS::RootedValue ignored(cx);
  while (!empty()) {
    if (!JS_CheckForInterrupt(cx)) return false;
    job = jobs_[next_];
    jobs_[next_].set(nullptr);
    ++next_;
    JSAutoRealm realm(cx, job);
    JS::RootedValue callee(cx, JS::ObjectValue(*job));
    if (!JS::Call(cx, JS::UndefinedHandleValue, callee, JS::HandleValueArray::empty(), &ignored)) {
      if (!JS_IsExceptionPending(cx)) return false;
      JS_ClearPendingException(cx);  // a reaction's own error has settled its promise
    }
  }
  drop();
  return true;
}

void Microtasks::drop() {
  jobs_.clear();
  next_ = 0;
}

JSObject* Microtasks::getIncumbentGlobal(JSContext* cx) { return JS::CurrentGlobalOrNull(cx); }

bool Microtasks::enqueuePromiseJob(JSContext* cx, JS::HandleObject, JS::HandleObject job,
                                   JS::HandleObject, JS::HandleObject) {
  // An endless chain of reactions must not keep those that are done.
  if (next_ > 1024 && next_ * 2 > jobs_.length()) {
    jobs_.erase(jobs_.begin(), jobs_.begin() + next_);
    next_ = 0;
  }
  if (jobs_.append(job)) return true;
  JS_ReportOutOfMemory(cx);
  return false;
}

// Only the debugger interface asks for this, and there is none.
js::UniquePtr<JS::JobQueue::SavedJobQueue> Microtasks::saveJobQueue(JSContext* cx) {
  JS_ReportOutOfMemory(cx);
  return nullptr;
}

}  // namespace pawl::script

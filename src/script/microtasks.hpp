// SPDX-License-Identifier: Apache-2.0
// The queue of promise reactions. It is emptied after every run, and what a run leaves behind when
// it fails is dropped, so that nothing of one script is executed in the next.
#pragma once

#include <js/GCVector.h>
#include <js/Promise.h>

#include "script/engine.hpp"

namespace pawl::script {

class Microtasks final : public JS::JobQueue {
 public:
  explicit Microtasks(JSContext* cx) : jobs_(cx) {}

  // Runs until nothing is left. False: the script was stopped.
  bool run(JSContext* cx);
  void drop();

  JSObject* getIncumbentGlobal(JSContext* cx) override;
  bool enqueuePromiseJob(JSContext* cx, JS::HandleObject promise, JS::HandleObject job,
                         JS::HandleObject allocation_site,
                         JS::HandleObject incumbent_global) override;
  void runJobs(JSContext* cx) override { run(cx); }
  bool empty() const override { return next_ == jobs_.length(); }

 private:
  js::UniquePtr<SavedJobQueue> saveJobQueue(JSContext*) override;

  JS::PersistentRooted<JS::GCVector<JSObject*, 0, js::SystemAllocPolicy>> jobs_;
  std::size_t next_{0};
};

}  // namespace pawl::script

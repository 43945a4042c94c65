// SPDX-License-Identifier: Apache-2.0
#include "engine/handlers.hpp"

namespace pawl::engine {
namespace {

Error not_yet() {
  return fail(Whose::caller, Code::not_supported, "this version of Pawl cannot do that");
}

}  // namespace

Result<void> handle(Step&, const RemoveIteration&) { return not_yet(); }
Result<void> handle(Step&, const ActivateActivities&) { return not_yet(); }
Result<void> handle(Step&, const CompleteAdHoc&) { return not_yet(); }

}  // namespace pawl::engine

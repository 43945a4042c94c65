// SPDX-License-Identifier: Apache-2.0
#include "engine/handlers.hpp"

namespace pawl::engine {
namespace {

Error not_yet() {
  return fail(Whose::caller, Code::not_supported, "this version of Pawl cannot do that");
}

}  // namespace

Result<void> handle(Step&, const MigrateInstance&) { return not_yet(); }

}  // namespace pawl::engine

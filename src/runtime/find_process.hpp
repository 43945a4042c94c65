// SPDX-License-Identifier: Apache-2.0
// Where folding finds the processes of a node: those that instances begin with, and those that they
// are migrated to.
#pragma once

#include "engine/apply.hpp"
#include "runtime/definition.hpp"

namespace pawl::runtime {

// As long as the definitions live.
inline engine::FindProcess find_process(const Definitions& definitions) {
  return [&definitions](Key key) -> Result<model::ProcessPtr> {
    PAWL_TRY(found, definitions.find(key));
    return found->process;
  };
}

}  // namespace pawl::runtime

// SPDX-License-Identifier: Apache-2.0
// bring_back: an instance as its past says that it is now. A snapshot belongs to the process that
// the instance followed then; one from before a migration is not used, the whole past is folded.
#pragma once

#include "engine/apply.hpp"
#include "store/index.hpp"

namespace pawl::store {

struct BroughtBack {
  engine::Instance state;
  Key definition{Key::none};     // that it follows now
  bool without_snapshot{false};  // there is one, but from before a migration
};

// `past` is that of an instance which has not ended.
Result<BroughtBack> bring_back(const Index& index, const Past& past,
                               const engine::FindProcess& find);

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include "store/loop_report.hpp"

#include <fmt/format.h>

namespace pawl::store {

Result<LoopReport> loop_report(const Index& index, Key body, const engine::FindProcess& find) {
  PAWL_TRY(owner, index.owner_of(body));
  PAWL_TRY(past, index.past_of(owner.value_or(body)));
  if (past && past->row.state == InstanceState::active) {
    PAWL_TRY(back, bring_back(index, *past, find));
    const engine::ElementInstance* one = back.state.find(body);
    if (one && one->is_body && one->loop) {
      return LoopReport{back.state.key, back.state.definition_of(*one).id, progress_of(*one)};
    }
  }
  return fail(Whose::caller, Code::not_found,
              fmt::format("no multi-instance body that runs has the key {}; `pawl show INSTANCE` "
                          "has the keys",
                          number(body)));
}

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include "store/patience.hpp"

#include <fmt/format.h>

namespace pawl::store {
namespace {

thread_local const Patience* working_for = nullptr;

}  // namespace

Result<void> Patience::check() const {
  if (given_up_) {
    return fail(Whose::machine, Code::too_slow, "it was ended: nobody waits for the answer");
  }
  if (Clock::now() < until_) return {};
  return fail(Whose::machine, Code::too_slow,
              fmt::format("it took longer than {} ms and was ended; ask for less: narrow the "
                          "filter, or take smaller pages",
                          most_.count()));
}

WorkingFor::WorkingFor(const Patience& patience) : before_(working_for) { working_for = &patience; }

WorkingFor::~WorkingFor() { working_for = before_; }

bool nobody_waits() { return working_for && working_for->is_over(); }

Result<void> check_patience() {
  if (!working_for) return {};
  return working_for->check();
}

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
// Callables: the processes that a call activity can start, as they are at the time of the turn.
// The engine asks; the runtime, which has the deployments, answers. What it answered is in the
// event, so that folding needs none of this.
#pragma once

#include <string>

#include "base/result.hpp"
#include "model/process.hpp"

namespace pawl::engine {

struct CallTarget {
  using Binding = model::CallDefinition::Binding;
  std::string process{};  // id
  Binding binding{Binding::latest};
  std::string version{};  // number or tag, as the binding needs it
  Key caller{Key::none};  // definition of the calling instance
};

struct Called {
  Key definition{Key::none};
  std::int32_t version{0};
  model::ProcessPtr process{};
};

class Callables {
 public:
  virtual ~Callables() = default;
  // An error is what the incident says: what was looked for, and what is there.
  virtual Result<Called> find_called(const CallTarget& target) const = 0;
};

}  // namespace pawl::engine

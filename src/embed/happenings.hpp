// SPDX-License-Identifier: Apache-2.0
// Happenings: turns records into what a program sees of them, with the ids of the elements. It
// remembers which element an open element instance is of. Of an instance that began before, it
// learns them from its past.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pawl/queries.hpp"
#include "runtime/definition.hpp"
#include "store/record.hpp"

namespace pawl::embed {

class Happenings {
 public:
  // Visits the records of an instance before this position, oldest first.
  using Past = std::function<void(Key instance, store::Position before,
                                  const std::function<void(const store::Record&)>& visit)>;
  Happenings(const runtime::Definitions& definitions, Past past)
      : definitions_(definitions), past_(std::move(past)) {}

  void take(const store::Record& record, store::Position at,
            const std::function<void(const Happening&)>& visit);

 private:
  struct Known {
    Key definition{Key::none};
    std::unordered_map<Key, std::string> elements{};  // element instance → id
  };
  Known& known(const store::Record& record, store::Position at);
  void learn(Known& known, const engine::Event& event) const;
  void follow(Known& known, const engine::InstanceMigrated& event) const;

  const runtime::Definitions& definitions_;
  Past past_;
  std::unordered_map<Key, Known> instances_{};
};

}  // namespace pawl::embed

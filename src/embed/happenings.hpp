// SPDX-License-Identifier: Apache-2.0
// Happenings: turns records into what a program sees of them, with the ids of the elements. It
// remembers which element an open element instance is of; what it does not know it asks for.
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
  // Gives the ids of all open element instances of an instance.
  using Lookup = std::function<std::unordered_map<Key, std::string>(Key instance)>;
  Happenings(const runtime::Definitions& definitions, Lookup lookup)
      : definitions_(definitions), lookup_(std::move(lookup)) {}

  void take(const store::Record& record, store::Position at,
            const std::function<void(const Happening&)>& visit);

 private:
  struct Known {
    Key definition{Key::none};
    std::unordered_map<Key, std::string> elements{};  // element instance → id
    bool complete{false};                             // from its start, or looked up
  };
  void learn(Known& known, const engine::Event& event);
  std::string element_of(Known& known, Key instance, Key element);

  const runtime::Definitions& definitions_;
  Lookup lookup_;
  std::unordered_map<Key, Known> instances_{};
};

}  // namespace pawl::embed

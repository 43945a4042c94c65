// SPDX-License-Identifier: Apache-2.0
// Events as names and JSON, for programs that embed the engine. Work on the agenda is left out: it
// is how the engine goes on, not what happened.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/events.hpp"

namespace pawl::embed {

struct EventText {
  std::string name{};      // "ElementCompleted"
  Key element{Key::none};  // element instance that it is about
  std::string data{};      // JSON object
};

// nullopt: an event of the agenda.
std::optional<EventText> text_of(const engine::Event& event);

}  // namespace pawl::embed

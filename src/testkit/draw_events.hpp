// SPDX-License-Identifier: Apache-2.0
// How a drawing (draw.hpp) writes events: "on error E", "on message paid", "on signal stop",
// "after 2d", "at 2030-01-31T12:00:00Z", "every R3/PT1M"; a name or time after "=" is FEEL.
#pragma once

#include <optional>
#include <string_view>

#include "model/process.hpp"

namespace pawl::testkit {

struct DrawnEvent {
  model::EventDefinition definition{};
  std::string name{};  // for the id of a boundary event
};

// nullopt: the part says something else. Throws std::invalid_argument for FEEL that is none.
std::optional<DrawnEvent> read_event(std::string_view part);
// FEEL after "=", else the text itself.
model::Expression read_value(std::string_view text);

}  // namespace pawl::testkit

// SPDX-License-Identifier: Apache-2.0
#include "testkit/state_bytes.hpp"

#include <fmt/format.h>

#include "store/snapshot.hpp"

namespace pawl::testkit {

std::string state_bytes(const engine::Instance& instance) {
  std::string text = engine::describe(instance);
  if (instance.root == engine::Slot::none) return text;
  const auto bytes = store::encode_snapshot(instance);
  if (!bytes) return text + bytes.error().text;
  text += fmt::format("{} bytes of values\n", instance.value_bytes);
  for (const char one : *bytes) text += fmt::format("{:02x}", static_cast<std::uint8_t>(one));
  return text;
}

}  // namespace pawl::testkit

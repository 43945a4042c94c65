// SPDX-License-Identifier: Apache-2.0
// JSON: whatever can be read is written and read again as the same value.
#include <cstdint>
#include <cstdlib>

#include "value/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = pawl::parse_json({reinterpret_cast<const char*>(data), size});
  if (!value) return 0;
  const auto again = pawl::parse_json(pawl::to_json(*value));
  if (!again || !(*again == *value)) std::abort();
  return 0;
}

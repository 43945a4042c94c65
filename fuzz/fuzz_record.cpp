// SPDX-License-Identifier: Apache-2.0
// Records: whatever can be decoded is encoded and decoded again as the same bytes.
#include <cstdint>
#include <cstdlib>

#include "store/codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto record = pawl::store::decode_record({reinterpret_cast<const char*>(data), size});
  if (!record) return 0;
  const std::string once = pawl::store::encode(*record);
  const auto again = pawl::store::decode_record(once);
  if (!again || pawl::store::encode(*again) != once) std::abort();
  return 0;
}

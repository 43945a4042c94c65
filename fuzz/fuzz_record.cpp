// SPDX-License-Identifier: Apache-2.0
// Records: whatever can be decoded can be encoded and decoded again, and stays the same from then
// on. (Not from the start: a 0 is not written, and a member may have another default.)
#include <cstdint>
#include <cstdlib>

#include "store/codec.hpp"

namespace {

std::string once_more(std::string_view bytes) {
  const auto record = pawl::store::decode_record(bytes);
  if (!record) std::abort();
  return *pawl::store::encode(*record);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto record = pawl::store::decode_record({reinterpret_cast<const char*>(data), size});
  if (!record) return 0;
  const std::string bytes = once_more(*pawl::store::encode(*record));
  if (once_more(bytes) != bytes) std::abort();
  return 0;
}

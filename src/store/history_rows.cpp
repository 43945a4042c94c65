// SPDX-License-Identifier: Apache-2.0
#include "store/history_rows.hpp"

#include "store/wire.hpp"

namespace pawl::store {
namespace {

// Takes a varint from the front; false: the bytes end early.
bool take_varint(std::string_view& rest, std::uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace

void pack_history(std::string& out, Position row, Position position, std::string_view bytes) {
  wire::Writer writer(out);
  writer.varint(number(position) - number(row));
  writer.varint(bytes.size());
  out.append(bytes);
}

Result<std::vector<HistoryEntry>> unpack_history(Position row, std::string_view packed) {
  std::vector<HistoryEntry> entries;
  std::uint64_t distance = 0;
  std::uint64_t size = 0;
  while (!packed.empty()) {
    const bool whole =
        take_varint(packed, distance) && take_varint(packed, size) && size <= packed.size();
    if (!whole) {
      return fail(Whose::machine, Code::store_damaged,
                  "a row of history in the index is broken; `pawl reindex DIR` makes it anew");
    }
    entries.push_back({row + distance, std::string(packed.substr(0, size))});
    packed.remove_prefix(size);
  }
  return entries;
}

}  // namespace pawl::store

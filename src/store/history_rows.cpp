// SPDX-License-Identifier: Apache-2.0
#include "store/history_rows.hpp"

#include "store/wire.hpp"

namespace pawl::store {
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
    const bool whole = wire::take_varint(packed, distance) && wire::take_varint(packed, size) &&
                       size <= packed.size();
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

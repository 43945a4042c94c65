// SPDX-License-Identifier: Apache-2.0
#include "store/sequence.hpp"

#include <fmt/format.h>

namespace pawl::store {

Result<std::span<const Committed>> not_yet_applied(std::span<const Committed> records,
                                                   Position applied) {
  std::size_t known = 0;
  while (known < records.size() && records[known].position <= applied) ++known;
  const auto fresh = records.subspan(known);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const Position expected = applied + (i + 1);
    if (fresh[i].position == expected) continue;
    return fail(Whose::machine, Code::store_damaged,
                fmt::format("the index needs the record at position {} next and was given {}: the "
                            "journal has a gap; restore a backup of the journal, or make the index "
                            "anew with `pawl reindex DIR`",
                            number(expected), number(fresh[i].position)));
  }
  return fresh;
}

Error unknown_resource(Key resource) {
  return fail(Whose::caller, Code::not_found,
              fmt::format("there is no resource with key {}", number(resource)));
}

}  // namespace pawl::store

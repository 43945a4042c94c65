// SPDX-License-Identifier: Apache-2.0
#include "store/codec.hpp"

#include <fmt/format.h>

#include "store/field_codec.hpp"

namespace pawl::store {

Result<std::string> encode(const Record& record) {
  std::string bytes;
  bytes.reserve(64 + record.events.size() * 16);
  Encoder encoder{bytes};
  fields(encoder, record);
  if (!encoder.refuses && bytes.size() <= limits::record_bytes) return bytes;
  return fail(
      Whose::operators, Code::too_large,
      fmt::format("a turn of instance {} cannot be stored: it is larger than {} bytes, or a "
                  "value in it is nested deeper than {} levels",
                  number(record.instance), limits::record_bytes, limits::stored_depth));
}

Result<Record> decode_record(std::string_view bytes) {
  Record record;
  if (Decoder::read_fields(bytes, record)) return record;
  return fail(Whose::machine, Code::store_damaged,
              "a stored record cannot be read: it is broken, or a later version of Pawl wrote it");
}

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include "store/codec.hpp"

#include "store/field_codec.hpp"

namespace pawl::store {

std::string encode(const Record& record) {
  std::string bytes;
  bytes.reserve(64 + record.events.size() * 16);
  Encoder encoder{bytes};
  fields(encoder, record);
  return bytes;
}

Result<Record> decode_record(std::string_view bytes) {
  Record record;
  if (Decoder::read_fields(bytes, record)) return record;
  return fail(Whose::machine, Code::store_damaged,
              "a stored record cannot be read: it is broken, or a later version of Pawl wrote it");
}

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
// Records, values and snapshots as bytes. What was written once can be read by every later version:
// unknown fields are passed over, absent ones keep their default. Broken bytes give an error, never
// a crash.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/record.hpp"

namespace pawl::store {

// Refuses what could not be read again: values that are nested too deeply, records that are too
// large.
Result<std::string> encode(const Record& record);
Result<Record> decode_record(std::string_view bytes);

void encode_value(std::string& out, const Value& value);
Result<Value> decode_value(std::string_view bytes);

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
// Rows as JSON, in the words of the API.
#pragma once

#include "server/search/fields.hpp"

namespace pawl::server {

struct ItemOptions {
  bool truncate_values{false};
  bool says_truncated{false};  // isTruncated, which only searches have
};

void append_item(std::string& out, Entity entity, store::Cells row, const ItemOptions& options);

// "2030-01-31T12:00:00.000Z"
std::string date_text(std::int64_t millis);

}  // namespace pawl::server

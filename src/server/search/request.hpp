// SPDX-License-Identifier: Apache-2.0
// The JSON request of a search as a Selection. What the entity does not know is refused with an
// error that names the field and says what is allowed.
#pragma once

#include "server/search/fields.hpp"

namespace pawl::server {

struct Query {
  store::Selection selection{};
  std::string asks_ended{};  // a field that asks for what has ended; empty: none
};

Result<Query> read_request(Entity entity, std::string_view text, const SearchOptions& options);

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
// Fields: reads the members of a JSON object in a request. An error names the field and says what
// was expected. Absent and null are the same; members that nobody asks for are ignored, because
// newer clients send more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "server/rest/exchange.hpp"
#include "value/value.hpp"

namespace pawl::server::rest {

class Fields {
 public:
  // `path` stands before the names in errors: "changeset.".
  explicit Fields(Value object, std::string path = "")
      : object_(std::move(object)), path_(std::move(path)) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }

  Result<std::string> text(std::string_view name) const;  // must be there and not be blank
  Result<std::string> text_or(std::string_view name, std::string_view otherwise) const;
  struct Bounds {
    std::int64_t least{0};
    std::int64_t most{INT64_MAX};
  };
  Result<std::int64_t> number(std::string_view name, Bounds bounds) const;  // must be there
  Result<std::int64_t> number_or(std::string_view name, std::int64_t otherwise,
                                 Bounds bounds) const;
  Result<bool> flag_or(std::string_view name, bool otherwise) const;
  Result<Key> key_or(std::string_view name, Key otherwise) const;
  Result<Value> object(std::string_view name) const;     // must be there
  Result<Value> object_or(std::string_view name) const;  // null if absent
  Result<Value> list_or(std::string_view name) const;    // null if absent
  Result<std::vector<std::string>> texts(std::string_view name) const;
  Result<std::vector<Fields>> objects(std::string_view name) const;  // of a list

  // Error invalid_argument: "variables: expected an object, but got a list".
  Error wrong(std::string_view name, std::string_view expected) const;

 private:
  const Value* find(std::string_view name) const;  // null counts as absent
  Error missing(std::string_view name, std::string_view expected) const;

  Value object_;
  std::string path_;
};

// The body as an object; nothing at all is an empty one. Error: bad_json, or it is no object.
Result<Fields> read_fields(const Request& request);
// A key in decimal, as a JSON string or in a path. Error invalid_argument; not_found for those that
// nothing can have.
Result<Key> parse_key(std::string_view name, std::string_view text);
// The key that stood in the path, at this place among the {parts} of the route.
Result<Key> path_key(const Request& request, std::string_view name, std::size_t place = 0);
// tenantId and tenantIds: only the default one is there.
Result<void> check_tenants(const Fields& fields);

Value text_of(Key key);  // as answers have it; null for none

}  // namespace pawl::server::rest

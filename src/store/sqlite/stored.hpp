// SPDX-License-Identifier: Apache-2.0
// Stored: what folding a window has to ask the tables, one row at a time. Seldom needed: most
// changes are written without looking. The first error is kept and later questions give nothing, so
// that the code that folds has no error paths; who folds looks at `trouble` afterwards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/index.hpp"
#include "store/sqlite/sqlite.hpp"

namespace pawl::store::sqlite {

class Stored {
 public:
  struct Instance {
    std::string process{};
    Key definition{Key::none};
    ElementIndex root{ElementIndex::none};
  };
  struct Element {
    std::string id{};
    Key job{Key::none};  // only if it is open
  };
  struct Place {
    Key key{Key::none};
    ElementIndex element{ElementIndex::none};
  };
  struct Message {
    Instant published{};
    Instant expires{};
    std::vector<Key> offers{};
    std::vector<std::string> takers{};  // process ids
  };

  Stored(Connection& db, const ElementNames& names) : db_(db), names_(names) {}

  Instance instance(Key key);
  Element element(Key key);
  std::vector<Place> places(Key instance);  // of its open element instances but the root
  Key job_of_incident(Key incident);
  Key root_job(Key instance);  // none if it has none that is open
  std::optional<Message> message(Key key);
  // Asked of the resolver once; unknown ones again the next time.
  const std::string& element_id(Key definition, ElementIndex element);

  std::optional<Error> trouble{};

 private:
  template <class Row>
  std::optional<Row> one(const char* sql, Result<Row> (*read)(const Statement&), Key key);
  template <class Row>
  std::vector<Row> many(const char* sql, Result<Row> (*read)(const Statement&), Key key);

  Connection& db_;
  const ElementNames& names_;
  std::map<std::pair<Key, ElementIndex>, std::string> ids_{};
};

}  // namespace pawl::store::sqlite

// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/stored.hpp"

#include "store/sqlite/rows.hpp"

namespace pawl::store::sqlite {
namespace {

Result<Stored::Instance> read_stored_instance(const Statement& row) {
  return Stored::Instance{
      .process = row.text(0),
      .definition = row.key(1),
      .root = row.is_null(2) ? ElementIndex::none : static_cast<ElementIndex>(row.integer(2))};
}
Result<Stored::Element> read_stored_element(const Statement& row) {
  return Stored::Element{.id = row.text(0), .job = row.key(1)};
}
Result<Stored::Place> read_stored_place(const Statement& row) {
  return Stored::Place{.key = row.key(0), .element = static_cast<ElementIndex>(row.integer(1))};
}
Result<Stored::Message> read_stored_message(const Statement& row) {
  return Stored::Message{.published = row.instant(0), .expires = row.instant(1)};
}

}  // namespace

template <class Row>
std::optional<Row> Stored::one(const char* sql, Result<Row> (*read)(const Statement&), Key key) {
  if (trouble) return std::nullopt;
  auto found = select_one<Row>(db_, sql, read, key);
  if (found) return std::move(*found);
  trouble = found.error();
  return std::nullopt;
}

template <class Row>
std::vector<Row> Stored::many(const char* sql, Result<Row> (*read)(const Statement&), Key key) {
  if (trouble) return {};
  auto found = select<Row>(db_, sql, read, key);
  if (found) return std::move(*found);
  trouble = found.error();
  return {};
}

Stored::Instance Stored::instance(Key key) {
  return one("SELECT process, definition, root FROM instances WHERE key = ?1", read_stored_instance,
             key)
      .value_or(Instance{});
}

Stored::Element Stored::element(Key key) {
  return one("SELECT e.element_id, j.key FROM elements e LEFT JOIN jobs j ON j.key = e.job "
             "WHERE e.key = ?1",
             read_stored_element, key)
      .value_or(Element{});
}

std::vector<Stored::Place> Stored::places(Key instance) {
  return many("SELECT key, element FROM elements WHERE instance = ?1", read_stored_place, instance);
}

Key Stored::job_of_incident(Key incident) {
  return one("SELECT job FROM incidents WHERE key = ?1", read_key, incident).value_or(Key::none);
}

Key Stored::root_job(Key instance) {
  return one("SELECT key FROM jobs WHERE element = instance AND element = ?1", read_key, instance)
      .value_or(Key::none);
}

std::optional<Stored::Message> Stored::message(Key key) {
  auto found =
      one("SELECT published_ms, expires_ms FROM messages WHERE key = ?1", read_stored_message, key);
  if (!found) return std::nullopt;
  found->offers =
      many("SELECT subscription FROM offers WHERE message = ?1 ORDER BY 1", read_key, key);
  found->takers = many("SELECT process FROM taken WHERE message = ?1 ORDER BY 1", read_text, key);
  return found;
}

const std::string& Stored::element_id(Key definition, ElementIndex element) {
  std::string& id = ids_[{definition, element}];
  if (id.empty() && names_) id = names_(definition, element);
  return id;
}

}  // namespace pawl::store::sqlite

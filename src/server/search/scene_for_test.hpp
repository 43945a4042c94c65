// SPDX-License-Identifier: Apache-2.0
// Scene: a few instances with something in every state, in an index in memory and in one in SQLite.
// Whatever is asked is asked of both, and both must give the same answer.
#pragma once

#include <gtest/gtest.h>

#include "server/search/search.hpp"
#include "store/codec.hpp"
#include "store/conformance/stage.hpp"
#include "store/memory/memory_index.hpp"
#include "store/sqlite/sqlite_index.hpp"
#include "value/json.hpp"

namespace pawl::server {

using store::conformance::k;
using store::conformance::ms;

class Scene {
 public:
  Scene() {
    const auto names = [this](Key definition, ElementIndex element) {
      return definitions_.element_id(definition, element);
    };
    memory_ = std::make_unique<store::MemoryIndex>(names);
    sqlite_ = std::move(*store::SqliteIndex::open({.element_names = names}));
  }

  // The next record of the journal. Keys below `next_key` are used up then.
  void put(store::Record record) {
    const auto position = store::position_from(++records_);
    std::string bytes = *store::encode(record);
    const store::Committed one{position, std::make_shared<const store::Record>(std::move(record)),
                               std::move(bytes)};
    EXPECT_TRUE(memory_->apply(std::span(&one, 1)));
    EXPECT_TRUE(sqlite_->apply(std::span(&one, 1)));
  }
  void turn(std::uint64_t instance, std::int64_t at, std::uint64_t next_key,
            engine::Events events) {
    put({.instance = k(instance), .at = ms(at), .next_key = next_key, .events = std::move(events)});
  }
  void deploy(std::uint64_t key, std::int32_t version, model::Process process) {
    const std::string file = process.id + ".bpmn";
    const std::string id = process.id;
    const std::string xml = "<" + id + "/>";
    put({.notices = {store::ResourceDeployed{k(key - 10), file, xml, "sum"},
                     store::ProcessDeployed{k(key), id, version, k(key - 10)}}});
    definitions_.add({.key = k(key),
                      .id = id,
                      .version = version,
                      .resource = k(key - 10),
                      .resource_name = file,
                      .process = std::make_shared<const model::Process>(std::move(process))});
  }

  Sources memory() const { return {*memory_, definitions_}; }
  Sources sqlite() const { return {*sqlite_, definitions_}; }

  // Of both; an error as its text.
  std::string ask(Entity entity, std::string_view request, SearchOptions options = {}) const {
    return both([&](const Sources& sources) { return search(sources, entity, request, options); });
  }
  std::string get(Entity entity, std::uint64_t key) const {
    return both([&](const Sources& sources) { return get_one(sources, entity, k(key)); });
  }
  template <class Ask>
  std::string both(Ask ask) const {
    const auto text = [](const Result<std::string>& said) {
      return said ? *said : code_text(said.error().code) + " " + said.error().text;
    };
    const std::string one = text(ask(memory()));
    const std::string other = text(ask(sqlite()));
    EXPECT_EQ(one, other);
    return one;
  }

 private:
  runtime::Definitions definitions_{};
  std::unique_ptr<store::MemoryIndex> memory_;
  std::unique_ptr<store::SqliteIndex> sqlite_;
  std::uint64_t records_{0};
};

inline std::string_view key_field(Entity entity) {
  static constexpr std::string_view names[] = {"processDefinitionKey", "processInstanceKey",
                                               "elementInstanceKey",   "variableKey",
                                               "incidentKey",          "jobKey",
                                               "userTaskKey",          "messageSubscriptionKey"};
  return names[static_cast<std::size_t>(entity)];
}

// The keys of the items of an answer: "100 120"; what is no answer is given back.
inline std::string keys_of(Entity entity, const std::string& answer) {
  const auto read = parse_json(answer);
  if (!read || !read->find("items")) return answer;
  std::string keys;
  for (const Value& item : read->find("items")->as_list()) {
    const Value* key = item.find(key_field(entity));
    keys += (keys.empty() ? "" : " ") + (key ? to_json(*key) : std::string("none"));
  }
  std::erase(keys, '"');
  return keys;
}

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
#include "embed/happenings.hpp"

#include "embed/event_text.hpp"

namespace pawl::embed {

void Happenings::learn(Known& known, const engine::Event& event) const {
  if (const auto* started = std::get_if<engine::InstanceStarted>(&event)) {
    known = {.definition = started->definition};
  } else if (const auto* activating = std::get_if<engine::ElementActivating>(&event)) {
    known.elements[activating->key] =
        definitions_.element_id(known.definition, activating->element);
  } else if (const auto* migrated = std::get_if<engine::InstanceMigrated>(&event)) {
    follow(known, *migrated);
  }
}

// What is open has the ids of the other process from now on.
void Happenings::follow(Known& known, const engine::InstanceMigrated& event) const {
  const ElementIndex root{0};
  std::unordered_map<std::string, std::string> ids;
  ids[definitions_.element_id(known.definition, root)] =
      definitions_.element_id(event.definition, root);
  for (const engine::ElementMove& move : event.moves) {
    ids[definitions_.element_id(known.definition, move.from)] =
        definitions_.element_id(event.definition, move.to);
  }
  for (auto& [key, id] : known.elements) {
    if (const auto found = ids.find(id); found != ids.end()) id = found->second;
  }
  known.definition = event.definition;
}

Happenings::Known& Happenings::known(const store::Record& record, store::Position at) {
  const auto [place, is_new] = instances_.try_emplace(record.instance);
  Known& known = place->second;
  const bool starts = !record.events.empty() &&
                      std::holds_alternative<engine::InstanceStarted>(record.events.front());
  if (is_new && !starts) {
    past_(record.instance, at, [&](const store::Record& earlier) {
      for (const engine::Event& event : earlier.events) learn(known, event);
    });
  }
  return known;
}

void Happenings::take(const store::Record& record, store::Position at,
                      const std::function<void(const Happening&)>& visit) {
  if (record.instance == Key::none) return;
  Known& here = known(record, at);
  bool ended = false;
  for (const engine::Event& event : record.events) {
    learn(here, event);
    auto text = text_of(event);
    if (!text) continue;
    const auto element = here.elements.find(text->element);
    visit({.position = store::number(at),
           .instance = number(record.instance),
           .at = record.at,
           .name = std::move(text->name),
           .element = element == here.elements.end() ? std::string() : element->second,
           .data = std::move(text->data)});
    const auto* completed = std::get_if<engine::ElementCompleted>(&event);
    const auto* terminated = std::get_if<engine::ElementTerminated>(&event);
    const Key gone = completed ? completed->key : terminated ? terminated->key : Key::none;
    if (gone != Key::none) here.elements.erase(gone);
    ended |= gone == record.instance;
  }
  if (ended) instances_.erase(record.instance);
}

}  // namespace pawl::embed

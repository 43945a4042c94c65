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
  }
}

Happenings::Known& Happenings::known(const store::Record& record) {
  const auto [place, is_new] = instances_.try_emplace(record.instance);
  Known& known = place->second;
  const bool starts = !record.events.empty() &&
                      std::holds_alternative<engine::InstanceStarted>(record.events.front());
  if (is_new && !starts) {
    past_(record.instance, [&](const store::Record& earlier) {
      for (const engine::Event& event : earlier.events) learn(known, event);
    });
  }
  return known;
}

void Happenings::take(const store::Record& record, store::Position at,
                      const std::function<void(const Happening&)>& visit) {
  if (record.instance == Key::none) return;
  Known& here = known(record);
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

// SPDX-License-Identifier: Apache-2.0
#include "embed/happenings.hpp"

#include "embed/event_text.hpp"

namespace pawl::embed {

void Happenings::learn(Known& known, const engine::Event& event) {
  if (const auto* started = std::get_if<engine::InstanceStarted>(&event)) {
    known = {.definition = started->definition, .complete = true};
  } else if (const auto* activating = std::get_if<engine::ElementActivating>(&event)) {
    known.elements[activating->key] =
        definitions_.element_id(known.definition, activating->element);
  }
}

std::string Happenings::element_of(Known& known, Key instance, Key element) {
  if (element == Key::none) return {};
  const auto found = known.elements.find(element);
  if (found != known.elements.end() && !found->second.empty()) return found->second;
  if (known.complete) return {};
  known.complete = true;
  known.elements.merge(lookup_(instance));
  const auto again = known.elements.find(element);
  return again == known.elements.end() ? std::string() : again->second;
}

void Happenings::take(const store::Record& record, store::Position at,
                      const std::function<void(const Happening&)>& visit) {
  if (record.instance == Key::none) return;
  Known& known = instances_[record.instance];
  bool ended = false;
  for (const engine::Event& event : record.events) {
    learn(known, event);
    auto text = text_of(event);
    if (!text) continue;
    visit({.position = store::number(at),
           .instance = number(record.instance),
           .at = record.at,
           .name = std::move(text->name),
           .element = element_of(known, record.instance, text->element),
           .data = std::move(text->data)});
    const auto* completed = std::get_if<engine::ElementCompleted>(&event);
    const auto* terminated = std::get_if<engine::ElementTerminated>(&event);
    const Key gone = completed ? completed->key : terminated ? terminated->key : Key::none;
    if (gone != Key::none) known.elements.erase(gone);
    ended |= gone == record.instance;
  }
  if (ended) instances_.erase(record.instance);
}

}  // namespace pawl::embed

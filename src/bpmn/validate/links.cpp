// SPDX-License-Identifier: Apache-2.0
// Link events: pairs of one name inside one scope that stand for a long sequence flow.
#include <fmt/format.h>

#include <map>
#include <set>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;

using LinkKey = std::pair<ElementIndex, std::string_view>;

LinkKey key_of(const Element& element) {
  for (const model::EventDefinition& definition : element.events) {
    if (definition.kind == model::EventKind::link) return {element.scope, definition.name.text};
  }
  return {element.scope, {}};
}

void check_catch(const Reading& reading, const Element& element, const std::set<LinkKey>& thrown) {
  if (!element.incoming.empty()) {
    complain(reading, Rule::link_flow, element,
             "a sequence flow leads to it; only the throwing link does");
  }
  if (thrown.count(key_of(element)) == 0) {
    complain(reading, Rule::link_catch_alone, element,
             fmt::format("no link event of this scope throws \"{}\"; it is never reached",
                         key_of(element).second));
  }
}

void check_throwing_link(const Reading& reading, const Element& element,
                         const std::set<LinkKey>& caught) {
  if (!element.outgoing.empty()) {
    complain(reading, Rule::link_flow, element,
             "a sequence flow leaves it; the link itself leads on");
  }
  if (caught.count(key_of(element)) == 0) {
    complain(
        reading, Rule::link_throw_alone, element,
        fmt::format("no link event of this scope catches \"{}\"; add one", key_of(element).second));
  }
}

}  // namespace

void check_links(const Reading& reading) {
  std::set<LinkKey> caught;
  std::set<LinkKey> thrown;
  for (const Element& element : reading.drawing.process.elements) {
    if (throws_link(element)) thrown.insert(key_of(element));
    if (!catches_link(element) || key_of(element).second.empty()) continue;
    if (!caught.insert(key_of(element)).second) {
      complain(reading, Rule::link_catch_duplicate, element,
               fmt::format("another link event of this scope catches \"{}\"; rename one",
                           key_of(element).second));
    }
  }
  for (const Element& element : reading.drawing.process.elements) {
    if (key_of(element).second.empty()) continue;  // reported when it was read
    if (catches_link(element)) check_catch(reading, element, thrown);
    if (throws_link(element)) check_throwing_link(reading, element, caught);
  }
}

}  // namespace pawl::bpmn

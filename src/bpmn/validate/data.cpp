// SPDX-License-Identifier: Apache-2.0
// Declared data: item definitions of data, of the associations that move it, of loops and of
// event payloads agree. Nothing here matters at run time, where data has no declared type; plain
// models are held to what they declare.
#include <fmt/format.h>

#include "bpmn/validate/check.hpp"
#include "bpmn/validate/items.hpp"
#include "bpmn/vocabulary.hpp"

namespace pawl::bpmn {
namespace {

void data_mismatch(const Reading& reading, xml::Element at, std::string_view text) {
  reading.report.add(Rule::data_item_mismatch, at, fmt::format("{}: {}", title(at), text));
}

bool is_data(std::string_view tag) {
  return tag == "dataObject" || tag == "dataInput" || tag == "dataOutput" || tag == "property";
}

void check_collection(const Reading& reading, xml::Element data) {
  const xml::Element item = item_of(reading.source, data);
  if (!item || data.find("isCollection") == nullptr) return;
  if (data.flag("isCollection", false) != item.flag("isCollection", false)) {
    data_mismatch(reading, data, "isCollection differs from its item definition");
  }
}

void check_association(const Reading& reading, xml::Element association) {
  const std::vector<xml::Element> sources = children_of(association, "sourceRef");
  if (association.child("transformation")) return;
  if (sources.size() > 1) {
    reading.report.add(
        Rule::data_sources_several, association,
        fmt::format("{}: several sources need a transformation; add one", title(association)));
    return;
  }
  if (sources.empty() || association.child("assignment")) return;
  const xml::Element from = item_of(reading.source, reading.source.find(sources[0].text()));
  const xml::Element to =
      item_of(reading.source, reading.source.find(association.child("targetRef").text()));
  if (from && to && !same_item(from, to)) {
    data_mismatch(reading, association, "source and target have different item definitions");
  }
}

// What is iterated over is a collection; what an iteration sees is one item of it.
void check_loop(const Reading& reading, xml::Element loop) {
  const auto compare = [&](std::string_view collection, std::string_view item) {
    const xml::Element reference = loop.child(collection);
    const xml::Element all = reading.source.find(reference.text());
    if (all && !is_data(all.name()) && !all.is("dataObjectReference")) {
      reading.report.add(Rule::reference_kind, reference,
                         fmt::format("{}: \"{}\" is not data but {}", title(reference),
                                     reference.text().substr(0, 80), with_article(all.name())));
    }
    const xml::Element single = item_of(reading.source, loop.child(item));
    if (single && item_of(reading.source, all) && single.flag("isCollection", false)) {
      data_mismatch(reading, loop.child(item), "one item of the loop is declared as a collection");
    }
  };
  compare("loopDataInputRef", "inputDataItem");
  compare("loopDataOutputRef", "outputDataItem");
}

// What the message, signal, error or escalation of a definition carries.
xml::Element payload_of(const Reading& reading, xml::Element definition) {
  for (const std::string_view name : {"messageRef", "signalRef", "errorRef", "escalationRef"}) {
    const std::string_view reference = definition.attribute(name);
    if (!reference.empty()) return item_of(reading.source, reading.source.find(reference));
  }
  return {};
}

bool any_has(const Reading& reading, const std::vector<xml::Element>& data, xml::Element item) {
  for (const xml::Element& part : data) {
    if (same_item(item_of(reading.source, part), item)) return true;
  }
  return false;
}

void check_event(const Reading& reading, xml::Element event) {
  std::vector<xml::Element> data = children_of(event, "dataInput");
  for (const xml::Element& output : children_of(event, "dataOutput")) data.push_back(output);
  if (data.empty()) return;
  std::size_t payloads = 0;
  xml::each_child(event, [&](xml::Element definition) {
    if (!event_of_tag(definition.name())) return;
    const xml::Element payload = payload_of(reading, definition);
    if (payload && ++payloads > data.size()) {
      data_mismatch(reading, event,
                    "it has fewer data elements than event definitions with a payload");
    }
    if (payload && !any_has(reading, data, payload)) {
      data_mismatch(reading, event,
                    fmt::format("no data of it has the item definition \"{}\" that its {} carries",
                                payload.attribute("id"), definition.name()));
    }
  });
}

void check_data_element(const Reading& reading, xml::Element element) {
  const std::string_view tag = element.name();
  if (is_data(tag)) check_collection(reading, element);
  if (tag == "dataInputAssociation" || tag == "dataOutputAssociation") {
    check_association(reading, element);
  }
  if (tag == "multiInstanceLoopCharacteristics") check_loop(reading, element);
  const auto kind = kind_of_tag(tag);
  if (kind && model::is_event(*kind)) check_event(reading, element);
}

}  // namespace

void check_data(const Reading& reading) {
  each_plain_element(reading, [&](xml::Element element) { check_data_element(reading, element); });
}

}  // namespace pawl::bpmn

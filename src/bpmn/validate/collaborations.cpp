// SPDX-License-Identifier: Apache-2.0
// Pools and the messages between them. They do not run, but they say what the processes mean to
// do.
#include <fmt/format.h>

#include <map>

#include "bpmn/validate/validate.hpp"
#include "bpmn/vocabulary.hpp"

namespace pawl::bpmn {
namespace {

using model::ElementKind;

// Where a message flow may begin or end, and what it needs there.
enum class End : std::uint8_t { source, target };

class MessageFlows {
 public:
  explicit MessageFlows(const Source& source) : source_(source) {}

  void learn(xml::Element participant) {
    const std::string_view process = participant.attribute("processRef");
    if (!process.empty()) pool_of_process_.emplace(process, participant.attribute("id"));
  }

  void check(xml::Element flow) const {
    const std::string_view from = check_end(flow, "sourceRef", End::source);
    const std::string_view to = check_end(flow, "targetRef", End::target);
    if (!from.empty() && from == to) {
      complain(flow, "it stays inside one pool; use a sequence flow or a signal");
    }
  }

 private:
  void complain(xml::Element flow, std::string_view text) const {
    source_.report.add(Rule::message_flow, flow, fmt::format("{}: {}", title(flow), text));
  }

  // The pool at that end; empty if it is unknown.
  std::string_view check_end(xml::Element flow, std::string_view attribute, End end) const {
    const std::string_view reference = flow.attribute(attribute);
    const xml::Element node = source_.find(reference);
    if (!node) {
      complain(flow, fmt::format("{} \"{}\" does not exist", attribute, reference.substr(0, 80)));
      return {};
    }
    if (node.is("participant")) return node.attribute("id");
    const auto kind = kind_of_tag(node.name());
    if (!kind || model::is_gateway(*kind)) {
      complain(flow, fmt::format("{} \"{}\" is {}; messages go between pools, activities and "
                                 "events",
                                 attribute, reference.substr(0, 80), with_article(node.name())));
      return {};
    }
    if (model::is_event(*kind)) check_event(flow, node, *kind, end);
    return pool_around(node);
  }

  void check_event(xml::Element flow, xml::Element event, ElementKind kind, End end) const {
    const bool sends =
        kind == ElementKind::end_event || kind == ElementKind::intermediate_throw_event;
    if (sends != (end == End::source)) {
      complain(flow, fmt::format("{} \"{}\" cannot {} a message", model::name_of(kind),
                                 event.attribute("id"), sends ? "receive" : "send"));
    } else if (!is_message_event(event)) {
      complain(flow, fmt::format("{} \"{}\" has no message event definition", model::name_of(kind),
                                 event.attribute("id")));
    }
  }

  bool is_message_event(xml::Element event) const {
    bool found = false;
    xml::each_child(event, [&](xml::Element child) {
      xml::Element definition = child;
      if (child.is("eventDefinitionRef")) definition = source_.find(child.text());
      found = found || (definition && definition.is("messageEventDefinition"));
    });
    return found;
  }

  std::string_view pool_around(xml::Element node) const {
    while (node && !node.is("process")) node = node.parent();
    if (!node) return {};
    const auto pool = pool_of_process_.find(node.attribute("id"));
    return pool == pool_of_process_.end() ? node.attribute("id") : pool->second;
  }

  const Source& source_;
  std::map<std::string_view, std::string_view> pool_of_process_;
};

int number_in(std::string_view text, int otherwise) {
  if (text.empty()) return otherwise;
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || number > 1'000'000) return otherwise;
    number = number * 10 + (c - '0');
  }
  return number;
}

void check_multiplicity(const Source& source, xml::Element participant) {
  const xml::Element multiplicity = participant.child("participantMultiplicity");
  if (!multiplicity) return;
  const int minimum = number_in(multiplicity.attribute("minimum"), 0);
  const int maximum = number_in(multiplicity.attribute("maximum"), 1);
  if (maximum >= 1 && minimum <= maximum) return;
  source.report.add(Rule::participant_multiplicity, multiplicity,
                    fmt::format("{}: minimum {} and maximum {} do not fit", title(participant),
                                minimum, maximum));
}

}  // namespace

void validate_collaborations(const Source& source) {
  if (!source.report.subject().plain) return;
  xml::each_child(source.document.root(), [&](xml::Element part) {
    if (!part.is("collaboration")) return;
    MessageFlows flows(source);
    xml::each_child(part, [&](xml::Element child) {
      if (!child.is("participant")) return;
      flows.learn(child);
      check_multiplicity(source, child);
    });
    xml::each_child(part, [&](xml::Element child) {
      if (child.is("messageFlow")) flows.check(child);
    });
  });
}

}  // namespace pawl::bpmn

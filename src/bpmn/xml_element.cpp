// SPDX-License-Identifier: Apache-2.0
// What a handle can tell about its element.
#include "bpmn/xml.hpp"

namespace pawl::bpmn::xml {

Vocabulary Element::vocabulary() const { return document_->nodes_[index_].vocabulary; }

std::string_view Element::name() const { return document_->nodes_[index_].name; }

bool Element::is(std::string_view name, Vocabulary vocabulary) const {
  const Document::Node& node = document_->nodes_[index_];
  return node.vocabulary == vocabulary && node.name == name;
}

model::Place Element::place() const {
  return document_ == nullptr ? model::Place{}
                              : document_->place_of(document_->nodes_[index_].offset);
}

std::string_view Element::text() const {
  return document_ == nullptr ? std::string_view{} : document_->nodes_[index_].text;
}

Element Element::parent() const {
  const std::uint32_t parent = document_->nodes_[index_].parent;
  return parent == Document::nothing ? Element{} : Element{document_, parent};
}

const std::vector<Attribute>& Element::attributes() const {
  return document_->nodes_[index_].attributes;
}

const Attribute* Element::find(std::string_view name, Vocabulary vocabulary) const {
  if (document_ == nullptr) return nullptr;
  for (const Attribute& attribute : document_->nodes_[index_].attributes) {
    if (attribute.name == name && attribute.vocabulary == vocabulary) return &attribute;
  }
  return nullptr;
}

std::string_view Element::attribute(std::string_view name, Vocabulary vocabulary) const {
  const Attribute* found = find(name, vocabulary);
  return found == nullptr ? std::string_view{} : found->value;
}

bool Element::flag(std::string_view name, bool otherwise, Vocabulary vocabulary) const {
  const std::string_view value = attribute(name, vocabulary);
  if (value.empty()) return otherwise;
  return value == "true" || value == "1";
}

Element Element::first_child() const {
  if (document_ == nullptr) return {};
  const std::uint32_t child = document_->nodes_[index_].first_child;
  return child == Document::nothing ? Element{} : Element{document_, child};
}

Element Element::next() const {
  const std::uint32_t next = document_->nodes_[index_].next;
  return next == Document::nothing ? Element{} : Element{document_, next};
}

Element Element::child(std::string_view name, Vocabulary vocabulary) const {
  for (Element at = first_child(); at; at = at.next()) {
    if (at.is(name, vocabulary)) return at;
  }
  return {};
}

Element Element::extension(std::string_view name, Vocabulary vocabulary) const {
  return child("extensionElements").child(name, vocabulary);
}

}  // namespace pawl::bpmn::xml

// SPDX-License-Identifier: Apache-2.0
// An XML document as the reader needs it: a read-only tree with namespaces resolved and places
// known. Parsing is pugixml's; this layer bounds it (size, depth, number of tags), refuses
// document types and entities, and keeps nothing of the diagram. A handle stays valid as long as
// its document.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bpmn/namespaces.hpp"
#include "model/process.hpp"

namespace pawl::bpmn::xml {

class Document;

struct Attribute {
  Vocabulary vocabulary{Vocabulary::none};
  std::string_view name{};
  std::string_view value{};
};

// A handle to an element; may be none. All texts live as long as the document.
class Element {
 public:
  Element() = default;
  Element(const Document* document, std::uint32_t index) : document_(document), index_(index) {}

  explicit operator bool() const { return document_ != nullptr; }
  friend bool operator==(const Element&, const Element&) = default;

  Vocabulary vocabulary() const;
  std::string_view name() const;  // without prefix
  bool is(std::string_view name, Vocabulary vocabulary = Vocabulary::bpmn) const;
  model::Place place() const;
  std::string_view text() const;  // its own character data, white space around it cut off
  Element parent() const;
  std::uint32_t index() const { return index_; }

  const std::vector<Attribute>& attributes() const;
  const Attribute* find(std::string_view name, Vocabulary vocabulary = Vocabulary::none) const;
  // The value; empty if the attribute is absent.
  std::string_view attribute(std::string_view name, Vocabulary vocabulary = Vocabulary::none) const;
  bool flag(std::string_view name, bool otherwise, Vocabulary vocabulary = Vocabulary::none) const;

  Element first_child() const;
  Element next() const;  // sibling
  // The first child of that name; none if there is none.
  Element child(std::string_view name, Vocabulary vocabulary = Vocabulary::bpmn) const;
  // The first of that name among the children of <extensionElements>.
  Element extension(std::string_view name, Vocabulary vocabulary) const;

 private:
  const Document* document_{nullptr};
  std::uint32_t index_{0};
};

struct Problem {
  std::string rule{};
  model::Place place{};
  std::string text{};
};

class Document {
 public:
  Element root() const { return {this, 0}; }
  std::size_t size() const { return nodes_.size(); }
  Element at(std::uint32_t index) const { return {this, index}; }
  const std::vector<Problem>& problems() const { return problems_; }  // prefixes, attributes
  // A vocabulary whose namespace the root declares, used or not.
  bool declares(Vocabulary vocabulary) const;

 private:
  friend class Element;
  friend class Builder;
  friend std::variant<std::unique_ptr<const Document>, Problem> parse(std::string_view bytes);

  static constexpr std::uint32_t nothing = 0xFFFFFFFF;
  struct Node {
    std::string_view name{};
    std::string_view text{};
    std::vector<Attribute> attributes{};
    std::uint32_t offset{0};
    std::uint32_t parent{nothing};
    std::uint32_t first_child{nothing};
    std::uint32_t last_child{nothing};
    std::uint32_t next{nothing};
    Vocabulary vocabulary{Vocabulary::other};
  };

  model::Place place_of(std::size_t offset) const;

  struct Storage;  // the parsed text that the views point into
  std::shared_ptr<Storage> storage_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Problem> problems_;
  std::vector<Vocabulary> declared_;
};

// Never throws. A problem here means that there is no document at all.
std::variant<std::unique_ptr<const Document>, Problem> parse(std::string_view bytes);

// Calls visit(child) for each child of that vocabulary.
template <class Visit>
void each_child(Element element, Visit visit, Vocabulary vocabulary = Vocabulary::bpmn) {
  for (Element child = element.first_child(); child; child = child.next()) {
    if (child.vocabulary() == vocabulary) visit(child);
  }
}

// The same for the children of <extensionElements>.
template <class Visit>
void each_extension(Element element, Vocabulary vocabulary, Visit visit) {
  each_child(element.child("extensionElements"), visit, vocabulary);
}

// Every element below `from`, in document order, without recursion. The visitor says whether to
// go down into it.
template <class Visit>
void each_descendant(Element from, Visit visit) {
  Element at = from.first_child();
  while (at) {
    Element down = visit(at) ? at.first_child() : Element{};
    while (!down && at) {
      down = at.next();
      if (down) break;
      at = at.parent();
      if (at == from) return;
    }
    at = down;
  }
}

}  // namespace pawl::bpmn::xml

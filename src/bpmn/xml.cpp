// SPDX-License-Identifier: Apache-2.0
#include "bpmn/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <pugixml.hpp>

#include "base/limits.hpp"
#include "bpmn/encoding.hpp"
#include "bpmn/xml_scan.hpp"

namespace pawl::bpmn::xml {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::uint32_t> starts_of_lines(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    starts.push_back(static_cast<std::uint32_t>(at + 1));
  }
  return starts;
}

model::Place place_in(const std::vector<std::uint32_t>& starts, std::size_t offset) {
  const auto above = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(above - starts.begin());
  return {line, static_cast<std::uint32_t>(offset - *(above - 1) + 1)};
}

// pugixml's verdict in our words.
std::string_view meaning_of(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_unrecognized_tag:
      return "there is a tag that XML does not know";
    case pugi::status_bad_pi:
      return "a processing instruction does not end";
    case pugi::status_bad_comment:
      return "a comment does not end";
    case pugi::status_bad_cdata:
      return "a CDATA section does not end";
    case pugi::status_bad_doctype:
      return "the document type cannot be read";
    case pugi::status_bad_pcdata:
      return "a text cannot be read";
    case pugi::status_bad_start_element:
      return "a start tag is not complete";
    case pugi::status_bad_attribute:
      return "an attribute is not written as name=\"value\"";
    case pugi::status_bad_end_element:
      return "an end tag is not complete";
    case pugi::status_end_element_mismatch:
      return "an end tag does not match the tag it should close, or a tag is never closed";
    case pugi::status_no_document_element:
      return "there is no element in it";
    case pugi::status_out_of_memory:
      return "it needs more memory than there is";
    case pugi::status_ok:
    case pugi::status_file_not_found:
    case pugi::status_io_error:
    case pugi::status_internal_error:
    case pugi::status_append_invalid_root:
      break;
  }
  return "it cannot be parsed";
}

std::pair<std::string_view, std::string_view> split_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {{}, name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace

struct Document::Storage {
  pugi::xml_document parsed{};
  std::deque<std::string> joined{};  // texts that were written in several pieces
};

// Turns pugixml's tree into ours, element by element in document order.
class Builder {
 public:
  explicit Builder(Document& document) : document_(document) {}

  void build(pugi::xml_node root) {
    std::vector<Open> open;
    enter(root);
    open.push_back({first_element(root), add(root, Document::nothing), false});
    while (!open.empty()) {
      const Open at = open.back();
      if (!at.next) {
        leave();
        open.pop_back();
        continue;
      }
      open.back().next = next_element(at.next);
      enter(at.next);
      const bool diagram = at.diagram || is_diagram(at.next);
      const std::uint32_t index = diagram ? at.index : add(at.next, at.index);
      open.push_back({first_element(at.next), index, diagram});
    }
  }

 private:
  struct Binding {
    std::string_view prefix{};
    Vocabulary vocabulary{};
  };
  // An element we are inside of: the child to do next, and its place in our tree.
  struct Open {
    pugi::xml_node next{};
    std::uint32_t index{0};
    bool diagram{false};
  };

  static pugi::xml_node first_element(pugi::xml_node node) {
    pugi::xml_node child = node.first_child();
    while (child && child.type() != pugi::node_element) child = child.next_sibling();
    return child;
  }
  static pugi::xml_node next_element(pugi::xml_node node) {
    pugi::xml_node sibling = node.next_sibling();
    while (sibling && sibling.type() != pugi::node_element) sibling = sibling.next_sibling();
    return sibling;
  }

  // Shapes and edges are not kept.
  bool is_diagram(pugi::xml_node node) const {
    return find_binding(split_name(node.name()).first) == Vocabulary::diagram;
  }

  std::optional<Vocabulary> find_binding(std::string_view prefix) const {
    for (std::size_t i = bindings_.size(); i > 0; --i) {
      if (bindings_[i - 1].prefix == prefix) return bindings_[i - 1].vocabulary;
    }
    return std::nullopt;
  }

  void enter(pugi::xml_node node) {
    marks_.push_back(bindings_.size());
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "xmlns") {
        bind({}, attribute.value(), node);
      } else if (name.substr(0, 6) == "xmlns:") {
        bind(name.substr(6), attribute.value(), node);
      }
    }
  }

  void leave() {
    bindings_.resize(marks_.back());
    marks_.pop_back();
  }

  void bind(std::string_view prefix, std::string_view uri, pugi::xml_node node) {
    if (bindings_.size() >= limits::xml_namespaces) {
      report("xml-too-large", node, "the file declares more namespaces than are accepted");
      return;
    }
    const Vocabulary vocabulary = vocabulary_of(uri);
    bindings_.push_back({prefix, vocabulary});
    if (marks_.size() == 1) document_.declared_.push_back(vocabulary);
  }

  Vocabulary resolve(std::string_view prefix, pugi::xml_node node) {
    if (const auto bound = find_binding(prefix)) return *bound;
    if (prefix.empty() || prefix == "xml") return Vocabulary::other;
    report("xml-prefix-undeclared", node,
           fmt::format("the prefix \"{}\" is not declared; add xmlns:{}=\"…\" to an element around "
                       "it",
                       prefix.substr(0, 60), prefix.substr(0, 60)));
    return Vocabulary::other;
  }

  std::uint32_t add(pugi::xml_node node, std::uint32_t parent) {
    const auto [prefix, name] = split_name(node.name());
    Document::Node made;
    made.vocabulary = resolve(prefix, node);
    made.name = name;
    made.parent = parent;
    made.offset = offset_of(node);
    add_attributes(made, node);

    made.text = text_of(node);
    const auto index = static_cast<std::uint32_t>(document_.nodes_.size());
    document_.nodes_.push_back(std::move(made));
    if (parent != Document::nothing) append_child(document_.nodes_[parent], index);
    return index;
  }

  void append_child(Document::Node& parent, std::uint32_t index) {
    if (parent.last_child == Document::nothing) {
      parent.first_child = index;
    } else {
      document_.nodes_[parent.last_child].next = index;
    }
    parent.last_child = index;
  }

  void add_attributes(Document::Node& made, pugi::xml_node node) {
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string_view full = attribute.name();
      if (full == "xmlns" || full.substr(0, 6) == "xmlns:") continue;
      const auto [prefix, name] = split_name(full);
      const Vocabulary vocabulary = prefix.empty() ? Vocabulary::none : resolve(prefix, node);
      made.attributes.push_back({vocabulary, name, attribute.value()});
      if (made.attributes.size() > limits::xml_attributes) {
        report("xml-too-large", node, "an element has more attributes than are accepted");
        return;
      }
    }
    refuse_duplicates(made, node);
  }

  void refuse_duplicates(const Document::Node& made, pugi::xml_node node) {
    for (std::size_t i = 1; i < made.attributes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Attribute& a = made.attributes[i];
        const Attribute& b = made.attributes[j];
        if (a.name != b.name || a.vocabulary != b.vocabulary) continue;
        if (a.vocabulary == Vocabulary::other) continue;  // may be two namespaces we do not know
        report("xml-malformed", node,
               fmt::format("the attribute \"{}\" is written twice on one element; remove one",
                           a.name.substr(0, 60)));
      }
    }
  }

  std::string_view text_of(pugi::xml_node node) {
    std::string_view only;
    std::string* joined = nullptr;
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_pcdata && child.type() != pugi::node_cdata) continue;
      if (joined != nullptr) {
        joined->append(child.value());
      } else if (only.empty()) {
        only = child.value();
      } else {
        joined = &document_.storage_->joined.emplace_back(only);
        joined->append(child.value());
      }
    }
    return trimmed(joined != nullptr ? std::string_view(*joined) : only);
  }

  static std::uint32_t offset_of(pugi::xml_node node) {
    const std::ptrdiff_t offset = node.offset_debug();  // of the name; the '<' is before it
    return offset > 0 ? static_cast<std::uint32_t>(offset - 1) : 0;
  }

  void report(std::string rule, pugi::xml_node node, std::string text) {
    if (document_.problems_.size() >= limits::findings) return;
    document_.problems_.push_back(
        {std::move(rule), document_.place_of(offset_of(node)), std::move(text)});
  }

  Document& document_;
  std::vector<Binding> bindings_;
  std::vector<std::size_t> marks_;
};

model::Place Document::place_of(std::size_t offset) const { return place_in(line_starts_, offset); }

bool Document::declares(Vocabulary vocabulary) const {
  return std::find(declared_.begin(), declared_.end(), vocabulary) != declared_.end();
}

std::variant<std::unique_ptr<const Document>, Problem> parse(std::string_view bytes) {
  if (bytes.size() > limits::xml_bytes) {
    return Problem{"xml-too-large", {}, "the file is larger than is accepted; split it"};
  }
  Result<std::string> text = to_utf8(bytes);
  if (!text) return Problem{"xml-encoding", {1, 1}, text.error().text};

  auto document = std::make_unique<Document>();
  document->line_starts_ = starts_of_lines(*text);
  if (const auto refused = scan(*text)) {
    return Problem{std::string(refused->rule), document->place_of(refused->offset),
                   std::string(refused->text)};
  }
  document->storage_ = std::make_shared<Document::Storage>();
  pugi::xml_document& parsed = document->storage_->parsed;
  const pugi::xml_parse_result result =
      parsed.load_buffer(text->data(), text->size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
    return Problem{"xml-malformed", document->place_of(std::min(offset, text->size())),
                   fmt::format("the file is not well-formed XML: {}", meaning_of(result.status))};
  }
  const pugi::xml_node root = parsed.document_element();
  for (pugi::xml_node other = root.next_sibling(); other; other = other.next_sibling()) {
    if (other.type() != pugi::node_element) continue;
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(other.offset_debug(), 1));
    return Problem{"xml-malformed", document->place_of(offset - 1),
                   "the file is not well-formed XML: it has a second root element"};
  }
  Builder(*document).build(root);
  return std::unique_ptr<const Document>(std::move(document));
}

}  // namespace pawl::bpmn::xml

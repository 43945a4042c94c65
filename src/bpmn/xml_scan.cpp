// SPDX-License-Identifier: Apache-2.0
#include "bpmn/xml_scan.hpp"

#include "base/limits.hpp"

namespace pawl::bpmn::xml {
namespace {

bool starts_at(std::string_view text, std::size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

std::size_t after(std::string_view text, std::size_t at, std::string_view end) {
  const std::size_t found = text.find(end, at);
  return found == std::string_view::npos ? text.size() : found + end.size();
}

// The place after the '>' of a start tag; a '>' inside an attribute's value does not end it.
std::size_t after_tag(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '>') {
    if (text[at] == '"' || text[at] == '\'') {
      at = text.find(text[at], at + 1);
      if (at == std::string_view::npos) return text.size();
    }
    ++at;
  }
  return at < text.size() ? at + 1 : at;
}

}  // namespace

std::optional<ScanProblem> scan(std::string_view text) {
  std::size_t depth = 0;
  std::size_t tags = 0;
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    if (starts_at(text, at, "<!--")) {
      at = after(text, at, "-->");
    } else if (starts_at(text, at, "<![CDATA[")) {
      at = after(text, at, "]]>");
    } else if (starts_at(text, at, "<?")) {
      at = after(text, at, "?>");
    } else if (starts_at(text, at, "<!")) {
      return ScanProblem{"xml-doctype",
                         "a document type or entity declaration is not accepted in a BPMN file; "
                         "remove it",
                         at};
    } else if (starts_at(text, at, "</")) {
      at = after(text, at, ">");
      if (depth > 0) --depth;
    } else {
      const std::size_t tag = at;
      at = after_tag(text, at);
      if (++tags > limits::xml_tags) {
        return ScanProblem{"xml-too-large", "the file has more tags than are accepted", tag};
      }
      if (text[at - 1] == '>' && text[at - 2] == '/') continue;
      if (++depth > limits::xml_depth) {
        return ScanProblem{"xml-too-deep", "the elements are nested deeper than is accepted", tag};
      }
    }
  }
  return std::nullopt;
}

}  // namespace pawl::bpmn::xml

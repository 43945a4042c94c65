// SPDX-License-Identifier: Apache-2.0
// A BPMN file while it is read: the document, where findings go, and who has which id. Also what
// is being built from one of its processes.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "bpmn/expressions.hpp"
#include "bpmn/report.hpp"
#include "bpmn/xml.hpp"
#include "model/process.hpp"

namespace pawl::bpmn {

struct Source {
  const xml::Document& document;
  Report& report;
  std::string_view file{};
  std::map<std::string_view, xml::Element> ids{};

  // By id; a prefix (tns:order) is accepted. None if nothing has it.
  xml::Element find(std::string_view reference) const;
};

// Fills `ids`; reports ids that are used twice.
void index_ids(Source& source);

// A process under construction, with the XML of each part.
struct Drawing {
  model::Process& process;
  std::vector<xml::Element> nodes{};  // by element index
  std::vector<xml::Element> flows{};  // by flow index
  std::vector<xml::Element> associations{};
  std::map<std::string_view, ElementIndex> by_id{};

  xml::Element of(ElementIndex index) const { return nodes[number(index)]; }
  xml::Element of(FlowIndex index) const { return flows[number(index)]; }
};

// What every reading function needs.
struct Reading {
  const Source& source;
  Report& report;
  Expressions& expressions;
  Drawing& drawing;

  model::Dialect dialect() const { return expressions.dialect(); }
};

}  // namespace pawl::bpmn

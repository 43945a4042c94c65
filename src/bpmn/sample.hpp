// SPDX-License-Identifier: Apache-2.0
// For tests only: BPMN files around a few lines of a process, in each dialect.
#pragma once

#include <string>
#include <string_view>

#include "bpmn/read.hpp"

namespace pawl::bpmn::sample {

enum class In { plain, zeebe, camunda };

// A plain executable process in a file that names the BPMN schema, so that every rule counts.
inline std::string plain_file(std::string_view process, std::string_view beside = {}) {
  std::string out =
      "<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\""
      " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
      " xmlns:pawl=\"http://pawl.dev/bpmn/1.0\""
      " xsi:schemaLocation=\"http://www.omg.org/spec/BPMN/20100524/MODEL"
      " http://www.omg.org/spec/BPMN/20100501/BPMN20.xsd\" targetNamespace=\"t\">\n";
  out += beside;
  out += "<process id=\"p\" isExecutable=\"true\">\n";
  out += process;
  return out + "</process></definitions>";
}

inline std::string dialect_file(std::string_view prefix, std::string_view uri,
                                std::string_view process, std::string_view beside) {
  std::string out =
      "<bpmn:definitions xmlns:bpmn=\"http://www.omg.org/spec/BPMN/20100524/MODEL\""
      " xmlns:pawl=\"http://pawl.dev/bpmn/1.0\" xmlns:";
  out += prefix;
  out += "=\"";
  out += uri;
  out += "\" targetNamespace=\"t\">\n";
  out += beside;
  out += "<bpmn:process id=\"p\" isExecutable=\"true\">\n";
  out += process;
  return out + "</bpmn:process></bpmn:definitions>";
}

// Elements need the prefix bpmn: in these two.
inline std::string zeebe_file(std::string_view process, std::string_view beside = {}) {
  return dialect_file("zeebe", "http://camunda.org/schema/zeebe/1.0", process, beside);
}
inline std::string camunda_file(std::string_view process, std::string_view beside = {}) {
  return dialect_file("camunda", "http://camunda.org/schema/1.0/bpmn", process, beside);
}

inline Definitions plain(std::string_view process, std::string_view beside = {}) {
  return read(plain_file(process, beside), "plain.bpmn");
}
inline Definitions zeebe(std::string_view process, std::string_view beside = {}) {
  return read(zeebe_file(process, beside), "zeebe.bpmn");
}
inline Definitions camunda(std::string_view process, std::string_view beside = {}) {
  return read(camunda_file(process, beside), "camunda.bpmn");
}

inline std::string text_of(const Definitions& definitions) {
  std::string out;
  for (const Finding& finding : definitions.findings) out += to_text(finding, "f") + "\n";
  return out;
}

inline const Finding* find(const Definitions& definitions, std::string_view rule) {
  for (const Finding& finding : definitions.findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

// <sequenceFlow>, without prefix.
inline std::string flow(std::string_view id, std::string_view from, std::string_view to,
                        std::string_view inside = {}) {
  std::string out = "<sequenceFlow id=\"";
  out += id;
  out += "\" sourceRef=\"";
  out += from;
  out += "\" targetRef=\"";
  out += to;
  out += "\">";
  out += inside;
  return out + "</sequenceFlow>\n";
}

}  // namespace pawl::bpmn::sample

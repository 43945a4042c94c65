// SPDX-License-Identifier: Apache-2.0
#include "bpmn/camunda7_mappings.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "bpmn/juel.hpp"
#include "bpmn/mappings.hpp"
#include "value/json.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::Expression;

// A text as a piece of JavaScript: its code, or a string.
std::string javascript_text(std::string_view text) {
  const std::vector<TemplatePart> parts = template_parts(text);
  if (parts.size() == 1 && parts[0].is_code) return without_word_operators(parts[0].text);
  if (parts.empty()) return "\"\"";
  return javascript_of(parts);
}

// A list, map or value as JavaScript; false if a part of it has no counterpart.
bool append_structure(std::string& out, xml::Element item, std::size_t depth) {
  if (depth > limits::mapping_depth || item.name() == "script") return false;
  if (item.name() != "list" && item.name() != "map") {
    out += '(' + javascript_text(item.text()) + ')';
    return true;
  }
  const bool map = item.name() == "map";
  out += map ? "({" : "[";
  for (xml::Element part = item.first_child(); part; part = part.next()) {
    if (map) {
      append_json_string(out, part.attribute("key"));
      out += ':';
      const xml::Element inner = part.first_child();
      if (!append_structure(out, inner ? inner : part, depth + 1)) return false;
    } else if (!append_structure(out, part, depth + 1)) {
      return false;
    }
    out += ',';
  }
  out += map ? "})" : "]";
  return true;
}

Expression script_source(const Reading& reading, xml::Element script, Element& element) {
  const std::string_view format = script.attribute("scriptFormat");
  const bool foreign = language_named(format) == LanguageName::foreign ||
                       language_named(format) == LanguageName::nonsense;
  if (!script.attribute("resource").empty() || foreign) {
    element.unsupported.push_back(
        fmt::format("a mapping script in {}", foreign ? format : "a file"));
    return {};
  }
  return reading.expressions.script(script, script.text(), format).value_or(Expression{});
}

Expression source_of(const Reading& reading, xml::Element parameter, Element& element) {
  for (xml::Element child = parameter.first_child(); child; child = child.next()) {
    if (child.vocabulary() != Vocabulary::camunda) continue;
    if (child.name() == "script") return script_source(reading, child, element);
    std::string code;
    if (append_structure(code, child, 0)) return reading.expressions.javascript(parameter, code);
    element.unsupported.push_back("a list or map of scripts in a mapping");
    return {};
  }
  return reading.expressions.value(parameter, parameter.text());
}

void add_call_mapping(const Reading& reading, xml::Element own, model::CallDefinition& call) {
  const std::string_view expression = own.attribute("sourceExpression");
  const std::string_view source = own.attribute("source");
  const std::string_view target = own.attribute("target");
  model::CallMapping mapping{.target = std::string(target.empty() ? source : target),
                             .local = own.flag("local", false)};
  if (mapping.target.empty()) {
    reading.report.add(Rule::mapping_target_invalid, own,
                       fmt::format("{}: it names no variable to write to; set target", title(own)));
    return;
  }
  if (expression.empty()) {
    mapping.variable = source;
  } else {
    mapping.source = reading.expressions.code(own, expression);
  }
  (own.name() == "in" ? call.inputs : call.outputs).push_back(std::move(mapping));
}

void read_call_in(const Reading& reading, xml::Element own, model::CallDefinition& call) {
  const bool input = own.name() == "in";
  if (const std::string_view key = own.attribute("businessKey"); !key.empty()) {
    call.business_key = reading.expressions.value(own, key);
  } else if (own.attribute("variables") == "all") {
    (input ? call.propagate_all_parent : call.propagate_all_child) = true;
    if (input) call.only_locals = own.flag("local", false);
  } else {
    add_call_mapping(reading, own, call);
  }
}

// Of a signal: what it takes along.
void read_in(const Reading& reading, xml::Element own, Element& element) {
  if (own.flag("local", false)) element.unsupported.push_back("a mapping of local variables only");
  const bool input = own.name() == "in";
  if (!own.attribute("businessKey").empty() || own.attribute("variables") == "all") return;
  const std::string_view expression = own.attribute("sourceExpression");
  const std::string_view source = own.attribute("source");
  Expression made = expression.empty() ? reading.expressions.javascript(own, source)
                                       : reading.expressions.code(own, expression);
  const std::string_view target = own.attribute("target");
  add_mapping(reading, own, input ? element.inputs : element.outputs, std::move(made),
              target.empty() ? source : target);
}

}  // namespace

void read_camunda7_parameters(const Reading& reading, xml::Element node, Element& element) {
  const xml::Element both = node.extension("inputOutput", Vocabulary::camunda);
  xml::each_child(
      both,
      [&](xml::Element parameter) {
        const bool input = parameter.name() == "inputParameter";
        if (!input && parameter.name() != "outputParameter") return;
        add_mapping(reading, parameter, input ? element.inputs : element.outputs,
                    source_of(reading, parameter, element), parameter.attribute("name"));
      },
      Vocabulary::camunda);
}

void read_camunda7_call(const Reading& reading, xml::Element node, Element& element) {
  xml::each_extension(node, Vocabulary::camunda, [&](xml::Element own) {
    if (own.name() != "in" && own.name() != "out") return;
    if (element.call) {
      read_call_in(reading, own, *element.call);
    } else {
      read_in(reading, own, element);
    }
  });
}

}  // namespace pawl::bpmn

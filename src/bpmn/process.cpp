// SPDX-License-Identifier: Apache-2.0
#include "bpmn/process.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "bpmn/camunda7.hpp"
#include "bpmn/connections.hpp"
#include "bpmn/elements.hpp"
#include "bpmn/listeners.hpp"
#include "bpmn/validate/validate.hpp"
#include "bpmn/vocabulary.hpp"
#include "bpmn/zeebe.hpp"

namespace pawl::bpmn {
namespace {

using model::Element;
using model::ElementKind;

// A container whose children are still to be read.
struct Open {
  xml::Element node{};
  ElementIndex index{ElementIndex::none};
  std::size_t depth{0};
};

// Reads containers one after the other, never by recursion: nesting is the input's choice.
class NodeReader {
 public:
  explicit NodeReader(const Reading& reading) : reading_(reading) {}

  void read(xml::Element process) {
    open_.push_back({process, ElementIndex{0}, 0});
    for (std::size_t at = 0; at < open_.size() && !full_; ++at) {
      const Open container = open_[at];
      xml::each_child(container.node, [&](xml::Element child) { read_child(container, child); });
    }
  }

  const std::vector<xml::Element>& flows() const { return flows_; }

 private:
  void read_child(const Open& container, xml::Element child) {
    const std::string_view tag = child.name();
    if (const auto kind = kind_of_tag(tag)) {
      add_node(container, child, *kind);
    } else if (tag == "sequenceFlow") {
      flows_.push_back(child);
    } else if (tag == "association") {
      reading_.drawing.associations.push_back(child);
    } else if (tag == "dataObject" || tag == "property") {
      const std::string_view name = child.attribute("name");
      scope_of(container).data_names.emplace_back(name.empty() ? child.attribute("id") : name);
    } else if (!is_known_beside_nodes(tag)) {
      reading_.report.add(Rule::element_unknown, child,
                          fmt::format("<{}> is not an element of a process that can be run; "
                                      "remove it or correct its name",
                                      tag));
    }
  }

  Element& scope_of(const Open& container) {
    return reading_.drawing.process.elements[number(container.index)];
  }

  void add_node(const Open& container, xml::Element node, ElementKind kind) {
    std::vector<Element>& elements = reading_.drawing.process.elements;
    if (elements.size() >= limits::elements_per_process) {
      if (!full_) {
        reading_.report.add(Rule::process_too_large, node,
                            "the process has more elements than are accepted; split it");
      }
      full_ = true;
      return;
    }
    if (kind == ElementKind::sub_process && node.flag("triggeredByEvent", false)) {
      kind = ElementKind::event_sub_process;
    }
    Element element;
    element.kind = kind;
    element.index = static_cast<ElementIndex>(elements.size());
    element.scope = container.index;
    read_element(reading_, node, element);
    const ElementIndex index = element.index;
    remember(node, index);
    elements.push_back(std::move(element));
    if (model::is_container(kind)) open_container(container, node, index);
  }

  void open_container(const Open& container, xml::Element node, ElementIndex index) {
    if (container.depth < limits::scope_depth) {
      open_.push_back({node, index, container.depth + 1});
      return;
    }
    reading_.report.add(Rule::nesting_too_deep, node,
                        fmt::format("{}: sub-processes are nested deeper than is accepted; use "
                                    "call activities",
                                    title(node)));
  }

  void remember(xml::Element node, ElementIndex index) {
    reading_.drawing.nodes.push_back(node);
    const std::string_view id = node.attribute("id");
    if (!id.empty()) {
      reading_.drawing.by_id.emplace(id, index);
      return;
    }
    reading_.report.add(Rule::id_missing, node,
                        fmt::format("{}: it has no id; give it one", title(node)));
  }

  const Reading& reading_;
  std::vector<Open> open_;
  std::vector<xml::Element> flows_;
  bool full_{false};
};

void read_root(const Reading& reading, xml::Element node) {
  model::Process& process = reading.drawing.process;
  process.id = node.attribute("id");
  process.name = node.attribute("name");
  process.file = reading.source.file;
  process.dialect = reading.dialect();
  process.executable = reading.report.subject().executable;
  Element root;
  root.index = ElementIndex{0};
  root.kind = ElementKind::process;
  root.id = process.id;
  root.name = process.name;
  root.place = node.place();
  read_write_rule(reading, node, root);
  if (reading.dialect() == model::Dialect::zeebe) {
    read_zeebe_process(node, process);
    read_zeebe(reading, node, root);
  }
  if (reading.dialect() == model::Dialect::camunda7) {
    read_camunda7_process(node, process);
    read_camunda7_listeners(reading, node, root);
  }
  process.elements.push_back(std::move(root));
  reading.drawing.nodes.push_back(node);
  if (process.id.empty()) {
    reading.report.add(Rule::id_missing, node, "the process has no id; give it one");
  }
}

ElementKind kind_of_global(std::string_view tag) {
  if (tag == "globalScriptTask") return ElementKind::script_task;
  if (tag == "globalUserTask") return ElementKind::user_task;
  if (tag == "globalManualTask") return ElementKind::manual_task;
  if (tag == "globalBusinessRuleTask") return ElementKind::business_rule_task;
  return ElementKind::task;
}

Element plain_element(ElementKind kind, std::string id, model::Place place) {
  Element element;
  element.kind = kind;
  element.id = std::move(id);
  element.place = place;
  element.scope = ElementIndex{0};
  return element;
}

void add_flow(model::Process& process, std::uint32_t from, std::uint32_t to) {
  model::Flow flow;
  flow.id = fmt::format("{}.flow{}", process.id, process.flows.size() + 1);
  flow.source = static_cast<ElementIndex>(from);
  flow.target = static_cast<ElementIndex>(to);
  process.flows.push_back(std::move(flow));
}

}  // namespace

std::shared_ptr<model::Process> read_process(const Source& source, xml::Element node,
                                             const ProcessOptions& options) {
  auto process = std::make_shared<model::Process>();
  Drawing drawing{*process};
  Expressions expressions(options.dialect, options.feel_by_default, source.report);
  const Reading reading{source, source.report, expressions, drawing};

  read_root(reading, node);
  NodeReader nodes(reading);
  nodes.read(node);
  read_flows(reading, nodes.flows());
  attach_boundary_events(reading);
  process->first_script = expressions.first_script();
  model::link(*process);
  connect_compensation_handlers(reading);
  validate(reading);
  return process;
}

std::shared_ptr<model::Process> read_global_task(const Source& source, xml::Element node,
                                                 const ProcessOptions& options) {
  auto process = std::make_shared<model::Process>();
  Drawing drawing{*process};
  Expressions expressions(options.dialect, options.feel_by_default, source.report);
  const Reading reading{source, source.report, expressions, drawing};

  read_root(reading, node);
  process->global_task = true;
  process->elements.front().listeners.reset();  // the task has them
  Element task = plain_element(kind_of_global(node.name()), {}, node.place());
  read_element(reading, node, task);
  const std::string id = process->id;
  process->elements.push_back(plain_element(ElementKind::start_event, id + ".start", node.place()));
  process->elements.push_back(std::move(task));
  process->elements.push_back(plain_element(ElementKind::end_event, id + ".end", node.place()));
  add_flow(*process, 1, 2);
  add_flow(*process, 2, 3);
  process->first_script = expressions.first_script();
  model::link(*process);
  return process;
}

}  // namespace pawl::bpmn

// SPDX-License-Identifier: Apache-2.0
#include "testkit/as_xml.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bpmn/read.hpp"

namespace pawl::testkit {
namespace {

using model::Element;
using model::ElementKind;
using model::EventDefinition;
using model::EventKind;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// As a file writes it: "=" before what is to be evaluated.
std::string written(const model::Expression& expression) {
  if (expression.is_literal()) return escaped(std::string(expression.literal.as_string()));
  if (expression.language == model::Expression::Language::feel) {
    return "=" + escaped(expression.text);
  }
  throw std::invalid_argument("as_xml: cannot write the expression " + expression.text);
}

std::string attribute(std::string_view name, std::string_view text) {
  return text.empty() ? std::string() : fmt::format(" {}=\"{}\"", name, text);
}

std::string_view tag_in_file(ElementKind kind) {
  return kind == ElementKind::event_sub_process ? "subProcess" : model::tag_of(kind);
}

class Writer {
 public:
  explicit Writer(const model::Process& process) : process_(process) {}

  std::string write() {
    const Element& root = process_.root();
    body_ += fmt::format("<bpmn:process id=\"{}\" isExecutable=\"true\">", escaped(process_.id));
    extensions(root, "");
    children_of(root);
    body_ += "</bpmn:process>\n";
    return "<bpmn:definitions xmlns:bpmn=\"http://www.omg.org/spec/BPMN/20100524/MODEL\" "
           "xmlns:zeebe=\"http://camunda.org/schema/zeebe/1.0\" "
           "xmlns:pawl=\"http://pawl.dev/bpmn/1.0\" targetNamespace=\"drawn\">\n" +
           roots_ + body_ + "</bpmn:definitions>\n";
  }

 private:
  void children_of(const Element& scope) {
    for (const Element& one : process_.elements) {
      if (one.scope == scope.index && one.index != scope.index) element(one);
    }
    for (const model::Flow& flow : process_.flows) {
      if (process_.at(flow.source).scope != scope.index) continue;
      body_ += fmt::format("<bpmn:sequenceFlow id=\"{}\" sourceRef=\"{}\" targetRef=\"{}\">",
                           escaped(flow.id), escaped(process_.at(flow.source).id),
                           escaped(process_.at(flow.target).id));
      if (!flow.condition.empty()) expression("conditionExpression", flow.condition);
      body_ += "</bpmn:sequenceFlow>\n";
    }
    for (const Element& one : process_.elements) {
      if (one.scope != scope.index || one.compensation_handler == ElementIndex::none) continue;
      body_ += fmt::format(
          "<bpmn:association id=\"a{}\" associationDirection=\"One\" "
          "sourceRef=\"{}\" targetRef=\"{}\"/>\n",
          number(one.index), escaped(one.id), escaped(process_.at(one.compensation_handler).id));
    }
  }

  void expression(std::string_view tag, const model::Expression& one) {
    body_ += fmt::format("<bpmn:{0}>{1}</bpmn:{0}>", tag, written(one));
  }

  void element(const Element& one) {
    const std::string_view tag = tag_in_file(one.kind);
    const bool activity_message = one.kind == ElementKind::receive_task;
    body_ += fmt::format("<bpmn:{} id=\"{}\"", tag, escaped(one.id));
    if (one.default_flow != FlowIndex::none) {
      body_ += attribute("default", escaped(process_.at(one.default_flow).id));
    }
    if (one.kind == ElementKind::event_sub_process) body_ += attribute("triggeredByEvent", "true");
    if (one.for_compensation) body_ += attribute("isForCompensation", "true");
    if (one.kind == ElementKind::boundary_event) {
      body_ += attribute("attachedToRef", escaped(process_.at(one.attached_to).id));
      if (!one.interrupting) body_ += attribute("cancelActivity", "false");
    }
    if (one.kind == ElementKind::start_event && !one.interrupting) {
      body_ += attribute("isInterrupting", "false");
    }
    if (!one.cancel_remaining) body_ += attribute("cancelRemainingInstances", "false");
    if (one.sequential_ordering) body_ += attribute("ordering", "Sequential");
    if (activity_message) body_ += attribute("messageRef", root_of(one.events.front()));
    body_ += ">";
    extensions(one, own_extensions(one));
    if (one.loop) loop(*one.loop);
    if (!activity_message) events(one);
    if (!one.children.empty()) body_ += "\n";
    children_of(one);
    if (!one.completion_condition.empty())
      expression("completionCondition", one.completion_condition);
    body_ += fmt::format("</bpmn:{}>\n", tag);
  }

  std::string own_extensions(const Element& one) {
    const bool serves = one.kind == ElementKind::service_task || one.kind == ElementKind::send_task;
    std::string out;
    if (serves) {
      out += fmt::format(
          "<zeebe:taskDefinition type=\"{}\"{}/>",
          one.job ? written(one.job->type) : escaped(one.id),
          attribute("retries", one.job && !one.job->retries.empty() ? written(one.job->retries)
                                                                    : std::string()));
    }
    if (one.script) {
      const bool named = !one.script->result_variable.empty();
      out += fmt::format("<zeebe:script expression=\"{}\" resultVariable=\"{}\"/>",
                         written(one.script->script),
                         named ? escaped(one.script->result_variable) : "ignored");
    }
    if (one.call) {
      out += fmt::format("<zeebe:calledElement processId=\"{}\"/>", written(one.call->process_id));
    }
    if (one.kind == ElementKind::ad_hoc_sub_process) {
      out += fmt::format("<zeebe:adHoc activeElementsCollection=\"{}\"{}{}/>",
                         written(one.active_elements),
                         attribute("outputCollection", escaped(one.path_output_collection)),
                         attribute("outputElement", one.path_output_element.empty()
                                                        ? std::string()
                                                        : written(one.path_output_element)));
    }
    return out;
  }

  void extensions(const Element& one, const std::string& own) {
    std::string out = own + mappings(one);
    if (one.listeners) {
      std::string jobs;
      const auto add = [&](std::string_view event, const std::vector<model::JobDefinition>& those) {
        for (const model::JobDefinition& job : those) {
          jobs += fmt::format("<zeebe:executionListener eventType=\"{}\" type=\"{}\"/>", event,
                              written(job.type));
        }
      };
      add("beforeAll", one.listeners->before_all);
      add("start", one.listeners->start);
      add("end", one.listeners->end);
      out += "<zeebe:executionListeners>" + jobs + "</zeebe:executionListeners>";
    }
    if (out.empty()) return;
    body_ += "<bpmn:extensionElements>" + out + "</bpmn:extensionElements>";
  }

  static std::string mappings(const Element& one) {
    std::string out;
    for (const auto& [tag, many] : {std::pair{"input", &one.inputs}, {"output", &one.outputs}}) {
      for (const model::Mapping& mapping : *many) {
        out += fmt::format("<zeebe:{} source=\"{}\" target=\"{}\"/>", tag, written(mapping.source),
                           escaped(mapping.target));
      }
    }
    return out.empty() ? out : "<zeebe:ioMapping>" + out + "</zeebe:ioMapping>";
  }

  void loop(const model::LoopDefinition& loop) {
    if (loop.kind != model::LoopDefinition::Kind::multi_instance || loop.collection.empty()) {
      throw std::invalid_argument("as_xml: only loops over a collection can be written");
    }
    body_ +=
        fmt::format("<bpmn:multiInstanceLoopCharacteristics isSequential=\"{}\">", loop.sequential);
    body_ += fmt::format(
        "<bpmn:extensionElements><zeebe:loopCharacteristics inputCollection=\"{}\""
        "{}{}{}/></bpmn:extensionElements>",
        written(loop.collection), attribute("inputElement", loop.item_variable),
        attribute("outputCollection", loop.output_collection),
        attribute("outputElement",
                  loop.output_element.empty() ? std::string() : written(loop.output_element)));
    if (!loop.completion_condition.empty()) {
      expression("completionCondition", loop.completion_condition);
    }
    body_ += "</bpmn:multiInstanceLoopCharacteristics>";
  }

  void events(const Element& one) {
    if (one.kind == ElementKind::event_sub_process) return;
    for (const EventDefinition& event : one.events) definition(event);
    const bool terminates = one.event == EventKind::terminate && one.events.empty();
    if (terminates) body_ += "<bpmn:terminateEventDefinition/>";
  }

  void definition(const EventDefinition& event) {
    switch (event.kind) {
      case EventKind::none:
        return;
      case EventKind::timer: {
        constexpr const char* tags[] = {"timeDate", "timeDuration", "timeCycle"};
        body_ += "<bpmn:timerEventDefinition>";
        expression(tags[static_cast<std::size_t>(event.timer->kind)], event.timer->value);
        body_ += "</bpmn:timerEventDefinition>";
        return;
      }
      case EventKind::compensation:
        body_ += fmt::format("<bpmn:compensateEventDefinition{}/>",
                             attribute("activityRef", escaped(event.activity_ref)));
        return;
      case EventKind::cancel:
        body_ += "<bpmn:cancelEventDefinition/>";
        return;
      case EventKind::terminate:
        body_ += "<bpmn:terminateEventDefinition/>";
        return;
      default: {
        const std::string kind(name_in_file(event.kind));
        const std::string ref = root_of(event);
        body_ += fmt::format("<bpmn:{}EventDefinition{}/>", kind, attribute(kind + "Ref", ref));
      }
    }
  }

  static std::string_view name_in_file(EventKind kind) {
    switch (kind) {
      case EventKind::message:
        return "message";
      case EventKind::signal:
        return "signal";
      case EventKind::error:
        return "error";
      case EventKind::escalation:
        return "escalation";
      default:
        throw std::invalid_argument("as_xml: cannot write an event of this kind");
    }
  }

  // The message, signal, error or escalation it refers to, told beside the process; empty: any.
  std::string root_of(const EventDefinition& event) {
    const bool by_code = event.kind == EventKind::error || event.kind == EventKind::escalation;
    if (by_code && event.code.empty()) return {};
    std::string id = fmt::format("root{}", ++told_);
    const std::string tag(name_in_file(event.kind));
    if (by_code) {
      roots_ += fmt::format("<bpmn:{0} id=\"{1}\" name=\"{1}\" {0}Code=\"{2}\"/>\n", tag, id,
                            written(event.code));
      return id;
    }
    roots_ += fmt::format("<bpmn:{} id=\"{}\" name=\"{}\">", tag, id, written(event.name));
    if (!event.correlation_key.empty()) {
      roots_ += fmt::format(
          "<bpmn:extensionElements><zeebe:subscription correlationKey=\"{}\"/>"
          "</bpmn:extensionElements>",
          written(event.correlation_key));
    }
    roots_ += fmt::format("</bpmn:{}>\n", tag);
    return id;
  }

  const model::Process& process_;
  std::string roots_, body_;
  int told_{0};
};

}  // namespace

std::string as_xml(const model::Process& process) { return Writer(process).write(); }

Result<model::ProcessPtr> through_a_file(const model::Process& process) {
  const std::string xml = as_xml(process);
  const bpmn::Definitions read = bpmn::read(xml, "drawn.bpmn");
  if (read.processes.size() == 1) return read.processes.front();
  std::string text;
  for (const bpmn::Finding& finding : read.findings) {
    text += bpmn::to_text(finding, read.file) + "\n";
  }
  return fail(Whose::caller, Code::invalid_model, text + xml);
}

}  // namespace pawl::testkit

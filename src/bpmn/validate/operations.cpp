// SPDX-License-Identifier: Apache-2.0
// Interfaces: tasks that use an operation have the data it needs, callable elements that offer
// one bind their data to it, calls pass what the called element declares.
#include <fmt/format.h>

#include "bpmn/validate/check.hpp"
#include "bpmn/validate/items.hpp"

namespace pawl::bpmn {
namespace {

using model::ElementKind;

void operation_mismatch(const Reading& reading, xml::Element at, std::string_view text) {
  reading.report.add(Rule::operation_data, at, fmt::format("{}: {}", title(at), text));
}

// One side of an operation: a message goes in or comes out as one data element of its item.
struct Side {
  std::string_view data_tag;  // dataInput
  std::string_view set_tag;   // inputSet
  std::string_view message;   // inMessageRef
  std::string_view what;      // for messages
};

constexpr Side in_side{"dataInput", "inputSet", "inMessageRef", "input"};
constexpr Side out_side{"dataOutput", "outputSet", "outMessageRef", "output"};

void check_single_set(const Reading& reading, xml::Element task, const Side& side) {
  const xml::Element specification = task.child("ioSpecification");
  if (children_of(specification, side.set_tag).size() > 1) {
    operation_mismatch(reading, task, fmt::format("it has several {} sets; keep one", side.what));
  }
}

void check_data_for(const Reading& reading, xml::Element task, const Side& side,
                    xml::Element message) {
  const auto data = children_of(task.child("ioSpecification"), side.data_tag);
  const xml::Element item = item_of(reading.source, message);
  if (data.size() != 1) {
    operation_mismatch(
        reading, task,
        fmt::format("its message needs exactly one data {}, there are {}", side.what, data.size()));
  } else if (!same_item(item_of(reading.source, data[0]), item)) {
    operation_mismatch(reading, data[0],
                       fmt::format("its item definition is not that of the message \"{}\"",
                                   message.attribute("id")));
  }
}

void check_service(const Reading& reading, xml::Element task) {
  const xml::Element operation = reading.source.find(task.attribute("operationRef"));
  if (!operation || !operation.is("operation")) return;
  for (const Side& side : {in_side, out_side}) {
    check_single_set(reading, task, side);
    const xml::Element message = reading.source.find(operation.child(side.message).text());
    if (message && item_of(reading.source, message)) check_data_for(reading, task, side, message);
  }
}

// A send or receive task may have the data of its message, and no other.
void check_messaging(const Reading& reading, xml::Element task, const Side& side) {
  const xml::Element message = reading.source.find(task.attribute("messageRef"));
  if (!message || !message.is("message") || !task.child("ioSpecification")) return;
  check_single_set(reading, task, side);
  if (item_of(reading.source, message)) check_data_for(reading, task, side, message);
}

bool same_data(const Reading& reading, const std::vector<xml::Element>& a,
               const std::vector<xml::Element>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const xml::Element left = item_of(reading.source, a[i]);
    if (!same_item(left, item_of(reading.source, b[i]))) return false;
  }
  return true;
}

void check_call_data(const Reading& reading, xml::Element call) {
  const xml::Element called = reading.source.find(call.attribute("calledElement"));
  const xml::Element own = call.child("ioSpecification");
  const xml::Element theirs = called.child("ioSpecification");
  if (!own || !theirs) return;
  for (const Side& side : {in_side, out_side}) {
    if (same_data(reading, children_of(own, side.data_tag), children_of(theirs, side.data_tag))) {
      continue;
    }
    reading.report.add(Rule::call_data, call,
                       fmt::format("{}: its data {}s are not those of \"{}\"", title(call),
                                   side.what, called.attribute("id")));
  }
}

void check_binding(const Reading& reading, xml::Element binding) {
  const xml::Element operation = reading.source.find(binding.attribute("operationRef"));
  if (!operation) return;
  const auto compare = [&](std::string_view data_ref, std::string_view message_ref) {
    const xml::Element data = reading.source.find(binding.attribute(data_ref));
    const xml::Element message = reading.source.find(operation.child(message_ref).text());
    if (!data || !message) return;
    if (same_item(item_of(reading.source, data), item_of(reading.source, message))) return;
    operation_mismatch(reading, binding,
                       fmt::format("{} and {} of the operation have different item definitions",
                                   data_ref, message_ref));
  };
  compare("inputDataRef", "inMessageRef");
  compare("outputDataRef", "outMessageRef");
}

// A process or global task that offers an interface says how its data and the operations meet.
void check_callable(const Reading& reading, xml::Element callable) {
  if (callable.child("supportedInterfaceRef") && !callable.child("ioBinding")) {
    operation_mismatch(reading, callable,
                       "it offers an interface but binds no data to it; add ioBinding");
  }
  for (const xml::Element& binding : children_of(callable, "ioBinding")) {
    check_binding(reading, binding);
  }
}

}  // namespace

void check_operations(const Reading& reading) {
  if (!reading.report.subject().plain) return;
  for (const model::Element& element : reading.drawing.process.elements) {
    const xml::Element node = reading.drawing.of(element.index);
    switch (element.kind) {
      case ElementKind::process:
        check_callable(reading, node);
        break;
      case ElementKind::service_task:
        check_service(reading, node);
        break;
      case ElementKind::send_task:
        check_messaging(reading, node, in_side);
        break;
      case ElementKind::receive_task:
        check_messaging(reading, node, out_side);
        break;
      case ElementKind::call_activity: {
        check_call_data(reading, node);
        const xml::Element called = reading.source.find(node.attribute("calledElement"));
        if (called && !called.is("process")) check_callable(reading, called);
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace pawl::bpmn

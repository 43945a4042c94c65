// SPDX-License-Identifier: Apache-2.0
// Any mappings: each line of the input is "target=source", half of them into a job, half out of it.
// A file with them is read or refused; what can be run is run twice around, and then is stored and
// read back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bpmn/read.hpp"
#include "check_state.hpp"
#include "engine/support.hpp"
#include "runtime/driver.hpp"
#include "value/json.hpp"

namespace {

using namespace pawl;

constexpr int passes = 12;  // a value that doubles with each is soon refused

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = c >= ' ' && c != '<' && c != '&' && c != '"';
    out += plain ? std::string(1, c) : "&#" + std::to_string(static_cast<std::uint8_t>(c)) + ";";
  }
  return out;
}

std::string mapping(std::string_view tag, std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  return "<zeebe:" + std::string(tag) + " target=\"" + escaped(line.substr(0, equals)) +
         "\" source=\"=" + escaped(line.substr(equals + 1)) + "\"/>";
}

std::string file_with(std::string_view lines) {
  std::string inputs, outputs;
  for (bool in = true; !lines.empty(); in = !in) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    (in ? inputs : outputs) += mapping(in ? "input" : "output", lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return "<bpmn:definitions xmlns:bpmn=\"http://www.omg.org/spec/BPMN/20100524/MODEL\" "
         "xmlns:zeebe=\"http://camunda.org/schema/zeebe/1.0\" targetNamespace=\"t\">"
         "<bpmn:process id=\"p\" isExecutable=\"true\"><bpmn:startEvent id=\"s\"/>"
         "<bpmn:serviceTask id=\"t\"><bpmn:extensionElements><zeebe:taskDefinition type=\"t\"/>"
         "<zeebe:ioMapping>" +
         inputs + outputs +
         "</zeebe:ioMapping></bpmn:extensionElements></bpmn:serviceTask>"
         "<bpmn:exclusiveGateway id=\"again\"/>"
         "<bpmn:sequenceFlow id=\"a\" sourceRef=\"s\" targetRef=\"again\"/>"
         "<bpmn:sequenceFlow id=\"b\" sourceRef=\"again\" targetRef=\"t\"/>"
         "<bpmn:sequenceFlow id=\"c\" sourceRef=\"t\" targetRef=\"again\"/>"
         "</bpmn:process></bpmn:definitions>";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view lines(reinterpret_cast<const char*>(data), size);
  const bpmn::Definitions read = bpmn::read(file_with(lines), "fuzz.bpmn");
  if (read.processes.empty() || !engine::unsupported(*read.processes.front()).empty()) return 0;
  runtime::Driver driver(read.processes.front());
  driver.allowance.value = 1u << 16;
  driver.allowance.instance = 1u << 18;
  driver.keeps_journal = false;
  driver.after_turn = [](const engine::Instance& one, const engine::Events&) {
    fuzz::check_state(one);
  };
  if (!driver.start(object({{"x", 1}, {"list", Value(List{Value(1), Value("two")})}}))) return 0;
  for (int i = 0; i < passes && !driver.open_jobs().empty(); ++i) {
    const Key job = *driver.open_jobs().begin();
    static_cast<void>(driver.send(engine::CompleteJob{job, object({{"y", i}})}));
  }
  return 0;
}

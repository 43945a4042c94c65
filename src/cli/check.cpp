// SPDX-License-Identifier: Apache-2.0
#include "cli/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bpmn/read.hpp"
#include "cli/input.hpp"
#include "cli/report.hpp"
#include "engine/support.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

using Severity = bpmn::Finding::Severity;

constexpr Option check_options[] = {
    {.name = "--json", .value = {}, .help = "one JSON object instead of lines of text"},
};

struct Checked {
  std::string file;
  std::vector<std::string> processes;  // ids
  std::vector<bpmn::Finding> findings;
};

std::size_t count(const std::vector<Checked>& files, Severity severity) {
  std::size_t total = 0;
  for (const Checked& checked : files) {
    total += std::count_if(checked.findings.begin(), checked.findings.end(),
                           [&](const auto& finding) { return finding.severity == severity; });
  }
  return total;
}

// What the reader found and, in a model that reads well, what the engine refuses to run.
Checked check_model(std::string_view xml, const std::string& file) {
  bpmn::Definitions definitions = bpmn::read(xml, file);
  Checked checked{file, {}, std::move(definitions.findings)};
  for (const model::ProcessPtr& process : definitions.processes) {
    checked.processes.push_back(process->id);
    if (!process->executable) continue;
    for (engine::Refusal& refusal : engine::unsupported(*process)) {
      checked.findings.push_back({.severity = Severity::error,
                                  .rule = "not-supported",
                                  .element = std::move(refusal.element),
                                  .place = refusal.place,
                                  .text = std::move(refusal.text)});
    }
  }
  std::stable_sort(checked.findings.begin(), checked.findings.end(),
                   [](const bpmn::Finding& a, const bpmn::Finding& b) {
                     return std::pair(a.place.line, a.place.column) <
                            std::pair(b.place.line, b.place.column);
                   });
  return checked;
}

Value to_value(const bpmn::Finding& finding) {
  return object({{"severity", finding.severity == Severity::error ? "error" : "warning"},
                 {"rule", finding.rule},
                 {"element", finding.element},
                 {"line", static_cast<std::int64_t>(finding.place.line)},
                 {"column", static_cast<std::int64_t>(finding.place.column)},
                 {"text", finding.text}});
}

Value to_value(const Checked& checked) {
  List processes(checked.processes.begin(), checked.processes.end());
  List findings;
  for (const bpmn::Finding& finding : checked.findings) findings.push_back(to_value(finding));
  return object({{"file", checked.file},
                 {"processes", std::move(processes)},
                 {"findings", std::move(findings)}});
}

void print_findings_as_json(const std::vector<Checked>& files) {
  List all;
  for (const Checked& checked : files) all.push_back(to_value(checked));
  const auto number_of = [&](Severity severity) {
    return static_cast<std::int64_t>(count(files, severity));
  };
  say_json(object({{"files", std::move(all)},
                   {"errors", number_of(Severity::error)},
                   {"warnings", number_of(Severity::warning)}}));
}

void print_findings(const std::vector<Checked>& files) {
  for (const Checked& checked : files) {
    for (const bpmn::Finding& finding : checked.findings) {
      const bool is_error = finding.severity == Severity::error;
      say("{}\n", painted(stdout, is_error ? Colour::red : Colour::yellow,
                          bpmn::to_text(finding, checked.file)));
    }
    if (checked.findings.empty()) {
      say("{}: no findings, {} read\n", checked.file,
          checked.processes.size() == 1 ? fmt::format("process \"{}\"", checked.processes[0])
                                        : fmt::format("{} processes", checked.processes.size()));
    }
  }
}

Exit run_check(const Arguments& arguments) {
  std::vector<Checked> files;
  Exit exit = Exit::done;
  for (const std::string& path : arguments.words()) {
    const auto xml = read_file(path, limits::xml_bytes);
    if (!xml) {
      report({.what = xml.error().text});
      exit = Exit::bad_input;
      continue;
    }
    files.push_back(check_model(*xml, path));
  }
  arguments.has("--json") ? print_findings_as_json(files) : print_findings(files);
  return count(files, Severity::error) > 0 ? Exit::bad_input : exit;
}

}  // namespace

const Command check_command{
    .name = "check",
    .summary = "reads BPMN files and says what is wrong with them",
    .usage = "FILE… [--json]",
    .details =
        "Each finding is a line: file:line:column: error|warning: text [rule].\n"
        "The rules are explained in docs/validation.md; not-supported means that the model\n"
        "is right but this version cannot run it. Exit code 1 if there is an error.\n",
    .example = "  pawl check examples/order/order.bpmn\n",
    .options = check_options,
    .least_words = 1,
    .most_words = std::numeric_limits<std::size_t>::max(),
    .run = run_check,
};

}  // namespace pawl::cli

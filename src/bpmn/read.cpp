// SPDX-License-Identifier: Apache-2.0
#include "bpmn/read.hpp"

#include <fmt/format.h>

#include <set>

#include "bpmn/process.hpp"
#include "bpmn/source.hpp"
#include "bpmn/validate/validate.hpp"
#include "bpmn/vocabulary.hpp"

namespace pawl::bpmn {
namespace {

using model::Dialect;

struct Uses {
  bool zeebe{false};
  bool camunda{false};
};

void note(Uses& uses, Vocabulary vocabulary) {
  if (vocabulary == Vocabulary::zeebe) uses.zeebe = true;
  if (vocabulary == Vocabulary::camunda) uses.camunda = true;
}

Uses uses_of(xml::Element part) {
  Uses uses;
  const auto look = [&](xml::Element element) {
    note(uses, element.vocabulary());
    for (const xml::Attribute& attribute : element.attributes()) note(uses, attribute.vocabulary);
    return true;
  };
  look(part);
  xml::each_descendant(part, look);
  return uses;
}

std::optional<Dialect> dialect_from(const Uses& uses) {
  if (uses.zeebe) return Dialect::zeebe;
  if (uses.camunda) return Dialect::camunda7;
  return std::nullopt;
}

// For a process that uses no extension itself: what the rest of the file uses, the platform that
// the modeler names, or the namespaces that are declared.
Dialect dialect_of_file(const xml::Document& document) {
  const xml::Element root = document.root();
  if (const auto used = dialect_from(uses_of(root))) return *used;
  const std::string_view platform = root.attribute("executionPlatform", Vocabulary::modeler);
  if (platform == "Camunda Cloud") return Dialect::zeebe;
  if (platform == "Camunda Platform") return Dialect::camunda7;
  const Uses declared{document.declares(Vocabulary::zeebe), document.declares(Vocabulary::camunda)};
  return dialect_from(declared).value_or(Dialect::plain);
}

// A schema that can be fetched: a bare file name is only what editors write into every file.
bool names_schema(xml::Element root) {
  constexpr std::string_view model = "BPMN/20100524/MODEL";
  const std::string_view location = root.attribute("schemaLocation", Vocabulary::schema);
  const std::size_t at = location.find(model);
  if (at == std::string_view::npos) return false;
  const std::size_t begin = location.find_first_not_of(" \t\r\n", at + model.size());
  if (begin == std::string_view::npos) return false;
  return location.substr(begin, location.find_first_of(" \t\r\n", begin) - begin).find("://") !=
         std::string_view::npos;
}

// What stands around the processes matters as much as the processes do.
bool any_executable(xml::Element root, const std::set<std::string_view>& drawings) {
  bool any = false;
  for (xml::Element part = root.first_child(); part; part = part.next()) {
    if (!part.is("process")) continue;
    if (drawings.count(part.attribute("id")) == 0) return true;
    any = true;
  }
  return !any;
}

// Processes that are not meant to run: they say so, or they are pools of a collaboration that do
// not say that they are.
std::set<std::string_view> drawings_in(xml::Element root) {
  std::set<std::string_view> pools;
  xml::each_child(root, [&](xml::Element part) {
    if (!part.is("collaboration")) return;
    xml::each_child(part, [&](xml::Element pool) { pools.insert(pool.attribute("processRef")); });
  });
  std::set<std::string_view> drawings;
  xml::each_child(root, [&](xml::Element part) {
    const std::string_view id = part.attribute("id");
    if (part.is("process") && !part.flag("isExecutable", pools.count(id) == 0)) {
      drawings.insert(id);
    }
  });
  return drawings;
}

void refuse_unknown_definitions(const Source& source) {
  xml::each_child(source.document.root(), [&](xml::Element part) {
    if (is_known_at_top(part.name())) return;
    source.report.add(Rule::element_unknown, part,
                      fmt::format("<{}> may not stand in the definitions; move it into a process "
                                  "or remove it",
                                  part.name()));
  });
}

class FileReader {
 public:
  explicit FileReader(Source& source)
      : source_(source),
        file_dialect_(dialect_of_file(source.document)),
        names_schema_(names_schema(source.document.root())),
        drawings_(drawings_in(source.document.root())) {}

  std::vector<model::ProcessPtr> read() {
    const xml::Element root = source_.document.root();
    source_.report.about(
        {any_executable(root, drawings_), file_dialect_ == Dialect::plain, names_schema_});
    index_ids(source_);
    refuse_unknown_definitions(source_);
    validate_references(source_);
    validate_collaborations(source_);
    bool any = false;
    xml::each_child(root, [&](xml::Element part) {
      if (part.is("process")) add(part, false);
      if (is_global_task(part.name())) add(part, true);
      any = any || part.is("process") || is_global_task(part.name());
    });
    if (!any) {
      source_.report.add(Rule::process_missing, root,
                         "the file has no process; there is nothing to run");
    }
    return std::move(processes_);
  }

 private:
  void add(xml::Element part, bool global_task) {
    const Dialect dialect = dialect_from(uses_of(part)).value_or(file_dialect_);
    const bool executable = drawings_.count(part.attribute("id")) == 0;
    source_.report.about({executable, dialect == Dialect::plain, names_schema_});
    const std::string_view language = source_.document.root().attribute("expressionLanguage");
    const ProcessOptions options{dialect, language_named(language) == LanguageName::feel};
    if (!ids_.insert(part.attribute("id")).second) return;  // reported with the ids
    processes_.push_back(global_task ? read_global_task(source_, part, options)
                                     : read_process(source_, part, options));
  }

  Source& source_;
  Dialect file_dialect_;
  bool names_schema_;
  std::set<std::string_view> drawings_;
  std::set<std::string_view> ids_;
  std::vector<model::ProcessPtr> processes_;
};

}  // namespace

Definitions read(std::string_view xml, std::string file) {
  Definitions made;
  made.file = std::move(file);
  Report report;
  auto parsed = xml::parse(xml);
  if (const auto* problem = std::get_if<xml::Problem>(&parsed)) {
    report.add(*problem);
    made.findings = report.take();
    return made;
  }
  const xml::Document& document = *std::get<0>(parsed);
  for (const xml::Problem& problem : document.problems()) report.add(problem);
  if (!document.root().is("definitions")) {
    report.add(Rule::not_bpmn, document.root(),
               "the file is not a BPMN 2.0 model: its root is not <definitions> of the BPMN "
               "namespace");
  } else {
    Source source{document, report, made.file};
    made.processes = FileReader(source).read();
  }
  if (report.has_errors()) made.processes.clear();
  made.findings = report.take();
  return made;
}

}  // namespace pawl::bpmn

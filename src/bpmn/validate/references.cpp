// SPDX-License-Identifier: Apache-2.0
// References that mean nothing at run time but must not dangle: to data, messages, interfaces and
// the like. Those that the graph is made of are checked where they are read.
#include <fmt/format.h>

#include "bpmn/validate/validate.hpp"

namespace pawl::bpmn {
namespace {

// `owner` refers with the attribute (or, in angle brackets, the child element) `by` to one of
// `targets`, a list divided by blanks; "*" means anything that has an id.
struct Reference {
  std::string_view owner;
  std::string_view by;
  std::string_view targets;
};

constexpr std::string_view data =
    "dataObject dataObjectReference dataStoreReference dataInput dataOutput property";

constexpr Reference references[] = {
    {"messageFlow", "messageRef", "message"},
    {"participant", "processRef", "process"},
    {"participant", "<interfaceRef>", "interface"},
    {"process", "<supportedInterfaceRef>", "interface"},
    {"process", "definitionalCollaborationRef", "collaboration choreography conversation"},
    {"inputSet", "<dataInputRefs>", "dataInput"},
    {"inputSet", "<optionalInputRefs>", "dataInput"},
    {"inputSet", "<whileExecutingInputRefs>", "dataInput"},
    {"inputSet", "<outputSetRefs>", "outputSet"},
    {"outputSet", "<dataOutputRefs>", "dataOutput"},
    {"outputSet", "<optionalOutputRefs>", "dataOutput"},
    {"outputSet", "<whileExecutingOutputRefs>", "dataOutput"},
    {"outputSet", "<inputSetRefs>", "inputSet"},
    {"dataInputAssociation", "<sourceRef>", data},
    {"dataInputAssociation", "<targetRef>", data},
    {"dataOutputAssociation", "<sourceRef>", data},
    {"dataOutputAssociation", "<targetRef>", data},
    {"linkEventDefinition", "<source>", "linkEventDefinition"},
    {"linkEventDefinition", "<target>", "linkEventDefinition"},
    {"messageEventDefinition", "<operationRef>", "operation"},
    {"serviceTask", "operationRef", "operation"},
    {"sendTask", "operationRef", "operation"},
    {"receiveTask", "operationRef", "operation"},
    {"operation", "<inMessageRef>", "message"},
    {"operation", "<outMessageRef>", "message"},
    {"operation", "<errorRef>", "error"},
    {"ioBinding", "operationRef", "operation"},
    {"ioBinding", "inputDataRef", "dataInput inputSet"},
    {"ioBinding", "outputDataRef", "dataOutput outputSet"},
    {"message", "itemRef", "itemDefinition"},
    {"signal", "structureRef", "itemDefinition"},
    {"error", "structureRef", "itemDefinition"},
    {"escalation", "structureRef", "itemDefinition"},
    {"dataObject", "itemSubjectRef", "itemDefinition"},
    {"dataInput", "itemSubjectRef", "itemDefinition"},
    {"dataOutput", "itemSubjectRef", "itemDefinition"},
    {"property", "itemSubjectRef", "itemDefinition"},
    {"dataObjectReference", "dataObjectRef", "dataObject"},
    {"dataStoreReference", "dataStoreRef", "dataStore"},
    {"lane", "<flowNodeRef>", "*"},
    {"resourceRole", "<resourceRef>", "resource"},
    {"performer", "<resourceRef>", "resource"},
    {"humanPerformer", "<resourceRef>", "resource"},
    {"potentialOwner", "<resourceRef>", "resource"},
    {"resourceParameterBinding", "parameterRef", "resourceParameter"},
    {"association", "sourceRef", "*"},
    {"association", "targetRef", "*"},
    {"group", "categoryValueRef", "categoryValue"},
    {"collaboration", "<choreographyRef>", "choreography globalChoreographyTask"},
};

bool is_listed(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t blank = list.find(' ');
    if (list.substr(0, blank) == word) return true;
    list = blank == std::string_view::npos ? std::string_view{} : list.substr(blank + 1);
  }
  return false;
}

class Checker {
 public:
  explicit Checker(const Source& source)
      : source_(source), imports_(source.document.root().child("import")) {}

  void check(xml::Element owner) const {
    for (const Reference& rule : references) {
      if (rule.owner != owner.name()) continue;
      if (rule.by.front() != '<') {
        check_target(owner, rule, owner.attribute(rule.by));
        continue;
      }
      const std::string_view tag = rule.by.substr(1, rule.by.size() - 2);
      xml::each_child(owner, [&](xml::Element child) {
        if (child.is(tag)) check_target(child, rule, child.text());
      });
    }
  }

 private:
  void check_target(xml::Element at, const Reference& rule, std::string_view reference) const {
    if (reference.empty()) return;
    const xml::Element target = source_.find(reference);
    if (!target) {
      const bool elsewhere = imports_ && reference.find(':') != std::string_view::npos;
      if (elsewhere) return;
      source_.report.add(Rule::reference_unknown, at,
                         fmt::format("{}: {} refers to \"{}\", which does not exist", title(at),
                                     rule.by, reference.substr(0, 80)));
    } else if (rule.targets != "*" && !is_listed(rule.targets, target.name())) {
      source_.report.add(Rule::reference_kind, at,
                         fmt::format("{}: {} refers to \"{}\", which is {}", title(at), rule.by,
                                     reference.substr(0, 80), with_article(target.name())));
    }
  }

  const Source& source_;
  bool imports_;
};

}  // namespace

void validate_references(const Source& source) {
  if (!source.report.subject().plain) return;
  const Checker checker(source);
  xml::each_descendant(source.document.root(), [&](xml::Element element) {
    const bool ours = element.vocabulary() == Vocabulary::bpmn;
    if (ours) checker.check(element);
    return ours && element.name() != "extensionElements";
  });
}

}  // namespace pawl::bpmn

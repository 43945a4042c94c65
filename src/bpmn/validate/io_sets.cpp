// SPDX-License-Identifier: Apache-2.0
// Input and output sets of an ioSpecification, and who may have one.
#include <fmt/format.h>

#include <set>

#include "bpmn/validate/check.hpp"
#include "bpmn/validate/items.hpp"

namespace pawl::bpmn {
namespace {

std::set<std::string_view> texts(xml::Element set, std::string_view tag) {
  std::set<std::string_view> found;
  for (const xml::Element& child : children_of(set, tag)) found.insert(child.text());
  return found;
}

// Optional data and data used while executing are part of the set's data.
void check_subset(const Reading& reading, xml::Element set, std::string_view all,
                  std::string_view some) {
  const std::set<std::string_view> known = texts(set, all);
  for (const xml::Element& child : children_of(set, some)) {
    if (known.count(child.text()) != 0) continue;
    reading.report.add(Rule::io_set_invalid, child,
                       fmt::format("{}: \"{}\" is not among the {} of its set", title(child),
                                   child.text().substr(0, 80), all));
  }
}

// If a set names another one, that one names it too.
void check_mutual(const Reading& reading, xml::Element set, std::string_view there,
                  std::string_view back) {
  for (const xml::Element& child : children_of(set, there)) {
    const xml::Element other = reading.source.find(child.text());
    if (!other || texts(other, back).count(set.attribute("id")) != 0) continue;
    reading.report.add(Rule::io_set_invalid, child,
                       fmt::format("{}: the set \"{}\" does not refer back with {}", title(child),
                                   child.text().substr(0, 80), back));
  }
}

void check_complete(const Reading& reading, xml::Element specification) {
  std::set<std::string_view> used;
  xml::each_child(specification, [&](xml::Element set) {
    used.merge(texts(set, set.is("inputSet") ? "dataInputRefs" : "dataOutputRefs"));
    used.merge(texts(set, set.is("inputSet") ? "optionalInputRefs" : "optionalOutputRefs"));
  });
  xml::each_child(specification, [&](xml::Element data) {
    if (!data.is("dataInput") && !data.is("dataOutput")) return;
    if (used.count(data.attribute("id")) != 0) return;
    reading.report.add(Rule::io_set_invalid, data,
                       fmt::format("{}: it is part of no set; add it to one", title(data)));
  });
  if (specification.child("inputSet") && specification.child("outputSet")) return;
  reading.report.add(Rule::io_set_invalid, specification,
                     fmt::format("{}: it needs an input set and an output set, which may be empty",
                                 title(specification)));
}

void check_specification(const Reading& reading, xml::Element specification) {
  xml::each_child(specification, [&](xml::Element set) {
    if (set.is("inputSet")) {
      check_subset(reading, set, "dataInputRefs", "optionalInputRefs");
      check_subset(reading, set, "dataInputRefs", "whileExecutingInputRefs");
      check_mutual(reading, set, "outputSetRefs", "inputSetRefs");
    }
    if (set.is("outputSet")) {
      check_subset(reading, set, "dataOutputRefs", "optionalOutputRefs");
      check_subset(reading, set, "dataOutputRefs", "whileExecutingOutputRefs");
      check_mutual(reading, set, "inputSetRefs", "outputSetRefs");
    }
  });
}

// A sub-process works on the data of its surroundings; only a loop may give it inputs.
void check_owner(const Reading& reading, xml::Element specification) {
  const xml::Element owner = specification.parent();
  const bool sub_process =
      owner.is("subProcess") || owner.is("transaction") || owner.is("adHocSubProcess");
  if (!sub_process || owner.child("multiInstanceLoopCharacteristics")) return;
  if (!specification.child("dataInput") && !specification.child("dataOutput")) return;
  reading.report.add(Rule::io_set_invalid, specification,
                     fmt::format("{}: a sub-process has no data inputs and outputs of its own; "
                                 "remove them",
                                 title(owner)));
}

}  // namespace

void check_io_sets(const Reading& reading) {
  each_plain_element(reading, [&](xml::Element element) {
    if (!element.is("ioSpecification")) return;
    check_complete(reading, element);
    check_specification(reading, element);
    check_owner(reading, element);
  });
}

}  // namespace pawl::bpmn

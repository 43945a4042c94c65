// SPDX-License-Identifier: Apache-2.0
// The letter of the standard in small things: types of expressions, media types, names of data
// states, resource roles. Dialects do not care, so only plain models are looked at.
#include <fmt/format.h>

#include "bpmn/validate/check.hpp"

namespace pawl::bpmn {
namespace {

void check_media_type(const Reading& reading, xml::Element element) {
  const std::string_view format = element.attribute("textFormat");
  if (format.empty() || format.find('/') != std::string_view::npos) return;
  reading.report.add(Rule::media_type_invalid, element,
                     fmt::format("{}: textFormat \"{}\" is not a media type; write text/plain",
                                 title(element), format.substr(0, 60)));
}

bool is_expression_tag(std::string_view tag) {
  return tag == "timeDate" || tag == "timeDuration" || tag == "timeCycle" ||
         tag == "loopCardinality" || tag == "loopCondition" || tag == "completionCondition" ||
         tag == "activationCondition";
}

// Without a type an expression is meant for people (BPMN 2.0, 8.3.6).
void check_typed(const Reading& reading, xml::Element element) {
  const std::string_view type = element.attribute("type", Vocabulary::schema);
  if (type.find("tFormalExpression") != std::string_view::npos) return;
  reading.report.add(Rule::expression_informal, element,
                     fmt::format("{}: without xsi:type=\"tFormalExpression\" this is a note for "
                                 "people, not an expression; add it",
                                 title(element)));
}

void check_not_empty(const Reading& reading, xml::Element element) {
  if (!element.text().empty()) return;
  reading.report.add(
      Rule::expression_empty, element,
      fmt::format("{}: the expression is empty; write one or remove it", title(element)));
}

bool is_number(std::string_view text) {
  for (const char c : text) {
    if ((c < '0' || c > '9') && c != '.' && c != '-') return false;
  }
  return !text.empty();
}

// A loop that throws an event after an iteration says which.
void check_behavior(const Reading& reading, xml::Element loop) {
  const std::string_view behavior = loop.attribute("behavior");
  const bool complete = (behavior != "One" || loop.find("oneBehaviorEventRef") != nullptr) &&
                        (behavior != "None" || loop.find("noneBehaviorEventRef") != nullptr) &&
                        (behavior != "Complex" || loop.child("complexBehaviorDefinition"));
  if (complete) return;
  reading.report.add(
      Rule::loop_behavior, loop,
      fmt::format("{}: behavior \"{}\" does not say which event it throws", title(loop), behavior));
}

void check_complex_behavior(const Reading& reading, xml::Element element) {
  const xml::Element condition = element.child("condition");
  if (condition) check_not_empty(reading, condition);
  if (element.parent().attribute("behavior") != "Complex") {
    reading.report.add(Rule::loop_behavior, element,
                       "complexBehaviorDefinition has an effect only with behavior=\"Complex\"");
  }
  if (is_number(condition.text())) {
    reading.report.add(Rule::loop_behavior, condition,
                       fmt::format("the condition {} is a number; it must be true or false",
                                   condition.text().substr(0, 40)));
  }
}

// "Order [paid]": a reference is named after its object and state.
void check_state_name(const Reading& reading, xml::Element element) {
  const xml::Element state = element.child("dataState");
  const xml::Element object = reading.source.find(element.attribute("dataObjectRef"));
  const std::string_view name = element.attribute("name");
  if (!state || !object || name.empty()) return;
  const std::string expected =
      fmt::format("{} [{}]", object.attribute("name"), state.attribute("name"));
  if (name == expected) return;
  reading.report.add(Rule::data_state_name, element,
                     fmt::format("{}: it should be called \"{}\", after its object and state",
                                 title(element), expected));
}

void check_resource_role(const Reading& reading, xml::Element element) {
  const bool assigns = static_cast<bool>(element.child("resourceAssignmentExpression"));
  const bool refers = element.child("resourceRef") || element.child("resourceParameterBinding");
  if (assigns && refers) {
    reading.report.add(Rule::resource_role, element,
                       fmt::format("{}: it refers to a resource and has an assignment expression; "
                                   "keep one of the two",
                                   title(element)));
  }
}

void check_formality(const Reading& reading, xml::Element element) {
  const std::string_view tag = element.name();
  if (tag == "documentation" || tag == "textAnnotation") check_media_type(reading, element);
  if (is_expression_tag(tag)) check_typed(reading, element);
  const std::string_view type = element.attribute("type", Vocabulary::schema);
  if (tag == "transformation" || type.find("tFormalExpression") != std::string_view::npos) {
    check_not_empty(reading, element);
  }
  if (tag == "multiInstanceLoopCharacteristics") check_behavior(reading, element);
  if (tag == "complexBehaviorDefinition") check_complex_behavior(reading, element);
  if (tag == "dataObjectReference") check_state_name(reading, element);
  if (tag == "performer" || tag == "humanPerformer" || tag == "potentialOwner" ||
      tag == "resourceRole") {
    check_resource_role(reading, element);
  }
}

}  // namespace

void check_formalities(const Reading& reading) {
  each_plain_element(reading, [&](xml::Element element) { check_formality(reading, element); });
}

}  // namespace pawl::bpmn

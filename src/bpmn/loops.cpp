// SPDX-License-Identifier: Apache-2.0
#include "bpmn/loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "bpmn/events.hpp"
#include "bpmn/loop_options.hpp"
#include "bpmn/vocabulary.hpp"
#include "value/json.hpp"

namespace pawl::bpmn {
namespace {

using model::LoopDefinition;

std::string_view name_or_id(xml::Element element) {
  const std::string_view name = element.attribute("name");
  return name.empty() ? element.attribute("id") : name;
}

// The association that feeds a data input, or that a data output feeds.
xml::Element association_at(xml::Element activity, std::string_view tag, std::string_view end,
                            std::string_view id) {
  for (xml::Element at = activity.first_child(); at; at = at.next()) {
    if (at.is(tag) && at.child(end).text() == id) return at;
  }
  return {};
}

// The variable that a data reference stands for: through the data association of an input or
// output to the data object behind it. A text that no data has is a variable's name already.
std::string variable_behind(const Reading& reading, xml::Element activity, std::string_view ref) {
  xml::Element data = reading.source.find(ref);
  if (!data) return std::string(ref);
  if (data.is("dataInput")) {
    const auto from = association_at(activity, "dataInputAssociation", "targetRef", ref);
    if (const xml::Element source = reading.source.find(from.child("sourceRef").text())) {
      data = source;
    }
  } else if (data.is("dataOutput")) {
    const auto to = association_at(activity, "dataOutputAssociation", "sourceRef", ref);
    if (const xml::Element target = reading.source.find(to.child("targetRef").text())) {
      data = target;
    }
  }
  if (data.is("dataObjectReference")) {
    const xml::Element object = reading.source.find(data.attribute("dataObjectRef"));
    if (object) data = object;
  }
  return std::string(name_or_id(data));
}

// A variable by its name, whatever characters it has: names of data objects are for people.
model::Expression variable_named(const Reading& reading, xml::Element at, const std::string& name) {
  const bool is_word = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '$' || c >= 0x80;
  });
  if (is_word || reading.dialect() == model::Dialect::zeebe) {
    return reading.expressions.code(at, name);
  }
  auto made = reading.expressions.compiled(at, "_context[" + to_json(Value(name)) + "]",
                                           script::Program::Mode::expression);
  if (!made) return reading.expressions.code(at, name);
  made->text = name;
  return std::move(*made);
}

// Digits are a number in every dialect.
model::Expression cardinality(const Reading& reading, xml::Element written) {
  const std::string_view text = written.text();
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!digits) return reading.expressions.formal(written);
  return model::Expression::of_literal(Value(text), std::string(text));
}

void read_behavior(const Reading& reading, xml::Element loop, LoopDefinition& made) {
  using Behavior = LoopDefinition::Behavior;
  const std::string_view behavior = loop.attribute("behavior");
  if (behavior == "One") made.behavior = Behavior::one;
  if (behavior == "None") made.behavior = Behavior::none;
  if (behavior == "Complex") made.behavior = Behavior::complex;

  const bool one = made.behavior == Behavior::one;
  const std::string_view ref = loop.attribute(one ? "oneBehaviorEventRef" : "noneBehaviorEventRef");
  if (const xml::Element event = reading.source.find(ref); event && event_of_tag(event.name())) {
    made.behavior_event = read_event_definition(reading, event);
  }
  xml::each_child(loop, [&](xml::Element child) {
    if (!child.is("complexBehaviorDefinition")) return;
    model::LoopBehavior rule;
    rule.condition = reading.expressions.formal(child.child("condition"));
    xml::each_child(child.child("event"), [&](xml::Element definition) {
      if (!event_of_tag(definition.name())) return;
      rule.event = read_event_definition(reading, definition);
    });
    made.complex_behaviors.push_back(std::move(rule));
  });
}

void read_collection(const Reading& reading, xml::Element activity, xml::Element loop,
                     LoopDefinition& made) {
  if (const xml::Element ref = loop.child("loopDataInputRef"); ref && !ref.text().empty()) {
    const std::string name = variable_behind(reading, activity, ref.text());
    made.collection = variable_named(reading, ref, name);
  }
  if (const xml::Element item = loop.child("inputDataItem")) made.item_variable = name_or_id(item);
  if (const xml::Element ref = loop.child("loopDataOutputRef"); ref && !ref.text().empty()) {
    made.output_collection = variable_behind(reading, activity, ref.text());
  }
  if (const xml::Element item = loop.child("outputDataItem")) made.output_item = name_or_id(item);
}

// Attributes on the loop element itself: Camunda's, and unqualified ones.
void read_attributes(const Reading& reading, xml::Element loop, LoopDefinition& made) {
  const auto collect = [&](std::string_view collection, std::string_view item, Vocabulary where) {
    if (const std::string_view text = loop.attribute(collection, where); !text.empty()) {
      made.collection = reading.expressions.code(loop, text);
    }
    if (const std::string_view name = loop.attribute(item, where); !name.empty()) {
      made.item_variable = name;
    }
  };
  collect("collection", "elementVariable", Vocabulary::camunda);
  made.index_variable = loop.attribute("elementIndexVariable", Vocabulary::camunda);
  collect("inputCollection", "inputDataItem", Vocabulary::none);
  collect("inputCollection", "inputElement", Vocabulary::none);
  if (const auto name = loop.attribute("outputCollection"); !name.empty()) {
    made.output_collection = name;
  }
  for (const std::string_view attribute : {"outputDataItem", "outputElement"}) {
    if (const auto name = loop.attribute(attribute); !name.empty()) made.output_item = name;
  }
}

void read_zeebe_loop(const Reading& reading, xml::Element loop, LoopDefinition& made) {
  const xml::Element own = loop.extension("loopCharacteristics", Vocabulary::zeebe);
  if (!own) return;
  made.collection = reading.expressions.code(own, own.attribute("inputCollection"));
  made.item_variable = own.attribute("inputElement");
  made.output_collection = own.attribute("outputCollection");
  if (const std::string_view text = own.attribute("outputElement"); !text.empty()) {
    made.output_element = reading.expressions.code(own, text);
  }
}

// Data of the standard may be half there, for people; what is written for an engine may not.
void check_output(const Reading& reading, xml::Element activity, xml::Element loop,
                  const LoopDefinition& made) {
  const bool for_engine = reading.dialect() == model::Dialect::zeebe ||
                          !loop.attribute("outputCollection").empty() ||
                          !loop.attribute("outputDataItem").empty();
  const bool has_item = !made.output_element.empty() || !made.output_item.empty();
  if (!for_engine || made.output_collection.empty() != has_item) return;
  reading.report.add(Rule::loop_output_incomplete, loop,
                     fmt::format("{}: the loop has {}; give both, or none", title(activity),
                                 has_item ? "an output of its iterations, and no collection for it"
                                          : "an output collection, and nothing to put into it"));
}

LoopDefinition read_multi_instance(const Reading& reading, xml::Element activity,
                                   xml::Element loop) {
  LoopDefinition made;
  made.sequential = loop.flag("isSequential", false);
  made.cardinality = cardinality(reading, loop.child("loopCardinality"));
  made.completion_condition = reading.expressions.formal(loop.child("completionCondition"));
  read_collection(reading, activity, loop, made);
  read_attributes(reading, loop, made);
  read_zeebe_loop(reading, loop, made);
  read_behavior(reading, loop, made);
  made.options = read_loop_options(reading, activity, loop);
  if (made.cardinality.empty() && made.collection.empty()) {
    reading.report.add(Rule::loop_without_count, loop,
                       fmt::format("{}: the loop says neither how often nor over what; add "
                                   "loopCardinality or a collection",
                                   title(activity)));
  }
  check_output(reading, activity, loop, made);
  return made;
}
LoopDefinition read_standard_loop(const Reading& reading, xml::Element activity, xml::Element loop,
                                  model::Element& element) {
  LoopDefinition made;
  made.kind = LoopDefinition::Kind::standard;
  made.sequential = true;
  made.test_before = loop.flag("testBefore", false);
  made.loop_condition = reading.expressions.formal(loop.child("loopCondition"));
  refuse_loop_options(reading, activity, loop);

  const std::string_view maximum = loop.attribute("loopMaximum");
  if (maximum.empty()) return made;
  std::int64_t number = 0;
  const auto [end, error] =
      std::from_chars(maximum.data(), maximum.data() + maximum.size(), number);
  if (error != std::errc{} || end != maximum.data() + maximum.size()) {
    reading.report.add(Rule::loop_maximum_invalid, loop,
                       fmt::format("{}: loopMaximum \"{}\" is not a whole number", title(activity),
                                   maximum.substr(0, 40)));
    return made;
  }
  made.loop_maximum = number;
  if (number < 0) element.unsupported.push_back(fmt::format("a negative loopMaximum ({})", number));
  return made;
}

}  // namespace

void read_loop(const Reading& reading, xml::Element activity, model::Element& element) {
  const xml::Element multi = activity.child("multiInstanceLoopCharacteristics");
  const xml::Element standard = activity.child("standardLoopCharacteristics");
  if (multi && standard) {
    reading.report.add(Rule::loop_several, standard,
                       fmt::format("{}: it has two loops; keep the standard loop or the "
                                   "multi-instance one",
                                   title(activity)));
  }
  if (multi) {
    element.loop = read_multi_instance(reading, activity, multi);
  } else if (standard) {
    element.loop = read_standard_loop(reading, activity, standard, element);
  }
}

}  // namespace pawl::bpmn

// SPDX-License-Identifier: Apache-2.0
#include "bpmn/loop_options.hpp"

#include <gtest/gtest.h>

#include "bpmn/sample.hpp"

namespace pawl::bpmn {
namespace {

using model::Expression;
using model::LoopOptions;
using Language = model::Expression::Language;
using sample::In;

// A task with a loop that has these attributes.
Definitions read_loop_with(const std::string& attributes, In dialect = In::plain) {
  const std::string prefix = dialect == In::plain ? "" : "bpmn:";
  const std::string type = dialect == In::plain ? " xsi:type='tFormalExpression'" : "";
  const std::string loop = prefix + "multiInstanceLoopCharacteristics";
  const std::string count = prefix + "loopCardinality";
  const std::string text = "<" + prefix + "task id='x'><" + loop + " " + attributes + "><" + count +
                           type + ">=3</" + count + "></" + loop + "></" + prefix + "task>";
  if (dialect == In::zeebe) return sample::zeebe(text);
  return dialect == In::camunda ? sample::camunda(text) : sample::plain(text);
}

LoopOptions options_of(const std::string& attributes, In dialect = In::plain) {
  const Definitions d = read_loop_with(attributes, dialect);
  EXPECT_TRUE(d.ok()) << sample::text_of(d);
  const model::Element* task = d.processes.empty() ? nullptr : d.processes[0]->find("x");
  return task != nullptr && task->loop ? task->loop->options : LoopOptions{};
}

TEST(LoopOptions, a_loop_without_them_waits_for_all_and_leaves_failures_to_the_dialect) {
  const LoopOptions o = options_of("isSequential='false'");
  EXPECT_EQ(o.join, LoopOptions::Join::all);
  EXPECT_EQ(o.on_error, LoopOptions::OnError::by_dialect);
  for (const Expression* e : {&o.minimum, &o.maximum, &o.join_count, &o.tolerated}) {
    EXPECT_TRUE(e->empty());
  }
  EXPECT_TRUE(o.concurrency.empty());
  EXPECT_FALSE(o.completion_order);
  EXPECT_FALSE(o.compact);
}

TEST(LoopOptions, numbers_become_literal_numbers) {
  const LoopOptions o = options_of(
      "pawl:min='0' pawl:max='10' pawl:join='2' pawl:concurrency='4' pawl:onError='tolerate:1'");
  EXPECT_EQ(o.minimum.literal, Value(0));
  EXPECT_EQ(o.maximum.literal, Value(10));
  EXPECT_EQ(o.maximum.text, "10");
  EXPECT_EQ(o.join, LoopOptions::Join::count);
  EXPECT_EQ(o.join_count.literal, Value(2));
  EXPECT_EQ(o.concurrency.literal, Value(4));
  EXPECT_EQ(o.on_error, LoopOptions::OnError::tolerate);
  EXPECT_EQ(o.tolerated.literal, Value(1));
  EXPECT_TRUE(o.minimum.is_literal());
}

TEST(LoopOptions, words_are_understood) {
  EXPECT_EQ(options_of("pawl:join='all'").join, LoopOptions::Join::all);
  EXPECT_EQ(options_of("pawl:join='none'").join, LoopOptions::Join::none);
  const LoopOptions first = options_of("pawl:join='first'");
  EXPECT_EQ(first.join, LoopOptions::Join::count);
  EXPECT_EQ(first.join_count.literal, Value(1));

  using OnError = LoopOptions::OnError;
  EXPECT_EQ(options_of("pawl:onError='incident'").on_error, OnError::incident);
  EXPECT_EQ(options_of("pawl:onError='fail'").on_error, OnError::fail);
  EXPECT_EQ(options_of("pawl:onError='collect'").on_error, OnError::collect);

  EXPECT_TRUE(options_of("pawl:outputOrder='completion'").completion_order);
  EXPECT_FALSE(options_of("pawl:outputOrder='item'").completion_order);
  EXPECT_TRUE(options_of("pawl:compact='true'").compact);
  EXPECT_FALSE(options_of("pawl:compact='false'").compact);
}

TEST(LoopOptions, an_expression_after_an_equals_sign_is_feel_in_every_dialect) {
  for (const In dialect : {In::plain, In::zeebe, In::camunda}) {
    const LoopOptions o = options_of("pawl:join='=n' pawl:onError='tolerate:=n'", dialect);
    EXPECT_EQ(o.join, LoopOptions::Join::count);
    EXPECT_EQ(o.join_count.language, Language::feel);
    EXPECT_EQ(o.tolerated.language, Language::feel);
  }
}

TEST(LoopOptions, dollar_and_braces_are_javascript_except_in_zeebe_models) {
  for (const In dialect : {In::plain, In::camunda}) {
    EXPECT_EQ(options_of("pawl:max='${n}'", dialect).maximum.language, Language::javascript);
  }
  EXPECT_NE(sample::find(read_loop_with("pawl:max='${n}'", In::zeebe), "loop-option-invalid"),
            nullptr);
}

TEST(LoopOptions, a_value_that_cannot_be_meant_is_refused_with_its_name_and_text) {
  struct Row {
    std::string name, text, hint;
  };
  const Row rows[] = {
      {"min", "-1", "at least 0"},
      {"min", "", "at least 0"},
      {"max", "2.5", "whole number"},
      {"max", "many", "whole number"},
      {"max", "99999999999999999999", "whole number"},
      {"max", "at most ${n}", "expression"},
      {"concurrency", "0", "at least 1"},
      {"concurrency", "==n", "expression"},
      {"join", "0", "none"},
      {"join", "First", "first"},
      {"onError", "tolerate", "tolerate:K"},
      {"onError", "tolerate:", "tolerate:K"},
      {"onError", "tolerate:-1", "tolerate:K"},
      {"onError", "ignore", "collect"},
      {"outputOrder", "random", "item or completion"},
      {"compact", "yes", "true or false"},
  };
  for (const Row& row : rows) {
    const std::string attribute = "pawl:" + row.name + "=";
    const Definitions d = read_loop_with(attribute + "'" + row.text + "'");
    const Finding* finding = sample::find(d, "loop-option-invalid");
    ASSERT_NE(finding, nullptr) << row.name << " " << row.text << "\n" << sample::text_of(d);
    const std::string quoted = attribute + "\"" + row.text + "\"";
    EXPECT_NE(finding->text.find(quoted), std::string::npos) << finding->text;
    EXPECT_NE(finding->text.find(row.hint), std::string::npos) << finding->text;
    EXPECT_EQ(finding->severity, Finding::Severity::error);
  }
}

TEST(LoopOptions, an_expression_that_does_not_parse_is_reported_as_such) {
  EXPECT_NE(sample::find(read_loop_with("pawl:max='=1 +'"), "expression-invalid"), nullptr);
}

TEST(LoopOptions, a_minimum_above_the_maximum_is_refused_when_both_are_numbers) {
  const Definitions d = read_loop_with("pawl:min='5' pawl:max='4'");
  EXPECT_NE(sample::find(d, "loop-option-invalid"), nullptr) << sample::text_of(d);
  EXPECT_EQ(options_of("pawl:min='4' pawl:max='4'").minimum.literal, Value(4));
  EXPECT_EQ(options_of("pawl:min='5' pawl:max='=n'").minimum.literal, Value(5));
}

TEST(LoopOptions, an_unknown_attribute_is_refused_with_the_names_that_there_are) {
  const Definitions d = read_loop_with("pawl:parallelism='3'");
  const Finding* finding = sample::find(d, "loop-option-unknown");
  ASSERT_NE(finding, nullptr) << sample::text_of(d);
  EXPECT_NE(finding->text.find("pawl:parallelism"), std::string::npos);
  EXPECT_NE(finding->text.find("concurrency"), std::string::npos);
}

TEST(LoopOptions, a_standard_loop_has_none) {
  for (const char* name : {"min", "join", "compact"}) {
    const Definitions d = sample::plain(
        "<task id='x'><standardLoopCharacteristics pawl:" + std::string(name) + "='1'/></task>");
    const Finding* finding = sample::find(d, "loop-option-unknown");
    ASSERT_NE(finding, nullptr) << sample::text_of(d);
    EXPECT_NE(finding->text.find(name), std::string::npos);
  }
}

}  // namespace
}  // namespace pawl::bpmn

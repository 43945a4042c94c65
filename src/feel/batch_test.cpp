// SPDX-License-Identifier: Apache-2.0
#include "feel/batch.hpp"

#include <gtest/gtest.h>

namespace pawl::feel {
namespace {

TEST(FeelBatch, answers_each_line_with_its_id) {
  const std::pair<const char*, const char*> rows[] = {
      {R"j({"id":1,"expr":"a b + 1","context":{"a b":2}})j", R"j({"id":1,"value":3})j"},
      {R"j({"id":"x","kind":"unary","expr":"> 3","input":4})j", R"j({"id":"x","value":true})j"},
      {R"j({"id":"x","kind":"unary","expr":"> 3","context":{"?":1}})j",
       R"j({"id":"x","value":false})j"},
      {R"j({"id":2,"expr":"d.year","context":{"d":{"@type":"date","@value":"2024-02-29"}}})j",
       R"j({"id":2,"value":2024})j"},
      {R"j({"id":3,"expr":"[@\"PT1H\", (1..2)]"})j",
       R"j({"id":3,"value":[{"@type":"duration","@value":"PT1H"},"(1..2)"]})j"},
      {R"j({"id":4,"expr":"@\"2024-07-01T10:00:00@Europe/Berlin\""})j",
       R"j({"id":4,"value":{"@type":"date and time","@value":"2024-07-01T10:00:00+02:00[Europe/Berlin]"}})j"},
      {R"j({"id":5,"expr":"assert(1, false)"})j",
       R"j({"id":5,"error":"evaluation: assertion failed: the condition is not true"})j"},
      {R"j({"id":6,"expr":"1 +"})j",
       R"j({"id":6,"error":"parse: line 1, column 4: expected an expression, found the end of the expression"})j"},
      {R"j({"id":7})j", R"j({"id":7,"error":"parse: the member \"expr\" must be a string"})j"},
  };
  for (const auto& [line, answer] : rows)
    EXPECT_EQ(run_batch_line(line, Instant{}), answer) << line;
}

TEST(FeelBatch, answers_a_line_that_is_no_json) {
  const std::string answer = run_batch_line("{", Instant{});
  EXPECT_EQ(answer.rfind("{\"id\":null,\"error\":\"parse: ", 0), 0u) << answer;
}

}  // namespace
}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

TEST(Report, leaves_out_empty_parts_with_their_punctuation) {
  EXPECT_EQ(to_text({"it fails", "a.bpmn", "no end", "add one"}),
            "it fails (a.bpmn): no end; add one");
  EXPECT_EQ(to_text({.what = "it fails", .to_do = "add one"}), "it fails; add one");
  EXPECT_EQ(to_text({.what = "it fails"}), "it fails");
}

TEST(Report, gives_each_kind_of_error_its_exit_code) {
  EXPECT_EQ(exit_for(fail(Whose::caller, Code::bad_json, "")), Exit::bad_input);
  EXPECT_EQ(exit_for(fail(Whose::operators, Code::no_flow_applies, "")), Exit::incident);
  EXPECT_EQ(exit_for(fail(Whose::machine, Code::bad_file, "")), Exit::unreachable);
}

TEST(Report, paints_nothing_where_no_terminal_is) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(painted(file, Colour::red, "text"), "text");
  std::fclose(file);
}

}  // namespace
}  // namespace pawl::cli

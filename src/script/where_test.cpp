// SPDX-License-Identifier: Apache-2.0
#include "script/where.hpp"

#include <gtest/gtest.h>

#include "script/run_for_test.hpp"

namespace pawl::script {
namespace {

TEST(Where, is_written_as_off_process_or_inline) {
  EXPECT_EQ(where_named("off"), Where::off);
  EXPECT_EQ(where_named("process"), Where::process);
  EXPECT_EQ(where_named("inline"), Where::inside);
  EXPECT_EQ(where_named("on"), std::nullopt);
  EXPECT_EQ(where_named(""), std::nullopt);
}

TEST(Where, a_library_runs_scripts_inside) { EXPECT_EQ(where(), Where::inside); }

TEST(Where, switched_off_a_script_is_kept_and_fails) {
  use(Where::off);
  EXPECT_TRUE(Program::compile("not ( a script", Program::Mode::statements));
  const auto failure = failed("1");
  EXPECT_EQ(failure.error.code, Code::script_failed);
  EXPECT_NE(failure.error.text.find("switched off"), std::string::npos);
  EXPECT_NE(failure.error.text.find("--scripts process"), std::string::npos);
  EXPECT_TRUE(expect_helper());
  use(Where::inside);
}

}  // namespace
}  // namespace pawl::script

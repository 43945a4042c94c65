// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "cli/command.hpp"

namespace pawl::cli {
namespace {

TEST(Commands, each_have_a_help_text_with_usage_options_and_example) {
  for (const Command* command : commands()) {
    const std::string text = help_text(*command);
    EXPECT_NE(text.find("usage: pawl " + std::string(command->name)), std::string::npos) << text;
    EXPECT_NE(text.find("example:\n"), std::string::npos) << text;
    for (const Option& option : command->options) {
      EXPECT_NE(text.find(option.name), std::string::npos) << option.name;
      EXPECT_FALSE(option.help.empty()) << option.name;
    }
  }
}

TEST(Commands, that_ask_a_server_say_how_to_sign_in) {
  for (const auto* name : {"start", "show", "worker", "top", "backup", "deploy"}) {
    const std::string text = help_text(*find_command(name));
    for (const auto* variable : {"PAWL_CA", "PAWL_TOKEN", "PAWL_USER", "PAWL_PASSWORD"}) {
      EXPECT_NE(text.find(variable), std::string::npos) << name << ": " << variable;
    }
  }
  EXPECT_EQ(help_text(*find_command("feel")).find("PAWL_TOKEN"), std::string::npos);
}

TEST(Commands, are_listed_once_each_and_found_by_name) {
  std::set<std::string_view> names;
  for (const Command* command : commands()) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name;
    EXPECT_EQ(find_command(command->name), command);
    EXPECT_NE(help_text().find(command->summary), std::string::npos) << command->name;
  }
  EXPECT_EQ(find_command("no-such-command"), nullptr);
}

TEST(Commands, refuse_a_wrong_line_as_usage) {
  const std::vector<std::string> rows[] = {
      {},
      {"chekc"},
      {"--vars"},
      {"feel"},
      {"feel", "1", "2"},
      {"check"},
      {"help", "nothing"},
      {"feel", "--batch", "1"},
  };
  for (const auto& words : rows) EXPECT_EQ(run_program(words), Exit::usage);
}

}  // namespace
}  // namespace pawl::cli

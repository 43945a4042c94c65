// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "value/json.hpp"

namespace pawl::cli {
namespace {

TEST(Report, leaves_out_empty_parts_with_their_punctuation) {
  EXPECT_EQ(to_text({"it fails", "a.bpmn", "no end", "add one"}),
            "it fails (a.bpmn): no end; add one");
  EXPECT_EQ(to_text({.what = "it fails", .to_do = "add one"}), "it fails; add one");
  EXPECT_EQ(to_text({.what = "it fails"}), "it fails");
}

TEST(Report, counts_one_thing_as_one) {
  EXPECT_EQ(counted(0, "retry", "retries"), "0 retries");
  EXPECT_EQ(counted(1, "retry", "retries"), "1 retry");
  EXPECT_EQ(counted(2, "retry", "retries"), "2 retries");
}

TEST(Report, gives_each_kind_of_error_its_exit_code) {
  EXPECT_EQ(exit_for(fail(Whose::caller, Code::bad_json, "")), Exit::bad_input);
  EXPECT_EQ(exit_for(fail(Whose::operators, Code::no_flow_applies, "")), Exit::incident);
  EXPECT_EQ(exit_for(fail(Whose::machine, Code::bad_file, "")), Exit::unreachable);
}

TEST(Report, paints_nothing_where_no_terminal_is) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(painted(file, Colour::red, "text").text, "text");
  std::fclose(file);
}

TEST(Report, C14_control_characters_of_others_are_written_out) {
  EXPECT_EQ(visible("\033]0;title\007"), "\\x1B]0;title\\x07");
  EXPECT_EQ(visible("a\rb\x7F"), "a\\x0Db\\x7F");
  EXPECT_EQ(visible("\xC2\x9B"
                    "31m"),
            "\\x9B31m")
      << "CSI in eight bits";
  EXPECT_EQ(visible("\xE2\x80\xAE"
                    "gnp"),
            "\\u202Egnp");
  EXPECT_EQ(visible("\xFF\xE2\x82"), "\\xFF\\xE2\\x82");
}

TEST(Report, what_people_read_stays_as_it_is) {
  const std::string text = "two\nlines\tand €, ü, 漢, 😀";
  EXPECT_EQ(visible(text), text);
}

// A terminal, as seen from the side of the person.
class Terminal {
 public:
  Terminal() : screen_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    ::grantpt(screen_);
    ::unlockpt(screen_);
    program_ = ::fopen(::ptsname(screen_), "w");
  }
  ~Terminal() {
    if (program_ != nullptr) std::fclose(program_);
    ::close(screen_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::FILE* program() const { return program_; }
  std::string shown() const {
    std::fflush(program_);
    char bytes[1'000];
    const ssize_t got = ::read(screen_, bytes, sizeof bytes);
    return {bytes, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }

 private:
  int screen_;
  std::FILE* program_{nullptr};
};

TEST(Report, the_colours_of_others_are_written_out_and_ours_are_shown) {
  ::unsetenv("NO_COLOR");
  const Terminal terminal;
  ASSERT_NE(terminal.program(), nullptr);
  const std::string forged = "\033[32mall is well\033[0m";
  say(terminal.program(), "{}: {}", painted(terminal.program(), Colour::red, forged), forged);
  EXPECT_EQ(terminal.shown(),
            "\033[31m\\x1B[32mall is well\\x1B[0m\033[0m: \\x1B[32mall is well\\x1B[0m");
}

TEST(Report, json_says_the_same_without_what_a_terminal_obeys) {
  const Value value = object({{"a\u009B", "\u202Eüb\x7F\n"}});
  const std::string said = visible_json(value);
  EXPECT_EQ(said, R"({"a\u009B":"\u202Eüb\u007F\n"})");
  EXPECT_EQ(*parse_json(said), value);
}

}  // namespace
}  // namespace pawl::cli

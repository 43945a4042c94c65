// SPDX-License-Identifier: Apache-2.0
#include "cli/input.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace pawl::cli {
namespace {

// A file that is gone after the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content) {
    const int descriptor = ::mkstemp(path_.data());
    EXPECT_EQ(::write(descriptor, content.data(), content.size()), std::ssize(content));
    ::close(descriptor);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "pawl-input-XXXXXX";
};

TEST(ReadFile, gives_the_whole_content_up_to_the_limit) {
  const TemporaryFile file("0123456789");
  EXPECT_EQ(*read_file(file.path(), 10), "0123456789");
  const auto refused = read_file(file.path(), 9);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::too_large);
}

TEST(ReadFile, says_why_a_file_cannot_be_read) {
  EXPECT_EQ(read_file("no/such/file").error().text,
            "the file \"no/such/file\" cannot be read: there is no such file; check the path");
  EXPECT_EQ(read_file(".").error().text,
            "the file \".\" cannot be read: it is a directory; name the file in it");
}

TEST(TextArgument, is_itself_or_the_content_of_the_named_file) {
  const TemporaryFile file("{\"a\": 1}");
  EXPECT_EQ(*text_argument("{}"), "{}");
  EXPECT_EQ(*text_argument("@" + file.path()), "{\"a\": 1}");
  EXPECT_EQ(text_argument("@no/such/file").error().code, Code::bad_file);
}

TEST(TextArgument, is_standard_input_when_the_file_is_a_dash) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "{\"a\": 2}", 8), 8);
  ::close(ends[1]);
  const int kept = ::dup(0);
  ::dup2(ends[0], 0);
  EXPECT_EQ(*text_argument("@-"), "{\"a\": 2}");
  ::dup2(kept, 0);
  ::close(kept);
  ::close(ends[0]);
}

TEST(VariablesArgument, must_be_an_object_and_names_the_option_if_not) {
  EXPECT_EQ(variables_argument("--vars", "{\"a\": 1}")->find("a")->as_int(), 1);
  const auto refused = variables_argument("--vars", "[1]");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().text.starts_with("--vars: ")) << refused.error().text;
}

std::vector<std::string> lines_of(std::string_view content, std::size_t limit) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  EXPECT_EQ(::write(ends[1], content.data(), content.size()), std::ssize(content));
  ::close(ends[1]);
  LineReader reader(ends[0], limit);
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line)) lines.push_back(std::string(line) + (reader.was_cut() ? "…" : ""));
  ::close(ends[0]);
  return lines;
}

TEST(LineReader, gives_each_line_without_its_end) {
  const std::pair<const char*, std::vector<std::string>> rows[] = {
      {"", {}},
      {"a", {"a"}},
      {"a\nb\r\n", {"a", "b"}},
      {"\n\na", {"", "", "a"}},
      {"123456\n12345\n1", {"12345…", "12345", "1"}},
  };
  for (const auto& [content, lines] : rows) EXPECT_EQ(lines_of(content, 5), lines) << content;
}

TEST(LineReader, keeps_lines_that_are_longer_than_one_read) {
  const std::string line(60'000, 'x');
  const auto lines = lines_of(line.substr(0, 50'000) + "\n" + line.substr(0, 10'000), 100'000);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].size(), 50'000u);
  EXPECT_EQ(lines[1].size(), 10'000u);
}

}  // namespace
}  // namespace pawl::cli

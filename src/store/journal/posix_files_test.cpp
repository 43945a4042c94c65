// SPDX-License-Identifier: Apache-2.0
#include "store/journal/posix_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "store/conformance/temporary_directory.hpp"

namespace pawl::store {
namespace {

TEST(PosixFiles, makes_the_directory_and_those_above_it) {
  const TemporaryDirectory temporary;
  const std::string path = temporary.path() + "/a/b/c/";
  const auto files = PosixFiles::open(path);
  ASSERT_TRUE(files.has_value()) << files.error().text;
  EXPECT_TRUE(std::filesystem::is_directory(path));
  EXPECT_EQ((*files)->place(), temporary.path() + "/a/b/c");
}

TEST(PosixFiles, writes_reads_renames_and_removes) {
  const TemporaryDirectory temporary;
  const auto files = PosixFiles::open(temporary.path());
  {
    const auto file = (*files)->open("one", true);
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE((*file)->allocate(10'000).has_value());
    ASSERT_TRUE((*file)->write_at(9'998, "abcd").has_value());
    ASSERT_TRUE((*file)->sync().has_value());
    EXPECT_EQ(*(*file)->size(), 10'002u);
    EXPECT_EQ(*(*file)->read_at(9'996, 100), std::string("\0\0abcd", 6));
    EXPECT_EQ(*(*file)->read_at(10'002, 100), "");
    EXPECT_EQ(*(*file)->read_at(1'000'000, 100), "");
  }
  ASSERT_TRUE((*files)->rename("one", "two").has_value());
  ASSERT_TRUE((*files)->sync_names().has_value());
  EXPECT_EQ(*(*files)->list(), std::vector<std::string>{"two"});
  ASSERT_TRUE((*files)->remove("two").has_value());
  EXPECT_TRUE((*files)->list()->empty());
}

TEST(PosixFiles, what_is_written_last_keeps_what_stands_before_it) {
  const TemporaryDirectory temporary;
  const auto files = PosixFiles::open(temporary.path());
  const auto file = (*files)->open("one", true);
  ASSERT_TRUE((*file)->allocate(3u << 20).has_value());
  std::string expected(3u << 20, '\0');
  std::uint64_t at = 37;
  std::size_t size = 1;
  // Of all sizes, within sectors and across many; sometimes another write comes between.
  for (int i = 0; at + size < expected.size() - 4'096; ++i) {
    const std::string bytes(size, static_cast<char>('a' + i % 26));
    ASSERT_TRUE((*file)->write_last(at, bytes).has_value());
    expected.replace(at, size, bytes);
    if (i % 5 == 0) {
      ASSERT_TRUE((*file)->write_at(at, "X").has_value());
      expected[at] = 'X';
    }
    if (i == 3) {
      ASSERT_TRUE((*files)->rename("one", "two").has_value());
    }
    at += size;
    size = size * 3 / 2 + 7;
  }
  ASSERT_TRUE((*file)->sync().has_value());
  EXPECT_EQ(*(*file)->size(), 3u << 20);
  EXPECT_TRUE(*(*file)->read_at(0, 3u << 20) == expected);
}

TEST(PosixFiles, what_is_written_last_may_make_the_file_longer) {
  const TemporaryDirectory temporary;
  const auto files = PosixFiles::open(temporary.path());
  const auto file = (*files)->open("one", true);
  ASSERT_TRUE((*file)->write_last(0, "begin").has_value());
  ASSERT_TRUE((*file)->write_last(5, "end").has_value());
  EXPECT_EQ(*(*file)->read_at(0, 100), "beginend");
}

TEST(PosixFiles, who_has_a_file_open_keeps_it_when_its_name_is_taken) {
  const TemporaryDirectory temporary;
  const auto files = PosixFiles::open(temporary.path());
  const auto old = (*files)->open("name", true);
  ASSERT_TRUE((*old)->write_at(0, "old").has_value());
  ASSERT_TRUE((*(*files)->open("new", true))->write_at(0, "new").has_value());
  ASSERT_TRUE((*files)->rename("new", "name").has_value());
  EXPECT_EQ(*(*old)->read_at(0, 9), "old");
  EXPECT_EQ(*(*(*files)->open("name", false))->read_at(0, 9), "new");
}

TEST(PosixFiles, errors_name_the_file_and_the_reason_of_the_system) {
  const TemporaryDirectory temporary;
  const auto files = PosixFiles::open(temporary.path());
  const auto missing = (*files)->open("missing", false);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, Code::store_unavailable);
  EXPECT_EQ(missing.error().text,
            temporary.path() + "/missing: cannot open: No such file or directory");
  EXPECT_FALSE((*files)->rename("missing", "other").has_value());
  EXPECT_FALSE((*files)->remove("missing").has_value());
}

TEST(PosixFiles, a_device_without_space_is_a_full_disk) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no such device here";
  const auto files = PosixFiles::open("/dev");
  ASSERT_TRUE(files.has_value());
  const auto file = (*files)->open("full", false);
  ASSERT_TRUE(file.has_value());
  const auto written = (*file)->write_at(0, "x");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Code::disk_full);
}

TEST(PosixFiles, read_only_changes_nothing) {
  const TemporaryDirectory temporary;
  {
    const auto files = PosixFiles::open(temporary.path());
    ASSERT_TRUE((*(*files)->open("one", true))->write_at(0, "text").has_value());
  }
  const auto files = PosixFiles::open(temporary.path(), Access::read_only);
  EXPECT_EQ(*(*(*files)->open("one", false))->read_at(0, 9), "text");
  EXPECT_FALSE((*(*files)->open("one", false))->write_at(0, "T").has_value());
  EXPECT_FALSE((*files)->open("two", true).has_value());
  EXPECT_FALSE((*files)->remove("one").has_value());
  EXPECT_FALSE((*files)->rename("one", "two").has_value());
  EXPECT_FALSE((*files)->lock().has_value());
  EXPECT_EQ(*(*files)->list(), std::vector<std::string>{"one"});
  EXPECT_FALSE(PosixFiles::open(temporary.path() + "/none", Access::read_only).has_value());
  EXPECT_FALSE(std::filesystem::exists(temporary.path() + "/none"));
}

TEST(PosixFiles, a_second_holder_is_refused_until_the_first_is_gone) {
  const TemporaryDirectory temporary;
  auto first = PosixFiles::open(temporary.path());
  ASSERT_TRUE((*first)->lock().has_value());
  EXPECT_TRUE((*first)->lock().has_value());  // it has it
  const auto second = PosixFiles::open(temporary.path());
  const auto refused = (*second)->lock();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::store_in_use);
  EXPECT_NE(refused.error().text.find("process " + std::to_string(::getpid())), std::string::npos)
      << refused.error().text;
  first->reset();
  EXPECT_TRUE((*second)->lock().has_value());
}

}  // namespace
}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include "server/backups.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "store/conformance/temporary_directory.hpp"

namespace pawl::server {
namespace {

namespace fs = std::filesystem;

TEST(Backups, C1_go_only_below_the_directory_that_was_named) {
  const auto path = backup_path("/backups", "monday-1.copy_2");
  ASSERT_TRUE(path);
  EXPECT_EQ(*path, "/backups/monday-1.copy_2");
  for (const std::string name :
       {"", ".", "..", "../x", "/etc", "a/b", ".hidden", "a\nb", "x.unfinished", "é"}) {
    EXPECT_FALSE(backup_path("/backups", name)) << name;
  }
  EXPECT_FALSE(backup_path("/backups", std::string(101, 'a')));
}

TEST(Backups, C1_are_refused_without_a_directory) {
  const auto path = backup_path("", "monday");
  ASSERT_FALSE(path);
  EXPECT_NE(path.error().text.find("--backups DIR"), std::string::npos) << path.error().text;
}

TEST(Backups, C1_never_go_into_the_data_also_not_through_a_link) {
  const store::TemporaryDirectory place;
  const fs::path root = fs::canonical(place.path());
  fs::create_directories(root / "data" / "inner");
  fs::create_directory(root / "backups");
  fs::create_directory_symlink(root / "data" / "inner", root / "link");
  EXPECT_TRUE(backup_place(root / "backups", root / "data"));
  EXPECT_TRUE(backup_place(root / "backups", root / "data2")) << "which is made later";
  for (const char* wrong : {"data", "data/inner", "link", "nowhere", ""}) {
    EXPECT_FALSE(backup_place(root / wrong, root / "data")) << wrong;
  }
}

}  // namespace
}  // namespace pawl::server

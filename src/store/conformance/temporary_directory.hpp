// SPDX-License-Identifier: Apache-2.0
// TemporaryDirectory: an empty directory of its own, removed with all that is in it at the end. For
// tests and benchmarks.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/assert.hpp"

namespace pawl::store {

class TemporaryDirectory {
 public:
  // In `parent`; empty: where the system keeps temporary files.
  explicit TemporaryDirectory(const std::string& parent = "") {
    const auto in =
        parent.empty() ? std::filesystem::temp_directory_path() : std::filesystem::path(parent);
    path_ = (in / "pawl-XXXXXX").string();
    PAWL_ASSERT(::mkdtemp(path_.data()) != nullptr);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace pawl::store

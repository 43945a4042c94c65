// SPDX-License-Identifier: Apache-2.0
// PosixFiles: the files of a real directory. Makes the directory if it is missing. The lock is the
// file `lock` in it, held with flock, so it ends with the process however that ends.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "store/files.hpp"

namespace pawl::store {

enum class Access : std::uint8_t { read_write, read_only };

class PosixFiles : public Files {
 public:
  // read_only: nothing is ever made or changed; the directory must exist.
  static Result<std::unique_ptr<PosixFiles>> open(const std::string& directory,
                                                  Access access = Access::read_write);
  ~PosixFiles() override;

  Result<std::unique_ptr<File>> open(const std::string& name, bool create) override;
  Result<std::vector<std::string>> list() const override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& name) override;
  Result<void> sync_names() override;
  Result<void> lock() override;
  std::string place() const override { return directory_; }

 private:
  PosixFiles(std::string directory, int fd, Access access);
  Result<void> may_change(const std::string& name) const;

  const std::string directory_;
  const int fd_;  // of the directory
  const Access access_;
  std::mutex mutex_{};
  int lock_{-1};
};

}  // namespace pawl::store

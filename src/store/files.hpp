// SPDX-License-Identifier: Apache-2.0
// Files: the files of one directory, as far as a journal needs them. A seam: the real one calls the
// system (journal/posix_files.hpp), the simulated one forgets, tears and fails on purpose
// (memory/simulated_files.hpp). The real one may be used by many threads at once, the simulated one
// by one. Errors: disk_full, or store_unavailable with the system's reason.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace pawl::store {

class File {
 public:
  virtual ~File() = default;
  virtual Result<void> write_at(std::uint64_t offset, std::string_view bytes) = 0;
  // The same at the end of what counts: what is behind it up to the next multiple of 4096 may
  // become zeros.
  virtual Result<void> write_last(std::uint64_t offset, std::string_view bytes) {
    return write_at(offset, bytes);
  }
  // At most `size` bytes; fewer at the end of the file.
  virtual Result<std::string> read_at(std::uint64_t offset, std::size_t size) const = 0;
  // All that was written is durable when it returns. After an error nothing is known about it.
  virtual Result<void> sync() = 0;
  // Makes the file this long with real, zeroed space behind it. Error disk_full: no space.
  virtual Result<void> allocate(std::uint64_t size) = 0;
  virtual Result<std::uint64_t> size() const = 0;
};

class Files {
 public:
  virtual ~Files() = default;
  // Opens for reading and writing; makes the file if `create`.
  virtual Result<std::unique_ptr<File>> open(const std::string& name, bool create) = 0;
  virtual Result<std::vector<std::string>> list() const = 0;  // sorted
  // A file that has the name `to` is replaced in one step; who has it open keeps it.
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> remove(const std::string& name) = 0;
  // New, renamed and removed names are durable when it returns.
  virtual Result<void> sync_names() = 0;
  // Holds the directory for this process until the object goes. Error store_in_use otherwise.
  virtual Result<void> lock() = 0;
  virtual std::string place() const = 0;  // the directory, for messages
};

}  // namespace pawl::store

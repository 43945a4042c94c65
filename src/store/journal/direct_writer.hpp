// SPDX-License-Identifier: Apache-2.0
// DirectWriter: writes past the system's cache, in whole sectors. A batch of the journal is a few
// hundred bytes that must be on the disk before anybody goes on, and that nobody reads soon; the
// cache would write a page of 4 KiB for it at least, and on newer kernels account for up to 2 MiB.
// Where the file system or the disk cannot do it, `write` says so, and the caller writes as usual.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace pawl::store {

class DirectWriter {
 public:
  // The file that is open as `file`, whatever its name is now. It is not an error if it cannot be
  // written this way.
  explicit DirectWriter(int file);
  DirectWriter(const DirectWriter&) = delete;
  DirectWriter& operator=(const DirectWriter&) = delete;
  ~DirectWriter();

  enum class Outcome : std::uint8_t { written, not_this_way, failed };
  // Bytes behind the last one, up to the end of its sector, become zeros. What stands before the
  // first one in its sector stays. Not this way: nothing was written, or a part of it. Failed: see
  // errno. `size` is that of the file, which does not grow.
  Outcome write(std::uint64_t offset, std::string_view bytes, std::uint64_t size);
  // Somebody else has written to the file.
  void forget_tail() { tail_at_ = no_tail; }

 private:
  bool fetch_sector(std::uint64_t at);
  bool put(std::uint64_t from, std::size_t size);
  bool take_larger_sectors();

  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  int fd_{-1};
  std::size_t sector_{512};
  std::unique_ptr<char, Free> buffer_{};
  std::size_t capacity_{0};
  // The last sector that was written, and where it is: the next write often begins in it.
  std::uint64_t tail_at_{no_tail};
  std::string tail_{};
  static constexpr std::uint64_t no_tail = ~0ull;
};

}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include "store/journal/direct_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace pawl::store {
namespace {

constexpr std::size_t largest_sector = 4'096;  // also how buffers are aligned
constexpr std::size_t piece = 1u << 20;        // written at once

constexpr std::uint64_t down(std::uint64_t at, std::uint64_t unit) { return at / unit * unit; }

}  // namespace

DirectWriter::DirectWriter(int file)
    : fd_(::open(fmt::format("/proc/self/fd/{}", file).c_str(), O_RDWR | O_DIRECT | O_CLOEXEC)) {}

DirectWriter::~DirectWriter() {
  if (fd_ >= 0) ::close(fd_);
}

// Into the beginning of the buffer.
bool DirectWriter::fetch_sector(std::uint64_t at) {
  if (at == tail_at_) {
    std::memcpy(buffer_.get(), tail_.data(), sector_);
    return true;
  }
  return ::pread(fd_, buffer_.get(), sector_, static_cast<off_t>(at)) ==
         static_cast<ssize_t>(sector_);
}

bool DirectWriter::put(std::uint64_t from, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t wrote =
        ::pwrite(fd_, buffer_.get() + done, size - done, static_cast<off_t>(from + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote == 0) errno = ENOSPC;
    if (wrote <= 0) return false;
    done += down(static_cast<std::uint64_t>(wrote), sector_);
    if (wrote % static_cast<ssize_t>(sector_) != 0) {  // it would not be aligned any more
      errno = EINVAL;
      return false;
    }
  }
  return true;
}

// Some disks have sectors of 4 KiB only. False: that is not it either.
bool DirectWriter::take_larger_sectors() {
  if (std::exchange(sector_, largest_sector) < largest_sector) return true;
  ::close(std::exchange(fd_, -1));
  return false;
}

DirectWriter::Outcome DirectWriter::write(std::uint64_t offset, std::string_view bytes,
                                          std::uint64_t size) {
  while (fd_ >= 0 && !bytes.empty()) {
    if (!buffer_) {
      capacity_ = piece + largest_sector;
      buffer_.reset(static_cast<char*>(std::aligned_alloc(largest_sector, capacity_)));
      if (!buffer_) return Outcome::not_this_way;
    }
    const std::uint64_t from = down(offset, sector_);
    const auto before = static_cast<std::size_t>(offset - from);
    const std::size_t now = std::min(bytes.size(), capacity_ - largest_sector - before);
    const auto whole = static_cast<std::size_t>(down(before + now + sector_ - 1, sector_));
    if (from + whole > size) return Outcome::not_this_way;
    if (before > 0 && !fetch_sector(from)) {
      tail_at_ = no_tail;
      if (errno == EINVAL && take_larger_sectors()) continue;
      return Outcome::not_this_way;
    }
    std::memcpy(buffer_.get() + before, bytes.data(), now);
    std::memset(buffer_.get() + before + now, 0, whole - before - now);
    tail_at_ = no_tail;  // until all went well
    if (!put(from, whole)) {
      if (errno != EINVAL) return Outcome::failed;
      if (take_larger_sectors()) continue;
      return Outcome::not_this_way;
    }
    tail_.assign(buffer_.get() + whole - sector_, sector_);
    tail_at_ = from + whole - sector_;
    bytes.remove_prefix(now);
    offset += now;
  }
  return bytes.empty() ? Outcome::written : Outcome::not_this_way;
}

}  // namespace pawl::store

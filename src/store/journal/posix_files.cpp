// SPDX-License-Identifier: Apache-2.0
#include "store/journal/posix_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "store/journal/direct_writer.hpp"

namespace pawl::store {
namespace {

Error failed(const char* what, const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  return fail(Whose::machine, full ? Code::disk_full : Code::store_unavailable,
              fmt::format("{}: cannot {}: {}", path, what,
                          std::error_code(error, std::generic_category()).message()));
}

// Calls until it is not interrupted by a signal.
template <class Call>
auto steadily(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// --- one file -----------------------------------------------------------------------------------
class PosixFile : public File {
 public:
  PosixFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile() override { ::close(fd_); }

  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    if (direct_) direct_->forget_tail();
    while (!bytes.empty()) {
      const auto done = steadily(
          [&] { return ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
      if (done <= 0) return failed("write", path_, done == 0 ? ENOSPC : errno);
      bytes.remove_prefix(static_cast<std::size_t>(done));
      offset += static_cast<std::uint64_t>(done);
    }
    return {};
  }

  // One thread writes to a file.
  Result<void> write_last(std::uint64_t offset, std::string_view bytes) override {
    PAWL_TRY(length, this->size());
    if (!direct_) direct_.emplace(fd_);
    const auto outcome = direct_->write(offset, bytes, length);
    if (outcome == DirectWriter::Outcome::written) return {};
    if (outcome == DirectWriter::Outcome::failed) return failed("write", path_, errno);
    return write_at(offset, bytes);
  }

  Result<std::string> read_at(std::uint64_t offset, std::size_t size) const override {
    PAWL_TRY(length, this->size());
    if (offset >= length) return std::string();
    std::string bytes(std::min<std::uint64_t>(size, length - offset), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
      const auto done = steadily([&] {
        return ::pread(fd_, bytes.data() + have, bytes.size() - have,
                       static_cast<off_t>(offset + have));
      });
      if (done < 0) return failed("read", path_, errno);
      if (done == 0) break;
      have += static_cast<std::size_t>(done);
    }
    bytes.resize(have);
    return bytes;
  }

  Result<void> sync() override {
    if (steadily([&] { return ::fdatasync(fd_); }) != 0) return failed("sync", path_, errno);
    return {};
  }

  // Reserved space alone is not enough: its first use would change the file's description, and each
  // sync would have to write that, too. So zeros are written.
  Result<void> allocate(std::uint64_t size) override {
    const int error = ::posix_fallocate(fd_, 0, static_cast<off_t>(size));
    if (error != 0 && error != EOPNOTSUPP && error != EINVAL) {
      return failed("reserve space", path_, error);
    }
    const std::string zeros(std::min<std::uint64_t>(size, 1u << 20), '\0');
    for (std::uint64_t done = 0; done < size; done += zeros.size()) {
      PAWL_CHECK(write_last(done, std::string_view(zeros).substr(0, size - done)));
    }
    return {};
  }

  Result<std::uint64_t> size() const override {
    struct stat about {};
    if (::fstat(fd_, &about) != 0) return failed("look at", path_, errno);
    return static_cast<std::uint64_t>(about.st_size);
  }

 private:
  const int fd_;
  const std::string path_;
  std::optional<DirectWriter> direct_{};
};

// --- the directory ------------------------------------------------------------------------------
Result<void> sync_directory(const std::string& path) {
  const int fd = steadily([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (fd < 0) return failed("open", path, errno);
  const int done = steadily([&] { return ::fsync(fd); });
  const int error = errno;
  ::close(fd);
  if (done != 0) return failed("sync", path, error);
  return {};
}

// Makes the directory and those above it; each new name is durable in the one above.
Result<void> make_directory(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.empty() || std::filesystem::is_directory(path, ignored)) return {};
  const std::filesystem::path parent = path.parent_path();
  PAWL_CHECK(make_directory(parent));
  if (::mkdir(path.c_str(), 0750) != 0 && errno != EEXIST) {
    return failed("make the directory", path.string(), errno);
  }
  return sync_directory(parent.empty() ? "." : parent.string());
}

std::string holder_of(int fd) {
  char text[32] = {};
  const auto size = ::pread(fd, text, sizeof text - 1, 0);
  std::string pid(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!pid.empty() && pid.back() == '\n') pid.pop_back();
  return pid.empty() ? "another process" : "process " + pid;
}

// For people only; the lock holds without it, so errors do not matter.
void note_holder(int fd) {
  const std::string pid = fmt::format("{}\n", ::getpid());
  const bool noted = ::ftruncate(fd, 0) == 0 && ::pwrite(fd, pid.data(), pid.size(), 0) >= 0;
  static_cast<void>(noted);
}

}  // namespace

PosixFiles::PosixFiles(std::string directory, int fd, Access access)
    : directory_(std::move(directory)), fd_(fd), access_(access) {}

PosixFiles::~PosixFiles() {
  if (lock_ >= 0) ::close(lock_);
  ::close(fd_);
}

Result<std::unique_ptr<PosixFiles>> PosixFiles::open(const std::string& directory, Access access) {
  const std::string path = std::filesystem::path(directory).lexically_normal().string();
  if (path.empty()) {
    return fail(Whose::caller, Code::invalid_argument, "the data directory has no name");
  }
  const bool slash = path.size() > 1 && path.back() == '/';
  const std::string name = slash ? path.substr(0, path.size() - 1) : path;
  if (access == Access::read_write) PAWL_CHECK(make_directory(name));
  const int fd = steadily([&] { return ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (fd < 0) return failed("open the data directory", name, errno);
  return std::unique_ptr<PosixFiles>(new PosixFiles(name, fd, access));
}

Result<void> PosixFiles::may_change(const std::string& name) const {
  if (access_ == Access::read_write) return {};
  return failed("change", directory_ + "/" + name, EROFS);
}

Result<std::unique_ptr<File>> PosixFiles::open(const std::string& name, bool create) {
  if (create) PAWL_CHECK(may_change(name));
  const int flags = (access_ == Access::read_only ? O_RDONLY : O_RDWR) | (create ? O_CREAT : 0);
  const int fd = steadily([&] { return ::openat(fd_, name.c_str(), flags | O_CLOEXEC, 0640); });
  const std::string path = directory_ + "/" + name;
  if (fd < 0) return failed("open", path, errno);
  return std::unique_ptr<File>(std::make_unique<PosixFile>(fd, path));
}

Result<std::vector<std::string>> PosixFiles::list() const {
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator at(directory_, error);
  while (!error && at != std::filesystem::directory_iterator()) {
    names.push_back(at->path().filename().string());
    at.increment(error);
  }
  if (error) return failed("list", directory_, error.value());
  std::ranges::sort(names);
  return names;
}

Result<void> PosixFiles::rename(const std::string& from, const std::string& to) {
  PAWL_CHECK(may_change(from));
  if (::renameat(fd_, from.c_str(), fd_, to.c_str()) == 0) return {};
  return failed(("rename to " + to).c_str(), directory_ + "/" + from, errno);
}

Result<void> PosixFiles::remove(const std::string& name) {
  PAWL_CHECK(may_change(name));
  if (::unlinkat(fd_, name.c_str(), 0) == 0) return {};
  return failed("remove", directory_ + "/" + name, errno);
}

Result<void> PosixFiles::sync_names() {
  if (steadily([&] { return ::fsync(fd_); }) == 0) return {};
  return failed("sync", directory_, errno);
}

Result<void> PosixFiles::lock() {
  PAWL_CHECK(may_change("lock"));
  const std::lock_guard guard(mutex_);
  if (lock_ >= 0) return {};
  const std::string path = directory_ + "/lock";
  const int fd =
      steadily([&] { return ::openat(fd_, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0640); });
  if (fd < 0) return failed("open", path, errno);
  if (steadily([&] { return ::flock(fd, LOCK_EX | LOCK_NB); }) != 0) {
    const int error = errno;
    const std::string holder = holder_of(fd);
    ::close(fd);
    if (error != EWOULDBLOCK) return failed("lock", path, error);
    return fail(Whose::machine, Code::store_in_use,
                fmt::format("{}: {} works with this directory\n  hint   stop it, or use another "
                            "directory",
                            directory_, holder));
  }
  note_holder(fd);
  lock_ = fd;
  return {};
}

}  // namespace pawl::store

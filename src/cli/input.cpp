// SPDX-License-Identifier: Apache-2.0
#include "cli/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "cli/descriptor.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr std::size_t chunk_bytes = 1u << 16;

ssize_t read_some(int descriptor, std::array<char, chunk_bytes>& chunk) {
  ssize_t count = 0;
  do {
    count = ::read(descriptor, chunk.data(), chunk.size());
  } while (count < 0 && errno == EINTR);
  return count;
}

Error bad_file(const std::string& path, std::string_view fact, std::string_view to_do) {
  return fail(Whose::caller, Code::bad_file,
              fmt::format("the file \"{}\" cannot be read: {}; {}", path, fact, to_do));
}

Error bad_file(const std::string& path, int number) {
  if (number == ENOENT) return bad_file(path, "there is no such file", "check the path");
  if (number == EISDIR) return bad_file(path, "it is a directory", "name the file in it");
  if (number == EACCES) return bad_file(path, "permission denied", "check its access rights");
  return bad_file(path, std::strerror(number), "check the file and its disk");
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return bad_file(path, errno);
  std::string content;
  std::array<char, chunk_bytes> chunk;
  for (;;) {
    const ssize_t count = read_some(file.number(), chunk);
    if (count < 0) return bad_file(path, errno);
    if (count == 0) return content;
    content.append(chunk.data(), static_cast<std::size_t>(count));
    if (content.size() > limit) {
      return fail(Whose::caller, Code::too_large,
                  fmt::format("the file \"{}\" is larger than {} MiB, the limit; split it", path,
                              limit >> 20));
    }
  }
}

Result<std::string> text_argument(std::string_view argument) {
  if (!argument.starts_with('@')) return std::string(argument);
  const std::string name(argument == "@-" ? "/dev/stdin" : argument.substr(1));
  return read_file(name, limits::json_bytes);
}

Result<std::uint64_t> whole_number(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec == std::errc() && read.ptr == end && value >= least && value <= most) return value;
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("expected a number from {} to {}, not \"{}\"", least, most, text));
}

Result<std::uint64_t> count_argument(std::string_view option, std::string_view text,
                                     std::uint64_t most) {
  auto count = whole_number(text, 1, most);
  if (count) return count;
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("{}: {}", option, count.error().text));
}

Result<Value> variables_argument(std::string_view option, std::string_view argument) {
  PAWL_TRY(text, text_argument(argument));
  auto variables = parse_json_object(text);
  if (!variables) variables.error().text = fmt::format("{}: {}", option, variables.error().text);
  return variables;
}

bool LineReader::has_buffered_line() const {
  return buffer_.find('\n', next_) != std::string::npos;
}

// Makes room and waits for more; of an endless line only the beginning is kept.
void LineReader::fill() {
  buffer_.erase(0, next_);
  next_ = 0;
  if (buffer_.size() > limit_) {
    buffer_.resize(limit_);
    was_cut_ = true;
  }
  std::array<char, chunk_bytes> chunk;
  const ssize_t count = read_some(descriptor_, chunk);
  at_end_ = count <= 0;
  if (count > 0) buffer_.append(chunk.data(), static_cast<std::size_t>(count));
}

bool LineReader::next(std::string_view& line) {
  was_cut_ = false;
  std::size_t seen = 0;  // without a line end, counted from next_
  std::size_t end = buffer_.find('\n', next_);
  while (end == std::string::npos && !at_end_) {
    seen = std::min(buffer_.size() - next_, limit_);
    fill();
    end = buffer_.find('\n', seen);
  }
  if (end == std::string::npos && next_ == buffer_.size()) return false;
  const std::size_t stop = end == std::string::npos ? buffer_.size() : end;
  line = std::string_view(buffer_).substr(next_, stop - next_);
  next_ = end == std::string::npos ? stop : end + 1;
  if (line.size() > limit_) was_cut_ = true;
  line = line.substr(0, limit_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

}  // namespace pawl::cli

// SPDX-License-Identifier: Apache-2.0
// What the commands read: files up to a limit, arguments that are JSON or name a file with it, and
// lines from standard input. Errors are sentences and say what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "value/value.hpp"

namespace pawl::cli {

// The whole file. Error: bad_file or too_large.
Result<std::string> read_file(const std::string& path, std::size_t limit = limits::xml_bytes);

// `{"a": 1}` itself, or `@path` for the content of a file.
Result<std::string> text_argument(std::string_view argument);

// Variables given as text_argument does: a JSON object. Error: bad_json and the like, beginning
// with the name of the option, or bad_file.
Result<Value> variables_argument(std::string_view option, std::string_view argument);

// A whole number within these bounds. Error: invalid_argument; the caller adds the option's name.
Result<std::uint64_t> whole_number(std::string_view text, std::uint64_t least, std::uint64_t most);
// The same for the value of an option.
Result<std::uint64_t> count_argument(std::string_view option, std::string_view text,
                                     std::uint64_t most);

// Lines of a file descriptor, without their ends. A line over the limit is cut there and marked.
class LineReader {
 public:
  explicit LineReader(int descriptor, std::size_t limit = limits::json_bytes)
      : descriptor_(descriptor), limit_(limit) {}

  // False at the end of the input. The line is valid until the next call.
  bool next(std::string_view& line);
  bool was_cut() const { return was_cut_; }
  // A further line is at hand without waiting for the other side.
  bool has_buffered_line() const;

 private:
  void fill();

  int descriptor_;
  std::size_t limit_;
  std::string buffer_;
  std::size_t next_{0};  // where the line after the current one begins
  bool at_end_{false};
  bool was_cut_{false};
};

}  // namespace pawl::cli

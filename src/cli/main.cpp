// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "base/allocator.hpp"
#include "cli/command.hpp"
#include "cli/report.hpp"
#include "script/helper.hpp"

namespace {

using pawl::cli::Exit;

// A full disk or a closed pipe must not look like success.
Exit output_failed(int number) {
  pawl::cli::report({.what = "the output cannot be written",
                     .where = "standard output",
                     .why = std::strerror(number),
                     .to_do = "check where it goes"});
  return Exit::unreachable;
}

Exit run(const std::vector<std::string>& words) {
  const Exit exit = pawl::cli::run_program(words);
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? exit : output_failed(errno);
}

}  // namespace

int main(int count, char** words) {
  if (const auto helper = pawl::script::serve_if_helper(count, words)) return *helper;
  pawl::keep_freed_memory();
  try {
    const std::vector<std::string> arguments(words + (count > 0 ? 1 : 0), words + count);
    return static_cast<int>(run(arguments));
  } catch (const std::system_error& error) {  // fmt could not write
    return static_cast<int>(output_failed(error.code().value()));
  } catch (const std::exception& error) {
    pawl::cli::report({.what = "internal error",
                       .why = error.what(),
                       .to_do = "this is a defect of pawl, please report it with its input"});
    return static_cast<int>(Exit::incident);
  }
}

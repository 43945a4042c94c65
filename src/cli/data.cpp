// SPDX-License-Identifier: Apache-2.0
#include "cli/data.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "cli/report.hpp"
#include "value/temporal.hpp"

namespace pawl::cli {
namespace {

constexpr std::string_view state_names[] = {"active", "completed", "terminated"};
constexpr auto between_lines = std::chrono::milliseconds(200);

}  // namespace

bool reads_data(const Arguments& arguments) {
  if (arguments.has("--server")) return false;
  return arguments.has("--data") || std::getenv("PAWL_DATA") != nullptr;
}

Result<std::unique_ptr<store::Index>> open_data(const Arguments& arguments) {
  const char* standard = std::getenv("PAWL_DATA");
  const std::string directory =
      arguments.value("--data").value_or(standard != nullptr ? standard : "");
  if (directory.empty()) {
    return fail(Whose::caller, Code::invalid_argument,
                "no data directory is given; write --data DIR, or set PAWL_DATA");
  }
  // Who forgot the variable would take what is there for what the server has.
  if (!arguments.has("--data")) {
    say(stderr, "pawl: reads the directory {} that PAWL_DATA names; --server ADDR asks a server\n",
        directory);
  }
  return runtime::read_local(directory);
}

Exit refuse(const Error& error) {
  report({.what = error.text});
  return exit_for(error);
}

Result<Key> key_argument(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value != 0) {
    return key_from(value);
  }
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("\"{}\" is no key; `pawl instances` lists the keys of instances", text));
}

std::string_view name_of(store::InstanceState state) {
  return state_names[static_cast<std::size_t>(state)];
}

Result<store::InstanceState> state_argument(std::string_view text) {
  for (std::size_t i = 0; i < std::size(state_names); ++i) {
    if (text == state_names[i]) return static_cast<store::InstanceState>(i);
  }
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("--state: \"{}\" is none of {}", text, fmt::join(state_names, ", ")));
}

std::string time_text(Instant instant) { return to_string(from_instant(instant)); }

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)), visible_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (written_) fmt::print(stderr, "\r\033[K");
}

runtime::Progress ProgressLine::report() {
  return [this](std::uint64_t done, std::uint64_t all) {
    if (!visible_ || done % 256 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + between_lines;
    written_ = true;
    fmt::print(stderr, "\r{} {} of {} records ({}%)\033[K", what_, done, all,
               all == 0 ? 100 : done * 100 / all);
  };
}

}  // namespace pawl::cli

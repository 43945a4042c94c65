// SPDX-License-Identifier: Apache-2.0
#include "cli/data.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "bpmn/read.hpp"
#include "cli/report.hpp"
#include "engine/apply.hpp"
#include "store/codec.hpp"
#include "store/snapshot.hpp"
#include "value/temporal.hpp"

namespace pawl::cli {
namespace {

constexpr std::string_view state_names[] = {"active", "completed", "terminated"};
constexpr auto between_lines = std::chrono::milliseconds(200);

Result<model::ProcessPtr> process_of(const store::Index& index, Key definition) {
  PAWL_TRY(rows, index.definitions());
  for (const store::DefinitionRow& row : rows) {
    if (row.process.key != definition) continue;
    PAWL_TRY(content, index.resource(row.process.resource));
    const bpmn::Definitions read = bpmn::read(content, row.resource_name);
    for (const auto& process : read.processes) {
      if (process->id == row.process.id) return model::ProcessPtr(process);
    }
  }
  return fail(Whose::machine, Code::store_damaged,
              fmt::format("the process with key {} is not in the index any more; `pawl verify "
                          "DIR` says more",
                          number(definition)));
}

}  // namespace

Result<std::unique_ptr<store::Index>> open_data(const Arguments& arguments) {
  const char* standard = std::getenv("PAWL_DATA");
  const std::string directory =
      arguments.value("--data").value_or(standard != nullptr ? standard : "");
  if (directory.empty()) {
    return fail(Whose::caller, Code::invalid_argument,
                "no data directory is given; write --data DIR, or set PAWL_DATA");
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

Value time_value(Instant instant) {
  return instant == Instant{} ? Value() : Value(time_text(instant));
}

Result<engine::Instance> state_of(const store::Index& index, const store::Past& past) {
  PAWL_TRY(process, process_of(index, past.row.definition));
  engine::Instance state(process);
  if (!past.snapshot.empty()) {
    PAWL_TRY(restored, store::decode_snapshot(process, past.snapshot));
    state = std::move(restored);
  }
  for (const std::string& turn : past.turns) {
    PAWL_TRY(record, store::decode_record(turn));
    for (const engine::Event& event : record.events) engine::apply(state, event);
  }
  return state;
}

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

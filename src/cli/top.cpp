// SPDX-License-Identifier: Apache-2.0
#include "cli/top.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <thread>

#include "cli/data.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "cli/run_plan.hpp"

namespace pawl::cli {
namespace {

constexpr Option top_options[] = {
    {.name = "--every", .value = "DUR", .help = "between two looks; default 1s"},
    {.name = "--once", .value = {}, .help = "looks twice, prints once"},
    server_option};

volatile std::sig_atomic_t top_stopped = 0;

void stop_top(int) { top_stopped = 1; }

// What /metrics says: name with labels → value.
using Sample = std::map<std::string, double>;

Sample read_sample(std::string_view text) {
  Sample sample;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t space = line.rfind(' ');
    if (line.empty() || line[0] == '#' || space == std::string_view::npos) continue;
    sample[std::string(line.substr(0, space))] = std::strtod(line.data() + space + 1, nullptr);
  }
  return sample;
}

double sum_of(const Sample& sample, std::string_view name) {
  double sum = 0;
  for (const auto& [key, value] : sample) {
    if (key == name || key.starts_with(std::string(name) + "{")) sum += value;
  }
  return sum;
}

std::string label_of(std::string_view key, std::string_view label) {
  const std::string start = std::string(label) + "=\"";
  const std::size_t from = key.find(start);
  if (from == std::string_view::npos) return "";
  const std::string_view rest = key.substr(from + start.size());
  return std::string(rest.substr(0, rest.find('"')));
}

// Sums of one metric by one label.
std::map<std::string, double> by_label(const Sample& sample, std::string_view name,
                                       std::string_view label) {
  std::map<std::string, double> sums;
  for (const auto& [key, value] : sample) {
    if (key.starts_with(std::string(name) + "{")) sums[label_of(key, label)] += value;
  }
  return sums;
}

struct Cell {
  std::string_view label;
  double value;
};

// The labels of several rows stand below each other.
void print_cells(std::initializer_list<Cell> cells) {
  bool first = true;
  for (const auto& [label, value] : cells) {
    say("  {:<{}} {:>8.0f}", label, first ? 19 : 13, value);
    first = false;
  }
  say("\n");
}

void print_sample(const Sample& before, const Sample& now, double seconds,
                  const std::string& address) {
  const auto rate = [&](std::string_view name) {
    return (sum_of(now, name) - sum_of(before, name)) / seconds;
  };
  say("{}   {:.1f} MB resident, {:.0f} % CPU\n\n", painted(stdout, Colour::green, address),
      sum_of(now, "process_resident_memory_bytes") / 1e6, rate("process_cpu_seconds_total") * 100);
  print_cells({{"connections", sum_of(now, "pawl_connections")},
               {"calls open", sum_of(now, "pawl_grpc_calls")},
               {"polls waiting", sum_of(now, "pawl_waiting_polls")},
               {"streams", sum_of(now, "pawl_job_streams")}});
  print_cells({{"instances in memory", sum_of(now, "pawl_instances_resident")},
               {"jobs", sum_of(now, "pawl_jobs_in_memory")},
               {"timers", sum_of(now, "pawl_timers_in_memory")},
               {"messages", sum_of(now, "pawl_messages")}});
  print_cells({{"turns in flight", sum_of(now, "pawl_turns_in_flight")},
               {"index lag", sum_of(now, "pawl_index_backlog_records")}});
  const auto incidents = static_cast<std::uint64_t>(sum_of(now, "pawl_incidents_open"));
  say("  {}\n\n", painted(stdout, incidents > 0 ? Colour::red : Colour::green,
                          counted(incidents, "incident", "incidents")));
  const auto operations = by_label(now, "pawl_requests_total", "operation");
  std::size_t width = 20;
  for (const auto& [name, count] : operations) width = std::max(width, name.size());
  say("  {:<{}} {:>10} {:>10} {:>12}\n", "operation", width, "per s", "ms each", "refused");
  const auto calls_before = by_label(before, "pawl_requests_total", "operation");
  const auto time_before = by_label(before, "pawl_request_seconds_sum", "operation");
  const auto time = by_label(now, "pawl_request_seconds_sum", "operation");
  for (const auto& [name, count] : operations) {
    const auto old = [&](const auto& map) {
      const auto found = map.find(name);
      return found == map.end() ? 0.0 : found->second;
    };
    const double calls = count - old(calls_before), took = old(time) - old(time_before);
    double refused = count;
    for (const auto& [key, value] : now) {
      if (key.starts_with("pawl_requests_total{") && label_of(key, "operation") == name &&
          label_of(key, "outcome") == "OK") {
        refused -= value;
      }
    }
    if (count == 0) continue;
    say("  {:<{}} {:>10.0f} {:>10.2f} {:>12.0f}\n", name, width, calls / seconds,
        calls > 0 ? took / calls * 1e3 : 0, refused);
  }
}

Result<void> watch(const Arguments& arguments) {
  PAWL_TRY(remote, Remote::of(arguments));
  Millis every{1'000};
  if (const auto text = arguments.value("--every")) {
    PAWL_TRY(given, duration_argument("--every", *text));
    every = std::max(given, Millis(100));
  }
  std::signal(SIGINT, stop_top);
  std::signal(SIGTERM, stop_top);
  const bool screen = ::isatty(STDOUT_FILENO) == 1 && !arguments.has("--once");
  PAWL_TRY(first, remote.get_text("/metrics"));
  Sample before = read_sample(first);
  auto then = std::chrono::steady_clock::now();
  while (!top_stopped) {
    std::this_thread::sleep_for(every);
    if (top_stopped) break;
    PAWL_TRY(text, remote.get_text("/metrics"));
    Sample now = read_sample(text);
    const auto at = std::chrono::steady_clock::now();
    if (screen) fmt::print("\033[H\033[2J");
    print_sample(before, now, std::chrono::duration<double>(at - then).count(), remote.address());
    std::fflush(stdout);
    if (arguments.has("--once")) break;
    before = std::move(now);
    then = at;
  }
  return {};
}

Exit run_top(const Arguments& arguments) {
  const auto done = watch(arguments);
  return done ? Exit::done : refuse(done.error());
}

}  // namespace

const Command top_command{
    .name = "top",
    .summary = "shows what a server does, live",
    .usage = "[--every DUR] [--once] [--server ADDR]",
    .details = "Throughput, queues and incidents, from the server's /metrics. Ctrl-C ends it.\n",
    .example = "  pawl top\n",
    .options = top_options,
    .least_words = 0,
    .most_words = 0,
    .run = run_top,
};

}  // namespace pawl::cli

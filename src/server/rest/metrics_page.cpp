// SPDX-License-Identifier: Apache-2.0
#include "server/rest/metrics_page.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "server/rest/version.hpp"
#include "store/selection.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

enum class MetricType : std::uint8_t { counter, gauge };

void head(std::string& out, std::string_view name, std::string_view help, MetricType type) {
  out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name,
                     type == MetricType::counter ? "counter" : "gauge");
}

void simple(std::string& out, std::string_view name, std::string_view help, MetricType type,
            double value) {
  head(out, name, help, type);
  out += fmt::format("{} {}\n", name, value);
}

// --- commands -----------------------------------------------------------------------------------

constexpr Status statuses[] = {Status::ok,
                               Status::cancelled,
                               Status::unknown,
                               Status::not_found,
                               Status::invalid_argument,
                               Status::deadline_exceeded,
                               Status::unavailable,
                               Status::already_exists,
                               Status::permission_denied,
                               Status::internal,
                               Status::resource_exhausted,
                               Status::failed_precondition,
                               Status::unimplemented,
                               Status::unauthenticated};

void commands(std::string& out, const Metrics& metrics) {
  head(out, "pawl_requests_total", "Requests by operation and outcome.", MetricType::counter);
  std::string seconds;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Operation::count_); ++i) {
    const auto operation = static_cast<Operation>(i);
    const Metrics::Row& row = metrics.row(operation);
    std::uint64_t all = 0;
    for (const Status status : statuses) {
      const std::uint64_t count = row.outcomes[static_cast<std::size_t>(status)];
      all += count;
      if (count == 0 && status != Status::ok) continue;  // mostly there is nothing to say
      out += fmt::format("pawl_requests_total{{operation=\"{}\",outcome=\"{}\"}} {}\n",
                         name_of(operation), word_of(status), count);
    }
    seconds += fmt::format(
        "pawl_request_seconds_sum{{operation=\"{0}\"}} {1:.6f}\n"
        "pawl_request_seconds_count{{operation=\"{0}\"}} {2}\n",
        name_of(operation), static_cast<double>(row.micros) / 1e6, all);
  }
  out +=
      "# HELP pawl_request_seconds How long requests took until they were answered.\n"
      "# TYPE pawl_request_seconds summary\n" +
      seconds;
}

void moment(std::string& out, const Metrics& metrics) {
  const auto gauge = [&out](std::string_view name, std::string_view help, auto value) {
    simple(out, name, help, MetricType::gauge, static_cast<double>(value));
  };
  gauge("pawl_connections", "Open connections.", metrics.connections.load());
  gauge("pawl_grpc_calls", "Open gRPC calls.", metrics.calls.load());
  gauge("pawl_waiting_polls", "Polls that wait for jobs.", metrics.waiting_polls.load());
  gauge("pawl_job_streams", "Open streams of jobs.", metrics.job_streams.load());
  simple(out, "pawl_jobs_activated_total", "Jobs given to workers.", MetricType::counter,
         static_cast<double>(metrics.jobs_activated));
  simple(out, "pawl_jobs_returned_total", "Jobs that could not be given and were taken back.",
         MetricType::counter, static_cast<double>(metrics.jobs_given_back));
}

// --- the node -----------------------------------------------------------------------------------

struct LoadText {
  std::string_view name;
  std::string_view help;
  std::size_t runtime::Shard::Load::*member;
};

constexpr LoadText loads[] = {
    {"pawl_instances_resident", "Instances in memory.", &runtime::Shard::Load::residents},
    {"pawl_resident_bytes", "Memory of those instances, estimated.",
     &runtime::Shard::Load::resident_bytes},
    {"pawl_turns_in_flight", "Turns that are not durable yet.", &runtime::Shard::Load::in_flight},
    {"pawl_jobs_in_memory", "Jobs in memory that wait for a worker or are leased.",
     &runtime::Shard::Load::jobs},
    {"pawl_timers_in_memory", "Timers in memory.", &runtime::Shard::Load::timers},
    {"pawl_messages", "Messages that are kept.", &runtime::Shard::Load::messages},
};

void node_page(std::string& out, const runtime::Node& node) {
  std::vector<runtime::Shard::Load> now;
  for (std::uint32_t shard = 0; shard < node.shards(); ++shard) now.push_back(node.load(shard));
  for (const LoadText& row : loads) {
    head(out, row.name, row.help, MetricType::gauge);
    for (std::size_t shard = 0; shard < now.size(); ++shard) {
      out += fmt::format("{}{{shard=\"{}\"}} {}\n", row.name, shard, now[shard].*row.member);
    }
  }
  simple(out, "pawl_index_backlog_records", "Records that the index does not have yet.",
         MetricType::gauge, static_cast<double>(node.index_backlog()));
  const runtime::Committer::Count& commits = node.commits();
  const auto total = [&](std::string_view name, std::string_view help, std::uint64_t value) {
    simple(out, name, help, MetricType::counter, static_cast<double>(value));
  };
  total("pawl_turns_total", "Turns and notices that were made durable.", commits.records.load());
  total("pawl_commits_total", "Appends to the journal, each of many turns.",
        commits.commits.load());
  total("pawl_commit_failures_total", "Appends that failed.", commits.failures.load());
  total("pawl_journal_bytes_total", "Bytes of the turns.", commits.bytes.load());
  simple(out, "pawl_commit_seconds_total", "Time that the appends took.", MetricType::counter,
         static_cast<double>(commits.micros.load()) / 1e6);
  simple(out, "pawl_journal_position", "The last record of the journal.", MetricType::counter,
         static_cast<double>(store::number(node.journal().last())));
}

// --- the index ----------------------------------------------------------------------------------

constexpr std::size_t counted_up_to = 1'000'000;

std::size_t count_of(const store::Index& index, store::Table table, store::Clause clause = {}) {
  const auto found = index.find_rows(
      {.table = table, .all = std::move(clause), .limit = 1, .count_limit = counted_up_to});
  return found ? found->total : 0;
}

void index_page(std::string& out, const store::Index& index) {
  simple(out, "pawl_incidents_open", "What stopped and needs a person.", MetricType::gauge,
         static_cast<double>(count_of(index, store::Table::incidents)));
  head(out, "pawl_jobs_open", "Open jobs, of types that have some to give away.",
       MetricType::gauge);
  const auto types = index.offerable_types();
  if (!types) return;
  for (const std::string& type : *types) {
    store::Clause clause;
    clause.where.push_back({.column = store::Column::type, .values = {type}});
    std::string label;
    append_json_string(label, type);
    out += fmt::format("pawl_jobs_open{{type={}}} {}\n", label,
                       count_of(index, store::Table::jobs, std::move(clause)));
  }
}

// --- the process --------------------------------------------------------------------------------

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void process_page(std::string& out) {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  simple(out, "process_resident_memory_bytes", "Resident memory.", MetricType::gauge,
         static_cast<double>(resident) * page);
  simple(out, "process_virtual_memory_bytes", "Virtual memory.", MetricType::gauge,
         static_cast<double>(pages) * page);
  simple(out, "process_cpu_seconds_total", "User and system time.", MetricType::counter,
         seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  head(out, "pawl_build_info", "The version of the API.", MetricType::gauge);
  out += fmt::format("pawl_build_info{{api=\"{}\",compiler=\"{}\"}} 1\n", api_version, __VERSION__);
}

}  // namespace

std::string metrics_page(const Metrics& metrics, const runtime::Node& node) {
  std::string out;
  commands(out, metrics);
  moment(out, metrics);
  node_page(out, node);
  index_page(out, node.index());
  process_page(out);
  return out;
}

}  // namespace pawl::server::rest

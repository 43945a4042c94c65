// SPDX-License-Identifier: Apache-2.0
// The questions of an engine: the index is brought up to what is durable, then asked.
#include "embed/inside.hpp"
#include "runtime/find_process.hpp"
#include "store/codec.hpp"
#include "store/loop_report.hpp"

namespace pawl {

using embed::value_or_throw;

namespace {

const store::Index& fresh(runtime::Node& node) {
  const auto caught_up = node.catch_up();
  if (!caught_up) embed::throw_failure(caught_up.error());
  return node.index();
}

const char* name_of(store::JobAvailability availability) {
  switch (availability) {
    case store::JobAvailability::activatable:
      return "activatable";
    case store::JobAvailability::backing_off:
      return "backing_off";
    case store::JobAvailability::out_of_retries:
      return "out_of_retries";
  }
  return "";
}

}  // namespace

std::vector<InstanceInfo> Engine::instances(const InstanceFilter& filter) const {
  store::InstanceQuery query{.process = filter.process,
                             .id = filter.id,
                             .business_id = filter.business_id,
                             .after = key_from(filter.after),
                             .limit = filter.limit};
  if (filter.state) query.state = static_cast<store::InstanceState>(*filter.state);
  std::vector<InstanceInfo> found;
  for (const auto& row : value_or_throw(fresh(*inside().node).instances(query))) {
    found.push_back({.key = number(row.key),
                     .process = row.process,
                     .version = row.version,
                     .state = static_cast<State>(row.state),
                     .id = row.id,
                     .business_id = row.business_id,
                     .started = row.started,
                     .ended = row.ended,
                     .incidents = row.incidents,
                     .execution = row.execution});
  }
  return found;
}

std::vector<JobInfo> Engine::jobs(const std::string& type) const {
  std::vector<JobInfo> found;
  for (const auto& row : value_or_throw(fresh(*inside().node).jobs({.type = type}))) {
    found.push_back({.key = number(row.key),
                     .instance = number(row.instance),
                     .type = row.type,
                     .retries = row.retries,
                     .state = name_of(row.availability)});
  }
  return found;
}

std::vector<IncidentInfo> Engine::incidents(std::uint64_t instance) const {
  std::vector<IncidentInfo> found;
  for (const auto& row : value_or_throw(fresh(*inside().node).incidents(key_from(instance)))) {
    found.push_back({.key = number(row.key),
                     .instance = number(row.instance),
                     .element = row.element_id,
                     .type = row.type,
                     .message = row.message,
                     .at = row.at});
  }
  return found;
}

std::vector<ElementInfo> Engine::elements(std::uint64_t instance) const {
  std::vector<ElementInfo> found;
  for (const auto& row : value_or_throw(fresh(*inside().node).elements(key_from(instance)))) {
    found.push_back({.key = number(row.key),
                     .scope = number(row.scope),
                     .element = row.element_id,
                     .iteration = row.iteration,
                     .body = row.body});
  }
  return found;
}

LoopInfo Engine::loop(std::uint64_t body) const {
  runtime::Node& node = *inside().node;
  const store::LoopReport report = value_or_throw(
      store::loop_report(fresh(node), key_from(body), runtime::find_process(node.definitions())));
  return {.instance = number(report.instance),
          .element = report.element,
          .done = report.progress.done,
          .active = report.progress.active,
          .failed = report.progress.failed,
          .cancelled = report.progress.cancelled,
          .total = report.progress.total};
}

std::string Engine::variables(std::uint64_t instance) const {
  std::vector<Entry> entries;
  for (const auto& row : value_or_throw(fresh(*inside().node).variables(key_from(instance)))) {
    entries.push_back({row.name, row.value});
  }
  return to_json(Value::context(std::move(entries)));
}

std::vector<Happening> Engine::history(std::uint64_t instance) const {
  runtime::Node& node = *inside().node;
  std::vector<Happening> all;
  embed::Happenings happenings(node.definitions(),
                               [](Key, store::Position, const auto&) {});  // it has all of it
  for (const auto& entry : value_or_throw(fresh(node).history(key_from(instance)))) {
    happenings.take(value_or_throw(store::decode_record(entry.bytes)), entry.position,
                    [&](const Happening& one) { all.push_back(one); });
  }
  return all;
}

}  // namespace pawl

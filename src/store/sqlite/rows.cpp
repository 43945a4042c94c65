// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/rows.hpp"

#include <fmt/format.h>

#include "store/element_part.hpp"
#include "store/sqlite/words.hpp"
#include "value/json.hpp"

namespace pawl::store::sqlite {
namespace {

std::uint32_t small(const Statement& row, int at) {
  return static_cast<std::uint32_t>(row.integer(at));
}

// JSON that we wrote. Broken: somebody else changed it.
Result<Value> stored_json(const Statement& row, int at) {
  auto value = parse_json(row.view(at));
  if (value) return value;
  return fail(Whose::machine, Code::store_damaged,
              fmt::format("the index holds a value that is not JSON ({}); `pawl reindex DIR` makes "
                          "it anew",
                          value.error().text));
}

}  // namespace

Result<InstanceRow> read_instance(const Statement& row) {
  return InstanceRow{.key = row.key(0),
                     .process = row.text(1),
                     .version = static_cast<std::int32_t>(row.integer(2)),
                     .definition = row.key(3),
                     .state = instance_state(row.view(4)),
                     .execution = small(row, 5),
                     .id = row.text(6),
                     .business_id = row.text(7),
                     .started = row.instant(8),
                     .ended = row.instant(9),
                     .incidents = small(row, 10),
                     .busy = row.integer(11) != 0,
                     .shard = small(row, 12),
                     .caller = row.key(13),
                     .caller_element = row.key(14),
                     .root = row.key(15),
                     .owes_answer = row.integer(16) != 0};
}

Result<JobRow> read_job(const Statement& row) {
  return JobRow{.key = row.key(0),
                .instance = row.key(1),
                .element = row.key(2),
                .type = row.text(3),
                .retries = static_cast<std::int32_t>(row.integer(4)),
                .priority = static_cast<std::int32_t>(row.integer(5)),
                .availability = job_availability(row.view(6))};
}

Result<TimerRow> read_timer(const Statement& row) {
  return TimerRow{.key = row.key(0),
                  .instance = row.key(1),
                  .due = row.instant(2),
                  .kind = timer_kind(row.view(3))};
}

Result<SubscriptionRow> read_subscription(const Statement& row) {
  return SubscriptionRow{.key = row.key(0),
                         .instance = row.key(1),
                         .kind = mail_kind(row.view(2)),
                         .name = row.text(3),
                         .correlation = row.text(4),
                         .process = row.text(5),
                         .opened = position_from(static_cast<std::uint64_t>(row.integer(6)))};
}

Result<IncidentRow> read_incident(const Statement& row) {
  return IncidentRow{.key = row.key(0),
                     .instance = row.key(1),
                     .element = row.key(2),
                     .element_id = row.text(3),
                     .type = row.text(4),
                     .message = row.text(5),
                     .at = row.instant(6),
                     .job = row.key(7),
                     .subject = row.key(8)};
}

Result<VariableRow> read_variable(const Statement& row) {
  PAWL_TRY(value, stored_json(row, 2));
  return VariableRow{.instance = row.key(0), .name = row.text(1), .value = value};
}

Result<ElementRow> read_element(const Statement& row) {
  return ElementRow{.key = row.key(0),
                    .instance = row.key(1),
                    .scope = row.key(2),
                    .element = static_cast<ElementIndex>(row.integer(3)),
                    .element_id = row.text(4),
                    .iteration = small(row, 5),
                    .body = row.integer(6) == static_cast<std::int64_t>(ElementPart::body)};
}

Result<MessageRow> read_message(const Statement& row) {
  PAWL_TRY(variables, stored_json(row, 5));
  return MessageRow{.message = {.key = row.key(0),
                                .name = Name(row.view(1)),
                                .correlation = row.text(2),
                                .id = row.text(3),
                                .expires = row.instant(4),
                                .variables = variables}};
}

Result<SignalRow> read_signal(const Statement& row) {
  PAWL_TRY(variables, stored_json(row, 2));
  return SignalRow{.signal = {.key = row.key(0), .name = Name(row.view(1)), .variables = variables},
                   .position = position_from(static_cast<std::uint64_t>(row.integer(3)))};
}

Result<DefinitionRow> read_definition(const Statement& row) {
  return DefinitionRow{.process = {.key = row.key(0),
                                   .id = row.text(1),
                                   .version = static_cast<std::int32_t>(row.integer(2)),
                                   .resource = row.key(3),
                                   .deployment = row.key(6)},
                       .resource_name = row.text(4),
                       .checksum = row.text(5)};
}

Result<Key> read_key(const Statement& row) { return row.key(0); }
Result<std::string> read_text(const Statement& row) { return row.text(0); }
Result<std::int64_t> read_integer(const Statement& row) { return row.integer(0); }

}  // namespace pawl::store::sqlite

// SPDX-License-Identifier: Apache-2.0
#include "script/messages.hpp"

#include "base/limits.hpp"
#include "script/wire.hpp"

namespace pawl::script {
namespace {

constexpr std::size_t any_number = limits::script_order_bytes;  // of bytes, or of items
constexpr std::size_t sentence_bytes = 2 * limits::message_bytes;

// --- out ----------------------------------------------------------------------------------------

void write_outcome(WireWriter& to, const Outcome& outcome) {
  to.value(outcome.value);
  to.number(outcome.assigned.size());
  for (const auto& [name, value] : outcome.assigned) {
    to.text(name);
    to.value(value);
  }
}

void write_optional(WireWriter& to, const std::optional<Value>& value) {
  to.byte(value ? 1 : 0);
  if (value) to.value(*value);
}

void write_error(WireWriter& to, const Error& error) {
  to.number(static_cast<std::uint64_t>(error.code));
  to.text(error.text);
}

struct WriteOrder {
  WireWriter& to;

  void operator()(const RunProgram& order) const {
    to.number(order.program);
    to.byte(static_cast<std::uint8_t>(order.mode));
    to.number(static_cast<std::uint64_t>(order.now.time_since_epoch().count()));
    to.number(order.seed);
    to.number(static_cast<std::uint64_t>(order.millis));
    to.number(order.heap_bytes);
    to.number(order.variables.size());
    for (const auto& [name, value] : order.variables) {
      to.text(name);
      write_optional(to, value);
    }
  }
  void operator()(const CheckProgram& order) const {
    to.number(order.program);
    to.byte(static_cast<std::uint8_t>(order.mode));
    to.text(order.text);
  }
  void operator()(const Source& order) const { to.text(order.text); }
  void operator()(const Variable& order) const {
    to.text(order.trouble);
    write_optional(to, order.value);
  }
};

struct WriteReport {
  WireWriter& to;

  void operator()(const Ready& report) const { to.text(report.trouble); }
  void operator()(const NeedSource&) const {}
  void operator()(const NeedVariable& report) const { to.text(report.name); }
  void operator()(const Done& report) const { write_outcome(to, report.outcome); }
  void operator()(const Failed& report) const {
    write_error(to, report.failure.error);
    to.byte(report.failure.error_code ? 1 : 0);
    if (report.failure.error_code) to.text(*report.failure.error_code);
  }
  void operator()(const Checked& report) const {
    to.byte(report.error ? 1 : 0);
    if (report.error) write_error(to, *report.error);
  }
};

// --- in -----------------------------------------------------------------------------------------

Program::Mode read_mode(WireReader& from) {
  return from.byte() == static_cast<std::uint8_t>(Program::Mode::expression)
             ? Program::Mode::expression
             : Program::Mode::statements;
}

std::optional<Value> read_optional(WireReader& from) {
  if (from.byte() == 0) return std::nullopt;
  return from.value();
}

RunProgram read_run(WireReader& from) {
  RunProgram order;
  order.program = from.number();
  order.mode = read_mode(from);
  order.now = Instant(Millis(static_cast<std::int64_t>(from.number())));
  order.seed = from.number();
  order.millis = static_cast<int>(from.number());
  order.heap_bytes = static_cast<std::uint32_t>(from.number());
  for (std::uint64_t left = from.number(); left > 0 && from.is_fine(); --left) {
    std::string name(from.text(limits::script_name_bytes));
    order.variables.emplace_back(std::move(name), read_optional(from));
  }
  return order;
}

CheckProgram read_check(WireReader& from) {
  CheckProgram order;
  order.program = from.number();
  order.mode = read_mode(from);
  order.text = from.text(limits::script_source_bytes);
  return order;
}

Variable read_variable(WireReader& from) {
  Variable order;
  order.trouble = from.text(any_number);
  order.value = read_optional(from);
  return order;
}

Done read_done(WireReader& from) {
  Done report;
  report.outcome.value = from.value();
  const std::uint64_t count = from.number();
  if (count > limits::script_names) from.refuse();
  for (std::uint64_t i = 0; i < count && from.is_fine(); ++i) {
    std::string name(from.text(limits::script_name_bytes));
    report.outcome.assigned.emplace_back(std::move(name), from.value());
  }
  return report;
}

// Who has to act is not the helper's to say.
Error read_error(WireReader& from, Whose whose, Code usual) {
  const std::uint64_t code = from.number();
  std::string text(from.text(sentence_bytes));
  const bool is_budget = code == static_cast<std::uint64_t>(Code::budget_exceeded);
  return fail(whose, is_budget ? Code::budget_exceeded : usual, std::move(text));
}

Failed read_failed(WireReader& from) {
  Failed report;
  report.failure.error = read_error(from, Whose::operators, Code::script_failed);
  if (from.byte() != 0) report.failure.error_code = from.text(limits::message_bytes);
  return report;
}

Checked read_checked(WireReader& from) {
  Checked report;
  if (from.byte() != 0) report.error = read_error(from, Whose::caller, Code::bad_expression);
  return report;
}

template <class Message, class Write>
std::string written(const Message& message) {
  WireWriter to;
  to.byte(static_cast<std::uint8_t>(message.index()));
  std::visit(Write{to}, message);
  return to.take();
}

}  // namespace

std::string to_bytes(const Order& order) { return written<Order, WriteOrder>(order); }

std::string to_bytes(const Report& report) { return written<Report, WriteReport>(report); }

// The first byte is the place of the message in its variant.
std::optional<Order> order_from(std::string_view bytes) {
  WireReader from(bytes, any_number);
  std::optional<Order> order;
  switch (from.byte()) {
    case 0:
      order = read_run(from);
      break;
    case 1:
      order = read_check(from);
      break;
    case 2:
      order = Source{std::string(from.text(limits::script_source_bytes))};
      break;
    case 3:
      order = read_variable(from);
      break;
    default:
      return std::nullopt;
  }
  return from.is_done() ? std::move(order) : std::nullopt;
}

std::optional<Report> report_from(std::string_view bytes) {
  WireReader from(bytes, 2 * limits::script_result_items);  // its value, and its results together
  std::optional<Report> report;
  switch (from.byte()) {
    case 0:
      report = Ready{std::string(from.text(sentence_bytes))};
      break;
    case 1:
      report = NeedSource{};
      break;
    case 2:
      report = NeedVariable{std::string(from.text(limits::script_name_bytes))};
      break;
    case 3:
      report = read_done(from);
      break;
    case 4:
      report = read_failed(from);
      break;
    case 5:
      report = read_checked(from);
      break;
    default:
      return std::nullopt;
  }
  return from.is_done() ? std::move(report) : std::nullopt;
}

}  // namespace pawl::script

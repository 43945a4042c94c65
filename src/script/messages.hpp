// SPDX-License-Identifier: Apache-2.0
// What a program and its script helper say to each other. The program asks, and answers what the
// helper wants to know meanwhile; exactly one of the two speaks at a time.
//
//   program                              helper
//                                   ◀──  Ready, once
//   RunProgram                      ──▶
//                                   ◀──  NeedSource, if it does not know the program
//   Source                          ──▶
//                                   ◀──  NeedVariable, for each that the script touches and that
//                                        was not sent with the order
//   Variable                        ──▶
//                                   ◀──  Done or Failed
//   CheckProgram                    ──▶
//                                   ◀──  Checked
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "script/script.hpp"

namespace pawl::script {

// From the program.
struct RunProgram {
  std::uint64_t program{0};
  Program::Mode mode{Program::Mode::statements};
  Instant now{};
  std::uint64_t seed{0};
  int millis{0};
  std::uint32_t heap_bytes{0};
  // What it will most likely ask for; a name without a value is one that there is not.
  std::vector<std::pair<std::string, std::optional<Value>>> variables{};
};
struct CheckProgram {
  std::uint64_t program{0};
  Program::Mode mode{Program::Mode::statements};
  std::string text{};
};
struct Source {
  std::string text{};
};
struct Variable {
  std::optional<Value> value{};
  std::string trouble{};  // why it cannot be read; empty: it can
};
using Order = std::variant<RunProgram, CheckProgram, Source, Variable>;

// From the helper.
struct Ready {
  std::string trouble{};  // why it must not run scripts; empty: it may
};
struct NeedSource {};
struct NeedVariable {
  std::string name{};
};
struct Done {
  Outcome outcome{};
};
struct Failed {
  Failure failure{};
};
struct Checked {
  std::optional<Error> error{};
};
using Report = std::variant<Ready, NeedSource, NeedVariable, Done, Failed, Checked>;

std::string to_bytes(const Order& order);
std::string to_bytes(const Report& report);

// Nothing: the bytes make no sense. An order is trusted, a report is not: whatever it says, what
// comes out is within the limits of a script.
std::optional<Order> order_from(std::string_view bytes);
std::optional<Report> report_from(std::string_view bytes);

}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
// What a script was given and what it gave back: one slot per variable name it has touched. A
// variable is converted when it is first asked for, and only then.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "script/convert.hpp"
#include "script/engine.hpp"
#include "script/script.hpp"

namespace pawl::script {

class Handover {
 public:
  Handover(JSContext* cx, const Variables* variables) : variables_(variables), values_(cx) {}

  // The variable as the script sees it now. False: an exception is pending.
  bool get(JSContext* cx, std::string_view name, JS::MutableHandleValue out, bool* found);
  bool set(JSContext* cx, std::string_view name, JS::HandleValue value);
  bool has(JSContext* cx, std::string_view name, bool* found);
  const std::vector<std::string>& touched() const { return names_; }

  // The assigned variables in order of first assignment, then those that were changed in place.
  // The error names the variable.
  using Results = std::vector<std::pair<std::string, Value>>;
  std::variant<Results, Unconvertible> results(JSContext* cx);

 private:
  struct Slot {
    Value given{};  // as the script would give it back if it changed nothing
    bool exists{false};
    bool assigned{false};
  };

  // Index of the slot, or npos with an exception pending.
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  std::size_t slot_of(JSContext* cx, std::string_view name);
  std::size_t new_slot(JSContext* cx, std::string_view name, Slot slot, JS::HandleValue value);
  // The value of a slot, if it is a result.
  std::variant<std::optional<Value>, Unconvertible> result_of(JSContext* cx, std::size_t index,
                                                              Allowance& left);
  static bool hand_out(JSContext* cx, const Value& value, Slot& slot, JS::MutableHandleValue out);

  const Variables* variables_;
  std::map<std::string, std::size_t, std::less<>> by_name_{};
  std::vector<std::string> names_{};  // in order of first touch
  std::vector<Slot> slots_{};
  std::vector<std::size_t> assigned_{};  // in order of first assignment
  JS::PersistentRooted<JS::GCVector<JS::Value, 8, js::SystemAllocPolicy>> values_;
};

}  // namespace pawl::script

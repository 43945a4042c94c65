// SPDX-License-Identifier: Apache-2.0
#include "script/handover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/limits.hpp"

namespace pawl::script {
namespace {

// Exceptions must not pass through the engine's frames; it is not compiled for them.
bool find_variable(JSContext* cx, const Variables* variables, std::string_view name,
                   std::optional<Value>& out) {
  try {
    if (variables != nullptr) out = variables->find(name);
    return true;
  } catch (const std::exception& error) {
    JS_ReportErrorUTF8(cx, "variable \"%.*s\" could not be read: %s", static_cast<int>(name.size()),
                       name.data(), error.what());
    return false;
  }
}

}  // namespace

bool Handover::hand_out(JSContext* cx, const Value& value, Slot& slot, JS::MutableHandleValue out) {
  bool lossy = false;
  if (!to_script(cx, value, out, &lossy)) return false;
  slot.exists = true;
  if (!out.isObject()) return true;
  slot.given = storable(value);
  if (!lossy) return true;
  // Some number lost digits on the way; the comparison at the end must not take that for a change.
  Allowance left;
  auto back = from_script(cx, out, left);
  if (auto* given = std::get_if<Value>(&back)) slot.given = std::move(*given);
  return true;
}

std::size_t Handover::new_slot(JSContext* cx, std::string_view name, Slot slot,
                               JS::HandleValue value) {
  if (names_.size() >= limits::script_names) {
    JS_ReportErrorASCII(cx, "the script touches more than %zu variables", limits::script_names);
    return npos;
  }
  if (!values_.append(value)) {
    JS_ReportOutOfMemory(cx);
    return npos;
  }
  slots_.push_back(std::move(slot));
  names_.emplace_back(name);
  by_name_.emplace(name, slots_.size() - 1);
  return slots_.size() - 1;
}

std::size_t Handover::slot_of(JSContext* cx, std::string_view name) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  std::optional<Value> variable;
  if (!find_variable(cx, variables_, name, variable)) return npos;
  Slot slot;
  JS::RootedValue value(cx, JS::UndefinedValue());
  if (variable && !hand_out(cx, *variable, slot, &value)) return npos;
  return new_slot(cx, name, std::move(slot), value);
}

bool Handover::get(JSContext* cx, std::string_view name, JS::MutableHandleValue out, bool* found) {
  const std::size_t index = slot_of(cx, name);
  if (index == npos) return false;
  *found = slots_[index].exists;
  out.set(values_[index]);
  return true;
}

bool Handover::has(JSContext* cx, std::string_view name, bool* found) {
  JS::RootedValue ignored(cx);
  return get(cx, name, &ignored, found);
}

bool Handover::set(JSContext* cx, std::string_view name, JS::HandleValue value) {
  const auto known = by_name_.find(name);
  const std::size_t index =
      known != by_name_.end() ? known->second : new_slot(cx, name, Slot{}, value);
  if (index == npos) return false;
  Slot& slot = slots_[index];
  if (!slot.assigned) assigned_.push_back(index);
  slot.assigned = true;
  slot.exists = true;
  values_[index].set(value);
  return true;
}

std::variant<std::optional<Value>, Unconvertible> Handover::result_of(JSContext* cx,
                                                                      std::size_t index,
                                                                      Allowance& left) {
  JS::RootedValue value(cx, values_[index]);
  Allowance own;  // much of what is only read is large, and not given back
  auto converted = from_script(cx, value, own);
  if (auto* reason = std::get_if<Unconvertible>(&converted)) return std::move(*reason);
  Value& now = std::get<Value>(converted);
  if (!slots_[index].assigned && now == slots_[index].given) return std::nullopt;
  own.bytes -= std::min(own.bytes, names_[index].size());
  if (left.take(own)) return std::move(now);
  return Unconvertible{fmt::format("is too large: all results together have more than {} items, or "
                                   "{} bytes of text",
                                   limits::script_result_items, limits::script_result_bytes),
                       false};
}

std::variant<Handover::Results, Unconvertible> Handover::results(JSContext* cx) {
  std::vector<std::size_t> indexes = assigned_;
  for (std::size_t index = 0; index < slots_.size(); ++index) {
    if (!slots_[index].assigned && values_[index].isObject()) indexes.push_back(index);
  }
  Results results;
  Allowance left;
  for (const std::size_t index : indexes) {
    auto result = result_of(cx, index, left);
    if (auto* reason = std::get_if<Unconvertible>(&result)) {
      reason->text = fmt::format("variable \"{}\" {}", names_[index], reason->text);
      return std::move(*reason);
    }
    auto& value = std::get<std::optional<Value>>(result);
    if (value) results.emplace_back(names_[index], std::move(*value));
  }
  return results;
}

}  // namespace pawl::script

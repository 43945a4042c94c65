// SPDX-License-Identifier: Apache-2.0
#include "script/handover.hpp"

#include <fmt/format.h>

#include <exception>

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
  auto back = from_script(cx, out);
  if (auto* given = std::get_if<Value>(&back)) slot.given = std::move(*given);
  return true;
}

std::size_t Handover::new_slot(JSContext* cx, std::string_view name, Slot slot,
                               JS::HandleValue value) {
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

std::variant<Handover::Results, Unconvertible> Handover::results(JSContext* cx) {
  Results results;
  const auto refused = [this](std::size_t index, Unconvertible reason) {
    reason.text = fmt::format("variable \"{}\" {}", names_[index], reason.text);
    return reason;
  };
  JS::RootedValue value(cx);
  for (const std::size_t index : assigned_) {
    value = values_[index];
    auto converted = from_script(cx, value);
    if (auto* reason = std::get_if<Unconvertible>(&converted)) return refused(index, *reason);
    results.emplace_back(names_[index], std::move(std::get<Value>(converted)));
  }
  for (std::size_t index = 0; index < slots_.size(); ++index) {
    value = values_[index];
    if (slots_[index].assigned || !value.isObject()) continue;
    auto converted = from_script(cx, value);
    if (auto* reason = std::get_if<Unconvertible>(&converted)) return refused(index, *reason);
    Value& now = std::get<Value>(converted);
    if (now != slots_[index].given) results.emplace_back(names_[index], std::move(now));
  }
  return results;
}

}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "feel/builtins/builtins.hpp"

namespace pawl::feel {
namespace {

Value get_value(Call& call) {
  const Value* found = call.machine.find(call[0], call.text(1));
  return found != nullptr ? *found : call.refuse(fmt::format("no entry {}", preview(call[1], 40)));
}

Value get_value_by_path(Call& call) {
  const Value* at = &call[0];
  if (call.list(1).empty()) return call.refuse("the list of keys is empty");
  for (const auto& key : call.list(1)) {
    call.machine.charge(1, cost::item);
    if (!key.is_string()) return call.refuse("every key must be a string");
    at = call.machine.find(*at, key.as_string());
    if (at == nullptr) return call.refuse(fmt::format("no entry {}", preview(key, 40)));
  }
  return *at;
}

Value get_entries(Call& call) {
  Machine& machine = call.machine;
  List made;
  for (const auto& entry : call[0].entries()) {
    machine.charge(2, cost::entry);
    machine.take(2 * cost::entry_bytes + cost::node_bytes);
    Value key = machine.text(entry.key);
    machine.append(made, object({{"key", std::move(key)}, {"value", entry.value}}));
  }
  return made;
}

// The entry added to those of the context, or put in the place of the one with its key.
Value with_entry(Call& call, const Value& context, std::string_view key, Value value) {
  Machine& machine = call.machine;
  std::vector<Entry> entries;
  for (const auto& entry : context.entries()) {
    machine.charge(1, cost::entry);
    machine.append(entries, entry.key, entry.value);
  }
  machine.append(entries, key,
                 std::move(value));  // of two the last one wins, at the first one's place
  return machine.context_of(std::move(entries));
}

Value context_of(Call& call) {
  std::vector<Entry> entries;
  for (const auto& item : call.list(0)) {
    call.machine.charge(1, cost::entry);
    const Value* key = call.machine.find(item, "key");
    const Value* value = call.machine.find(item, "value");
    if (key == nullptr || !key->is_string() || value == nullptr) {
      return call.refuse("every entry needs a \"key\" that is a string, and a \"value\"");
    }
    call.machine.append(entries, key->as_string(), *value);
  }
  const std::size_t count = entries.size();
  Value made = call.machine.context_of(std::move(entries));
  if (made.entries().size() != count) return call.refuse("two entries have the same key");
  return made;
}

Value put(Call& call) { return with_entry(call, call[0], call.text(1), call[2]); }

// Contexts on the way that are missing are made.
Value put_at(Call& call, const Value& context, std::size_t level) {
  const Machine::Level deeper(call.machine);
  const List& keys = call.list(1);
  if (!keys[level].is_string()) return call.refuse("every key must be a string");
  const std::string_view key = keys[level].as_string();
  if (level + 1 == keys.size()) return with_entry(call, context, key, call[2]);
  const Value* inner = call.machine.find(context, key);
  if (inner != nullptr && !inner->is_context()) {
    return call.refuse(fmt::format("the entry {} is no context", preview(keys[level], 40)));
  }
  Value changed = put_at(call, inner != nullptr ? *inner : object({}), level + 1);
  return changed.is_null() ? changed : with_entry(call, context, key, std::move(changed));
}

Value put_by_path(Call& call) {
  if (call.list(1).empty()) return call.refuse("the list of keys is empty");
  return put_at(call, call[0], 0);
}

Value merge(Call& call) {
  std::vector<Entry> entries;
  for (const auto& item : call.list(0)) {
    if (!item.is_context()) return call.refuse(fmt::format("{} is no context", preview(item, 40)));
    for (const auto& entry : item.entries()) {
      call.machine.charge(1, cost::entry);
      call.machine.append(entries, entry.key, entry.value);
    }
  }
  return call.machine.context_of(std::move(entries));
}

constexpr Builtin context_table[] = {
    {"get value(m|context: context, key: string)", get_value},
    {"get value(context|m: context, keys: list)", get_value_by_path},
    {"get entries(m|context: context)", get_entries},
    {"context(entries: list)", context_of},
    {"context put(context: context, key: string, value: any?)", put},
    {"context put(context: context, keys: list, value: any?)", put_by_path},
    {"put(context: context, key: string, value: any?)", put},
    {"put(context: context, keys: list, value: any?)", put_by_path},
    {"context merge(contexts: list...)", merge},
    {"put all(contexts: list...)", merge},
};

}  // namespace

std::span<const Builtin> context_builtins() { return context_table; }

}  // namespace pawl::feel

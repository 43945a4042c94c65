// SPDX-License-Identifier: Apache-2.0
#include "runtime/names.hpp"

namespace pawl::runtime {

using store::InstanceState;

Result<std::optional<NameHolder>> Names::find_indexed(const InstanceName& name, bool ended_too,
                                                      Key but) const {
  // One that was called has no name of its own: its caller may have given it the same.
  store::InstanceQuery query{.roots = true, .newest_first = true, .limit = 2};
  query.process = name.process;
  (name.process.empty() ? query.id : query.business_id) = name.text;
  query.state = InstanceState::active;
  PAWL_TRY(active, index_.instances(query));
  for (const store::InstanceRow& row : active) {
    if (row.key != but) return std::optional(NameHolder{row.key, true});
  }
  if (!ended_too) return std::optional<NameHolder>();
  query.state.reset();
  PAWL_TRY(ended, index_.instances(query));
  if (ended.empty()) return std::optional<NameHolder>();
  return std::optional(NameHolder{ended.front().key, false});
}

Result<std::optional<NameHolder>> Names::take(const InstanceName& name, Key instance,
                                              bool from_ended_too) {
  const std::lock_guard lock(mutex_);
  forget_indexed();
  const auto known = recent_.find(name);
  if (known != recent_.end() && known->second.active) {
    return std::optional(NameHolder{known->second.instance, true});
  }
  // The index may still take the last holder for active.
  const Key last = known == recent_.end() ? Key::none : known->second.instance;
  PAWL_TRY(indexed, find_indexed(name, from_ended_too, last));
  if (indexed && indexed->active) return indexed;
  if (from_ended_too && last != Key::none) return std::optional(NameHolder{last, false});
  if (indexed) return indexed;
  recent_[name] = {.instance = instance};
  return std::optional<NameHolder>();
}

void Names::release(const InstanceName& name, Key instance, store::Position at) {
  const std::lock_guard lock(mutex_);
  const auto known = recent_.find(name);
  if (known != recent_.end() && known->second.instance != instance && known->second.active) return;
  if (at == store::Position::none) {
    if (known != recent_.end() && known->second.instance == instance) recent_.erase(known);
    return;
  }
  recent_[name] = {.instance = instance, .active = false, .at = at};
}

void Names::settle(const InstanceName& name, Key instance, store::Position at) {
  const std::lock_guard lock(mutex_);
  const auto known = recent_.find(name);
  if (known != recent_.end() && known->second.instance == instance) known->second.at = at;
}

void Names::forget_indexed() {
  if (recent_.size() < forget_at_) return;
  const store::Position applied = index_.applied();
  std::erase_if(recent_, [&](const auto& one) {
    return one.second.at != store::Position::none && one.second.at <= applied;
  });
  forget_at_ = std::max<std::size_t>(1'000, recent_.size() * 2);
}

}  // namespace pawl::runtime

// SPDX-License-Identifier: Apache-2.0
#include "runtime/names.hpp"

namespace pawl::runtime {

Result<std::optional<Key>> Names::take(const InstanceName& name, Key instance) {
  const std::lock_guard lock(mutex_);
  forget_indexed();
  const auto known = recent_.find(name);
  if (known != recent_.end()) {
    if (known->second.active) return std::optional<Key>(known->second.instance);
    known->second = {.instance = instance};
    return std::optional<Key>();
  }
  store::InstanceQuery query{.state = store::InstanceState::active, .limit = 1};
  query.process = name.process;
  (name.process.empty() ? query.id : query.business_id) = name.text;
  PAWL_TRY(rows, index_.instances(query));
  if (!rows.empty()) return std::optional<Key>(rows.front().key);
  recent_[name] = {.instance = instance};
  return std::optional<Key>();
}

void Names::release(const InstanceName& name, Key instance, store::Position at) {
  const std::lock_guard lock(mutex_);
  const auto known = recent_.find(name);
  if (known != recent_.end() && known->second.instance != instance && known->second.active) return;
  if (at == store::Position::none) {
    if (known != recent_.end() && known->second.instance == instance) recent_.erase(known);
    return;
  }
  // The index may still say that it is active.
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

// SPDX-License-Identifier: Apache-2.0
#include "runtime/residents.hpp"

namespace pawl::runtime {

Resident* Residents::find(Key instance) {
  const auto found = residents_.find(instance);
  if (found == residents_.end()) return nullptr;
  by_use_.splice(by_use_.end(), by_use_, found->second->place);
  return found->second.get();
}

Resident* Residents::peek(Key instance) {
  const auto found = residents_.find(instance);
  return found == residents_.end() ? nullptr : found->second.get();
}

Resident& Residents::add(Key instance, std::unique_ptr<Resident> resident) {
  resident->place = by_use_.insert(by_use_.end(), instance);
  Resident& added = *(residents_[instance] = std::move(resident));
  weigh(added);
  return added;
}

void Residents::remove(Key instance) {
  const auto found = residents_.find(instance);
  if (found == residents_.end()) return;
  bytes_ -= found->second->cost;
  by_use_.erase(found->second->place);
  residents_.erase(found);
}

void Residents::clear() {
  residents_.clear();
  by_use_.clear();
  bytes_ = 0;
}

// The variables are the part that is not counted exactly: what was stored of them stands for them.
void Residents::weigh(Resident& resident) {
  constexpr std::size_t fixed = sizeof(Resident) + 1'200;  // maps, deques, list node, allocator
  constexpr std::size_t per_element = sizeof(engine::ElementInstance) + 100;
  const std::size_t cost = fixed + resident.state.slots.size() * per_element + resident.tail_bytes +
                           resident.snapshot_bytes;
  bytes_ += cost - resident.cost;
  resident.cost = cost;
}

std::vector<Key> Residents::oldest(std::size_t most) const {
  std::vector<Key> keys;
  for (const Key key : by_use_) {
    if (keys.size() == most) break;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace pawl::runtime

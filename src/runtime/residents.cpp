// SPDX-License-Identifier: Apache-2.0
#include "runtime/residents.hpp"

namespace pawl::runtime {

using engine::Slot;

void Residents::link(Resident& resident) {
  resident.used = now_;
  resident.older = newest_;
  resident.newer = nullptr;
  (newest_ ? newest_->newer : oldest_) = &resident;
  newest_ = &resident;
}

void Residents::unlink(Resident& resident) {
  (resident.older ? resident.older->newer : oldest_) = resident.newer;
  (resident.newer ? resident.newer->older : newest_) = resident.older;
}

Resident* Residents::find(Key instance) {
  const Slot slot = place_of_.find(instance);
  if (slot == Slot::none) return nullptr;
  Resident& found = *places_[number(slot)];
  found.used = now_;
  if (&found == newest_) return &found;
  unlink(found);
  link(found);
  return &found;
}

Resident& Residents::add(Key instance, std::unique_ptr<Resident> resident) {
  Slot slot = static_cast<Slot>(places_.size());
  if (free_.empty()) {
    places_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  place_of_.insert(instance, slot);
  Resident& added = *(places_[number(slot)] = std::move(resident));
  added.key = instance;
  added.life = ++lives_;
  link(added);
  weigh(added);
  return added;
}

void Residents::remove(Key instance) {
  const Slot slot = place_of_.find(instance);
  if (slot == Slot::none) return;
  Resident& going = *places_[number(slot)];
  bytes_ -= going.cost;
  unlink(going);
  place_of_.erase(instance);
  free_.push_back(slot);
  places_[number(slot)].reset();
}

void Residents::weigh(Resident& resident) {
  constexpr std::size_t fixed = sizeof(Resident) + 400;  // maps, variables, allocator
  constexpr std::size_t per_element = sizeof(engine::ElementInstance) + 100;
  constexpr std::size_t per_byte = 2;  // of a value as stored
  if (resident.away) return;           // when it is back
  const std::size_t cost =
      fixed + resident.state.slots.size() * per_element + resident.state.value_bytes * per_byte;
  bytes_ += cost - resident.cost;
  resident.cost = cost;
}

}  // namespace pawl::runtime

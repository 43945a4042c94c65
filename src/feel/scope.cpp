// SPDX-License-Identifier: Apache-2.0
#include "feel/scope.hpp"

namespace pawl::feel {

void Activation::open() { scopes_.emplace_back(); }

void Activation::open_filter(std::uint32_t slot) {
  filters_.push_back(scopes_.size());
  scopes_.push_back({slot, {}});
  bind("item", slot);
}

void Activation::close() {
  for (const auto& name : scopes_.back().names) {
    const auto found = binders_.find(name);
    found->second.pop_back();
    if (found->second.empty()) binders_.erase(found);
  }
  if (scopes_.back().filter_slot != none) filters_.pop_back();
  scopes_.pop_back();
}

void Activation::bind(std::string name, std::uint32_t slot) {
  binders_[name].push_back({scopes_.size() - 1, slot});
  scopes_.back().names.push_back(std::move(name));
}

std::uint32_t Activation::captured(std::uint32_t outer_slot) {
  constexpr std::uint64_t work_of_capture = 8;
  const auto [place, is_new] = captured_.try_emplace(outer_slot, slots_);
  if (is_new) captures_.push_back({outer_slot, new_slot()});
  work_ += is_new ? work_of_capture : 1;
  return place->second;
}

Resolution Activation::resolve(std::string_view name) {
  Resolution found;
  ++work_;
  const auto binder = binders_.find(name);
  const bool is_bound = binder != binders_.end();
  // Only filters at or inside of the scope that binds the name are asked before it.
  for (std::size_t i = filters_.size(); i-- > 0;) {
    if (is_bound && filters_[i] < binder->second.back().scope) break;
    found.filters.push_back(scopes_[filters_[i]].filter_slot);
  }
  work_ += found.filters.size() / 4;
  if (is_bound) {
    found.slot = binder->second.back().slot;
    return found;
  }
  if (outer_ == nullptr) return found;
  const Resolution outside = outer_->resolve(name);
  for (const auto slot : outside.filters) found.filters.push_back(captured(slot));
  if (outside.slot != none) found.slot = captured(outside.slot);
  return found;
}

bool Activation::may_be_bound(std::string_view name) const {
  ++work_;
  if (!filters_.empty() || binders_.find(name) != binders_.end()) return true;
  return outer_ != nullptr && outer_->may_be_bound(name);
}

}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
// What a folded window does to one table: the keys of rows that go, and the rows that are there.
#pragma once

#include <algorithm>
#include <vector>

#include "store/sqlite/window.hpp"

namespace pawl::store::sqlite {

// In the order of their keys: neighbours are on the same page.
template <class Change>
void sort_by_key(std::vector<Change*>& changes) {
  const auto by_key = [](const Change* a, const Change* b) { return a->key < b->key; };
  if (std::is_sorted(changes.begin(), changes.end(), by_key)) return;
  std::sort(changes.begin(), changes.end(), by_key);
}

template <class Change>
std::vector<Change*> sorted(Changes<Change>& changes) {
  std::vector<Change*> all;
  all.reserve(changes.all().size());
  for (Change& change : changes.all()) all.push_back(&change);
  sort_by_key(all);
  return all;
}

// What a window does to one table. Most changes leave nothing and are in neither.
template <class Change>
struct Outcome {
  std::vector<Key> gone{};
  std::vector<Change*> there{};
};

template <class Change>
Outcome<Change> outcome_of(Window& window, Changes<Change>& changes) {
  Outcome<Change> outcome;
  for (Change& change : changes.all()) {
    if (stays(window, change)) {
      outcome.there.push_back(&change);
    } else if (change.stored) {
      outcome.gone.push_back(change.key);
    }
  }
  std::sort(outcome.gone.begin(), outcome.gone.end());
  sort_by_key(outcome.there);
  return outcome;
}

}  // namespace pawl::store::sqlite

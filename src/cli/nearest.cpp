// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/limits.hpp"

namespace pawl::cli {
namespace {

using Row = std::array<std::size_t, limits::hint_bytes + 1>;

// Letters to insert, remove, replace or swap with their neighbour to get from a to b.
std::size_t distance(std::string_view a, std::string_view b) {
  Row before_last{};
  Row last{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    Row row{};
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> known) {
  if (typed.empty() || typed.size() > limits::hint_bytes) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string_view word : known) {
    if (word.size() > limits::hint_bytes) continue;
    const std::size_t changes = distance(typed, word);
    if (changes < least) {
      least = changes;
      best = word;
    }
  }
  return best;
}

}  // namespace pawl::cli

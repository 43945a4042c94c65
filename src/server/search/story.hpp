// SPDX-License-Identifier: Apache-2.0
// Story: all that was ever in one process instance, folded from its history into rows: also what
// has ended and what the index does not keep. Rows of what is open have the same words as those of
// the index.
#pragma once

#include <map>
#include <vector>

#include "engine/events.hpp"
#include "server/search/models.hpp"
#include "store/index.hpp"
#include "store/selection.hpp"

namespace pawl::server {

struct Story {
  std::vector<store::Cells> elements{};  // without the root
  std::vector<store::Cells> variables{};
  std::vector<store::Cells> incidents{};
  std::vector<store::Cells> jobs{};
  std::vector<store::Cells> subscriptions{};
  struct Taken {
    Key definition{Key::none};
    FlowIndex flow{FlowIndex::none};
  };
  std::vector<Taken> flows{};                              // in order
  std::map<Key, std::vector<std::size_t>> variables_at{};  // by scope: places in `variables`

  const std::vector<store::Cells>& rows(store::Table table) const;
  const store::Cells* find(store::Table table, Key key) const;  // by its key
};

Result<Story> fold(std::span<const store::HistoryEntry> history, Key instance, Models& models);

}  // namespace pawl::server

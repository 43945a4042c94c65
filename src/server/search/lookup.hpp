// SPDX-License-Identifier: Apache-2.0
// Lookup: finds the rows that a query asks for: in the index if it keeps what is asked, else in the
// histories of the instances in question, as far as they are not too long. For one request.
#pragma once

#include "server/search/models.hpp"
#include "server/search/request.hpp"
#include "server/search/story.hpp"

namespace pawl::server {

class Lookup {
 public:
  explicit Lookup(const Sources& sources) : sources_(sources), models_(sources.definitions) {}

  // Errors: invalid_argument if it would have to read too much, or asks for what has ended without
  // naming the process instance.
  Result<store::Selected> find(const Query& query);
  // Adds to rows of the index what only models and histories know.
  Result<void> complete(store::Table table, std::vector<store::Cells>& rows);

  // The instance that something belongs to or belonged to; none if nobody knows it.
  Result<Key> instance_of(Key key);
  // Null if its history is too long for this request.
  Result<Story*> story_of(Key instance);
  Error too_long(Key instance) const;
  Models& models() { return models_; }

 private:
  Result<store::Selected> find_definitions(const Query& query);
  Result<store::Selected> find_instances(const Query& query);
  Result<store::Selected> find_in(Key instance, const Query& query);
  Result<store::Selected> find_among_open(const Query& query);
  Result<std::vector<store::Cells>> rows_of(Key instance, store::Table table, Story& story);
  void complete_definition(store::Cells& row);
  store::Selected choose(std::vector<store::Cells> rows, const Query& query);
  std::vector<store::Cells> related_rows(const store::Cells& row, const store::Related& related);
  Result<std::optional<Key>> named_instance(const store::Selection& selection);

  const Sources& sources_;
  Models models_;
  std::map<Key, Story> stories_{};
  std::size_t bytes_{0};  // of histories that were read
};

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
// Models: what the deployed models say about rows: names, types of elements, headers of jobs. For
// one request on one thread: it remembers the models that it has seen.
#pragma once

#include <map>

#include "runtime/definition.hpp"
#include "store/selection.hpp"

namespace pawl::server {

class Models {
 public:
  explicit Models(const runtime::Definitions& definitions) : definitions_(definitions) {}
  Models(const Models&) = delete;
  Models& operator=(const Models&) = delete;

  // Null if it is not known, or its file can no longer be read.
  const model::Process* find(Key definition);
  // "SERVICE_TASK", as clients know it.
  store::Cell fact(Key definition, ElementIndex element, bool body, store::Fact fact);
  store::Facts facts();  // as long as this lives

  // Fills the cells that come from the model, by `definition`, `element_index` and `body`.
  void complete(store::Table table, store::Cells& row);

 private:
  const model::Element* find(Key definition, ElementIndex element);
  void complete_job(store::Cells& row, const model::Element& element);

  const runtime::Definitions& definitions_;
  std::map<Key, runtime::DefinitionPtr> seen_{};
};

}  // namespace pawl::server

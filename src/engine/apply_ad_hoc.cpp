// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_ad_hoc.hpp"

namespace pawl::engine {

AdHoc& remember_path(ElementInstance& ad_hoc) {
  if (!ad_hoc.ad_hoc) ad_hoc.ad_hoc = std::make_unique<AdHoc>();
  return *ad_hoc.ad_hoc;
}

void collect_path(const Instance& state, ElementInstance& ad_hoc, const Value& value) {
  const std::string& name = state.definition_of(ad_hoc).path_output_collection;
  AdHoc& known = remember_path(ad_hoc);
  const Variable* own = ad_hoc.variables.find(name);
  if (own && own->value.is_list()) {
    known.outputs = own->value.as_list();
    ad_hoc.variables.erase(name);
  }
  known.outputs.push_back(value);
}

}  // namespace pawl::engine

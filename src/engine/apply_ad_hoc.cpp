// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_ad_hoc.hpp"

#include "engine/weight.hpp"

namespace pawl::engine {

AdHoc& remember_path(ElementInstance& ad_hoc) {
  if (!ad_hoc.ad_hoc) ad_hoc.ad_hoc = std::make_unique<AdHoc>();
  return *ad_hoc.ad_hoc;
}

void collect_path(Instance& state, ElementInstance& ad_hoc, const Value& value) {
  const std::string& name = state.definition_of(ad_hoc).path_output_collection;
  AdHoc& known = remember_path(ad_hoc);
  const Variable* own = ad_hoc.variables.find(name);
  if (own && own->value.is_list()) {
    state.value_bytes -= bytes_of(ad_hoc);
    known.outputs = own->value.as_list();
    ad_hoc.variables.erase(name);
    state.value_bytes += bytes_of(ad_hoc);
  }
  known.outputs.push_back(value);
  state.value_bytes += value.encoded_size();
}

}  // namespace pawl::engine

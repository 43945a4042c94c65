// SPDX-License-Identifier: Apache-2.0
#include "store/conformance/index_kit.hpp"

namespace pawl::store::conformance {

std::vector<Check> index_checks() {
  std::vector<Check> all;
  for (const auto family :
       {instance_checks(), execution_checks(), job_checks(), waiting_checks(), mail_checks(),
        incident_checks(), history_checks(), query_checks(), applying_checks(), selection_checks(),
        call_checks(), migration_checks()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace pawl::store::conformance

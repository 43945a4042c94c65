// SPDX-License-Identifier: Apache-2.0
// Everything that an index can be asked, as text: for comparing two of them and for messages of
// failing tests. It does not depend on how records were cut into windows.
#pragma once

#include <string>

#include "store/index.hpp"

namespace pawl::store {

// An error of a query stands in its place.
std::string describe(const Index& index);

}  // namespace pawl::store

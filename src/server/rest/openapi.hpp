// SPDX-License-Identifier: Apache-2.0
// The OpenAPI 3 document of a table of routes, as JSON.
#pragma once

#include <string>

#include "server/rest/route.hpp"

namespace pawl::server::rest {

std::string openapi(const Routes& routes);

}  // namespace pawl::server::rest

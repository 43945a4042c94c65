// SPDX-License-Identifier: Apache-2.0
// The page for Prometheus (text format 0.0.4): what the server counts, what the node holds now, and
// what the process uses.
#pragma once

#include <string>

#include "server/operations.hpp"

namespace pawl::server::rest {

std::string metrics_page(const Metrics& metrics, const runtime::Node& node);

}  // namespace pawl::server::rest

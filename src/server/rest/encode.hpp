// SPDX-License-Identifier: Apache-2.0
// The bytes of an HTTP/1.1 response.
#pragma once

#include <string>

#include "server/rest/exchange.hpp"

namespace pawl::server::rest {

struct Framing {
  bool keeps_alive{true};
  bool only_header{false};  // the answer to HEAD
};

std::string encode(const Response& response, Framing framing);

}  // namespace pawl::server::rest

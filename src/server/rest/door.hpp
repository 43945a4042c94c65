// SPDX-License-Identifier: Apache-2.0
// Door: what is looked at as soon as the header of a request is there, before its body and before
// it is routed; the same for both versions of HTTP.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "server/doorman.hpp"
#include "server/rest/exchange.hpp"

namespace pawl::server::rest {

struct Door {
  const Doorman* doorman{nullptr};  // null: any host is ours
  // Says whether this authorization header lets a request in.
  std::function<bool(std::string_view)> allows{[](std::string_view) { return true; }};

  // Why a request does not come in, or nothing. `local`: the address that it came to.
  std::optional<Response> refuse(const Request& request, bool has_body,
                                 std::string_view local) const;
};

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
// Router: finds the route of a request, refuses what fits none, and calls its handler.
#pragma once

#include <memory>
#include <string>

#include "server/rest/route.hpp"

namespace pawl::server::rest {

class Router {
 public:
  explicit Router(Context context, Routes routes = all_routes());
  ~Router();

  // On the thread of the connection; the answer comes on any.
  void handle(const std::shared_ptr<Request>& request, const Answer& answer);
  const Routes& routes() const { return routes_; }

 private:
  struct Pattern;
  struct Match;
  Match find(const Request& request) const;
  void call(const Route& route, const RequestPtr& request, const Answer& answer);

  Context context_;
  Routes routes_;
  std::vector<Pattern> patterns_;
  std::string document_;  // OpenAPI
};

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
#include "server/rest/door.hpp"

#include "server/rest/problem.hpp"

namespace pawl::server::rest {
namespace {

Response shut(int status, std::string detail, const Request& request) {
  return response_of(
      {.status = status, .title = std::string(reason_of(status)), .detail = std::move(detail)},
      request.path);
}

}  // namespace

std::optional<Response> Door::refuse(const Request& request, bool has_body,
                                     std::string_view local) const {
  if (doorman) {
    const auto turned_away = doorman->look_at({.method = request.method,
                                               .host = request.header("host"),
                                               .origin = request.header("origin"),
                                               .fetch_site = request.header("sec-fetch-site"),
                                               .local = local});
    if (turned_away) {
      const bool not_ours = turned_away->why == TurnedAway::Why::not_ours;
      return shut(not_ours ? 421 : 403, turned_away->text, request);
    }
  }
  // Whoever watches a server need not sign in, and need not send anything.
  if (request.path.starts_with("/health/")) {
    if (!has_body) return std::nullopt;
    return shut(413, "a question about health has no body", request);
  }
  if (allows(request.header("authorization"))) return std::nullopt;
  Response response = shut(401, "the authorization header is missing or wrong", request);
  response.headers = {{"www-authenticate", "Basic realm=\"pawl\", charset=\"UTF-8\", Bearer"}};
  return response;
}

}  // namespace pawl::server::rest

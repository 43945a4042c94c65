// SPDX-License-Identifier: Apache-2.0
// Problem: what a client is told when something was not done (RFC 9457). All five members are
// always there, because clients demand them; the title is the word that programs compare.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "server/rest/exchange.hpp"

namespace pawl::server::rest {

struct Problem {
  int status{500};
  std::string title{};
  std::string detail{};
};

// `command` frames the sentence, see rejection.hpp; "": it was refused before it was a command.
Problem problem_of(const Error& error, std::string_view command);
// `path` is the one of the request.
Response response_of(const Problem& problem, std::string_view path);

// "Not Found" for 404: what HTTP calls a status.
std::string_view reason_of(int status);

}  // namespace pawl::server::rest

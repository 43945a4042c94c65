// SPDX-License-Identifier: Apache-2.0
#include "server/rest/encode.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "server/rest/problem.hpp"

namespace pawl::server::rest {

std::string encode(const Response& response, Framing framing) {
  const auto now = fmt::gmtime(std::chrono::system_clock::now());
  std::string out = fmt::format("HTTP/1.1 {} {}\r\ndate: {:%a, %d %b %Y %H:%M:%S} GMT\r\n",
                                response.status, reason_of(response.status), now);
  if (!response.content_type.empty()) out += "content-type: " + response.content_type + "\r\n";
  if (response.status != 204) out += fmt::format("content-length: {}\r\n", response.body.size());
  for (const Header& header : response.headers) {
    out += fmt::format("{}: {}\r\n", header.name, header.value);
  }
  if (!framing.keeps_alive) out += "connection: close\r\n";
  out += "\r\n";
  if (!framing.only_header && response.status != 204) out += response.body;
  return out;
}

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
// HTTP requests: the same ones are read from whatever comes, in one piece, in two or byte by byte
// (though what is wrong may be noticed later); what is a form is taken apart, and its parts lie
// inside the body.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "server/rest/decoder.hpp"
#include "server/rest/multipart.hpp"

namespace {

using pawl::server::rest::Decoder;
using pawl::server::rest::Part;
using pawl::server::rest::Request;

constexpr std::size_t most_kept = 32u << 10;  // as a session does

void check_form(const Request& request) {
  const auto boundary = pawl::server::rest::boundary_of(request.header("content-type"));
  if (!boundary) return;
  const auto parts = pawl::server::rest::parse_multipart(request.body, *boundary);
  if (!parts) return;
  const char* end = request.body.data() + request.body.size();
  for (const Part& part : *parts) {
    if (part.content.empty()) continue;
    if (part.content.data() < request.body.data() ||
        part.content.data() + part.content.size() > end)
      std::abort();
  }
}

// Reads like a connection that gets pieces of this size; tells all requests that were read.
std::string read(std::string_view bytes, std::size_t piece) {
  Decoder decoder({.header_bytes = most_kept, .body_bytes = 4'096});
  std::string kept, told;
  while (!bytes.empty()) {
    const std::size_t size = piece < bytes.size() ? piece : bytes.size();
    kept += bytes.substr(0, size);
    bytes.remove_prefix(size);
    while (!kept.empty()) {
      const std::size_t used = decoder.feed(kept);
      if (used > kept.size()) std::abort();
      kept.erase(0, used);
      if (decoder.state() == Decoder::State::refused) return told;
      if (decoder.state() == Decoder::State::done) {
        const Request request = decoder.take();
        check_form(request);
        told += request.method + request.path + request.query + request.body + '\n';
      } else if (used == 0) {
        break;
      }
    }
  }
  return told;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size > most_kept) return 0;
  const std::string whole = read(bytes, size);
  if (read(bytes, 1) != whole || read(bytes, size / 2 + 1) != whole) std::abort();
  const auto parts = pawl::server::rest::parse_multipart(bytes, "b");
  return parts && parts->size() > 1'000 ? std::abort(), 0 : 0;
}

// SPDX-License-Identifier: Apache-2.0
// Decoder: bytes of an HTTP/1.1 connection in, requests out; the only place that knows the parser
// library. It holds no more than one request, and never more of it than the limits allow.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/rest/exchange.hpp"

namespace pawl::server::rest {

struct DecoderLimits {
  std::size_t header_bytes{16u << 10};
  std::size_t body_bytes{4u << 20};
};

class Decoder {
 public:
  enum class State : std::uint8_t {
    idle,     // nothing of a request has come
    header,   // its header has begun
    body,     // its header is there
    done,     // take it
    refused,  // see `status` and `why`; the connection cannot go on
  };

  explicit Decoder(DecoderLimits limits);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  // Gives how many bytes it used: at most to the end of the request. The others must be given
  // again, in front of those that come next.
  std::size_t feed(std::string_view bytes);
  State state() const;
  std::size_t bytes() const;  // of the request that have come

  // --- from `body` on
  const Request& request() const;
  bool wants_continue() const;  // the client waits for "100 Continue" before it sends the body
  bool keeps_alive() const;
  bool has_body() const;  // or announces one
  // --- if refused
  int status() const;
  const std::string& why() const;

  Request take();  // in `done`; then the next one may come

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace pawl::server::rest

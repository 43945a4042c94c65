// SPDX-License-Identifier: Apache-2.0
// Transport: a connected socket, plain or with TLS. An idle connection holds no buffer of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/loop.hpp"

namespace pawl::server {

class Transport {
 public:
  virtual ~Transport() = default;

  // Calls back once, on the loop: with what came, valid during the call, or with nothing if the
  // connection is over. One read at a time.
  virtual void read(std::function<void(std::string_view)> arrived) = 0;
  // `bytes` must stay until it calls back: true if all were sent. One write at a time.
  virtual void write(std::string_view bytes, std::function<void(bool)> sent) = 0;
  virtual void close() = 0;                      // what is pending is called back with "over"
  virtual const std::string& peer() const = 0;   // "127.0.0.1:40112"
  virtual const std::string& local() const = 0;  // where it came to: "127.0.0.1:8080"
  virtual Loop& loop() = 0;
};

using TransportPtr = std::shared_ptr<Transport>;

}  // namespace pawl::server

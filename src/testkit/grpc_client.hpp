// SPDX-License-Identifier: Apache-2.0
// GrpcClient: a gRPC client as small as it can be, so that it is not the limit under load: one
// thread, one connection, many calls at once. It can also misbehave, for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct nghttp2_session;

namespace pawl::testkit {

class GrpcClient {
 public:
  using Ended = std::function<void(int status, std::string_view text)>;
  using Message = std::function<void(std::string_view)>;

  explicit GrpcClient(std::uint16_t port);
  ~GrpcClient();

  // `message` may be null for calls whose answer does not matter.
  void call(std::string_view method, std::string_view request, Message message, Ended ended);
  // Writes what is to be written, waits for at most so long, and handles what came.
  void turn(int wait_ms);
  std::size_t open_calls() const { return calls_.size(); }

  // --- for tests
  // Bytes as they are, past all rules.
  void send_raw(std::string_view bytes);
  // More headers for the calls that follow; `prefixed`: the request is sent as it is, with its
  // prefix.
  std::vector<std::pair<std::string, std::string>> more_headers{};
  bool prefixed{false};
  bool closed() const { return closed_; }  // by the server

 private:
  struct Call {
    std::string request{};
    std::size_t sent{0};
    std::string input{};
    Message message{};
    Ended ended{};
    int status{2};
    std::string text{};
  };
  struct Callbacks;
  void write();
  void read();
  void take_messages(Call& call);
  void on_closed();

  int socket_{-1};
  nghttp2_session* session_{nullptr};
  std::map<std::int32_t, Call> calls_;
  std::string outgoing_;
  std::size_t written_{0};
  bool closed_{false};
};

}  // namespace pawl::testkit

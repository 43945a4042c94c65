// SPDX-License-Identifier: Apache-2.0
// Call: one gRPC call as its handler sees it: the message that came, and what is answered. All of
// it on the loop of its connection; when the client has gone, answers go nowhere.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/loop.hpp"
#include "server/rejection.hpp"

namespace pawl::server::grpc {

class Connection;

class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(Connection& connection, std::int32_t stream) : connection_(&connection), stream_(stream) {}

  // --- what came
  const std::string& method() const { return path_; }  // "/gateway_protocol.Gateway/Topology"
  const std::string& message() const { return message_; }
  std::string peer() const;
  Loop& loop() const { return *loop_; }
  bool gone() const { return connection_ == nullptr || finished_; }

  // --- what is answered
  void reply(std::string_view message);  // the only message, then OK
  void send(std::string_view message);   // one of several
  void begin();                          // headers only: the stream is open, messages follow
  void finish();                         // no more messages: OK
  void fail(const Rejection& rejection);
  // Runs it then, unless the call has ended before. One at a time.
  void after(Millis pause, Loop::Task task);
  // Bytes that the client has not made room for yet.
  std::size_t unsent() const { return output_.size() - output_taken_; }

  // The client cancelled, went away or ran out of time before the answer was complete.
  std::function<void()> on_gone{};
  // Everything that was sent has been handed to the connection.
  std::function<void()> on_drained{};

 private:
  friend class Connection;
  void begin_output();
  void end(Status status, std::string_view text);

  Connection* connection_;
  Loop* loop_{nullptr};
  std::int32_t stream_;
  std::string path_{};
  std::string authorization_{};
  std::string encoding_{};
  std::string content_type_{};
  Millis timeout_{0};  // 0: none
  Loop::TimerId deadline_{Loop::TimerId::none};
  Loop::TimerId timer_{Loop::TimerId::none};
  std::size_t header_bytes_{0};
  std::chrono::steady_clock::time_point began_{};

  std::string input_{};    // as it came, with its prefix
  std::string message_{};  // taken out of it
  bool complete_{false};   // the client has said all

  std::string output_{};
  std::size_t output_taken_{0};
  bool answering_{false};  // headers were submitted
  bool finished_{false};
  Status status_{Status::ok};
  std::string text_{};
};

using CallPtr = std::shared_ptr<Call>;

}  // namespace pawl::server::grpc

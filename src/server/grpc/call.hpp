// SPDX-License-Identifier: Apache-2.0
// Call: one gRPC call as its handler sees it: the message that came, and what is answered. All of
// it on the loop of its connection; when the client has gone, answers go nowhere.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/doorman.hpp"
#include "server/http2/stream.hpp"
#include "server/metrics.hpp"
#include "server/rejection.hpp"

namespace pawl::server::grpc {

class Call;
using CallPtr = std::shared_ptr<Call>;

// What all calls share.
struct Serving {
  Metrics& metrics;
  std::size_t message_bytes{4u << 20};
  const Doorman* doorman{nullptr};                               // null: any host is ours
  std::function<bool(std::string_view authorization)> allows{};  // null: everybody may ask
  std::function<void(const CallPtr&)> handle{};
};

// Whether a request with this content-type is a call.
bool is_call(std::string_view content_type);

class Call final : public http2::Stream {
 public:
  explicit Call(const Serving& serving);
  ~Call() override;

  // --- what came
  const std::string& method() const { return path_; }  // "/gateway_protocol.Gateway/Topology"
  // Only until the handler returns: who waits keeps what it needs.
  const std::string& message() const { return message_; }
  bool gone() const { return is_over() || choked_; }
  // Kept by whoever keeps something of the message; may be null.
  const SharePtr& share() const { return request_share(); }

  // --- what is answered
  void reply(std::string_view message);  // the only message, then OK
  void send(std::string_view message);   // one of several
  void begin();                          // headers only: the stream is open, messages follow
  void finish();                         // no more messages: OK
  void fail(const Rejection& rejection);
  // Runs it then, unless the call has ended before. One at a time.
  void after(Millis pause, Loop::Task task);

  // The client cancelled, went away or ran out of time before the answer was complete.
  std::function<void()> on_gone{};
  // The same, for work that a server that shuts down should finish.
  std::function<void()> on_left{};
  // Everything that was sent has been handed to the connection.
  std::function<void()> on_drained{};

 private:
  void head_came(http2::Head head) override;
  void data_came() override;
  void request_came() override;
  void refuse(http2::Refusal why) override;
  void shutting_down() override;
  void all_taken() override;
  void ended(bool cut) override;

  std::optional<Rejection> refused_at_the_door(const http2::Head& head) const;
  void set_deadline(Millis timeout);
  bool put_message(std::string_view message);
  void end(Status status, std::string_view text);
  void fail_and_tell(const Rejection& rejection);  // also the handler
  CallPtr self() { return std::static_pointer_cast<Call>(shared_from_this()); }

  const Serving& serving_;
  std::string path_{};
  std::string encoding_{};
  std::string message_{};
  Loop::TimerId deadline_{Loop::TimerId::none};
  Loop::TimerId timer_{Loop::TimerId::none};
  bool answering_{false};  // headers were submitted
  bool choked_{false};     // there was no room for a message
};

}  // namespace pawl::server::grpc

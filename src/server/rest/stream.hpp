// SPDX-License-Identifier: Apache-2.0
// StreamExchange: one request of REST over HTTP/2 and its response.
#pragma once

#include <functional>
#include <memory>

#include "server/http2/stream.hpp"
#include "server/rest/session.hpp"

namespace pawl::server::rest {

class StreamExchange final : public http2::Stream, public Client {
 public:
  StreamExchange(Session::Handle handle, std::shared_ptr<const SessionOptions> options);
  ~StreamExchange() override = default;

  // --- for the handler
  void on_gone(std::function<void()> gone) override { gone_ = std::move(gone); }
  void on_left(std::function<void()> left) override { left_ = std::move(left); }
  void after(Millis pause, std::function<void()> then) override;

 private:
  void head_came(http2::Head head) override;
  void data_came() override;
  void request_came() override;
  void refuse(http2::Refusal why) override;
  void shutting_down() override;
  void ended(bool cut) override;

  void refuse(int status, std::string detail);
  void respond(Response response);
  std::shared_ptr<StreamExchange> self() {
    return std::static_pointer_cast<StreamExchange>(shared_from_this());
  }

  Session::Handle handle_;
  std::shared_ptr<const SessionOptions> options_;
  std::shared_ptr<Request> request_;  // until it is given to the handler
  std::string path_;
  std::function<void()> gone_;
  std::function<void()> left_;
  std::function<void()> lost_;
  Loop::TimerId timer_{Loop::TimerId::none};
  bool only_header_{false};
};

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
// Connection: a session over a transport. Made on the loop of the transport; it lives as long as
// something of it is pending there.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "server/metrics.hpp"
#include "server/rest/session.hpp"
#include "server/transport.hpp"

namespace pawl::server::rest {

class TransportWire final : public Wire {
 public:
  TransportWire(TransportPtr transport, Metrics& metrics)
      : transport_(std::move(transport)), metrics_(metrics) {
    ++metrics_.connections;
  }
  ~TransportWire() override { --metrics_.connections; }

  void belong_to(const std::shared_ptr<Session>& session) { session_ = session; }

  void read() override {
    transport_->read([session = session_.lock()](std::string_view bytes) {
      if (session) session->received(bytes);
    });
  }
  void write(std::string_view bytes) override {
    transport_->write(bytes, [session = session_.lock()](bool whole) {
      if (session) session->sent(whole);
    });
  }
  void close() override { transport_->close(); }
  Timer after(Millis pause, std::function<void()> then) override {
    return static_cast<Timer>(transport_->loop().after(pause, std::move(then)));
  }
  void cancel(Timer timer) override {
    if (timer != 0) transport_->loop().cancel(static_cast<Loop::TimerId>(timer));
  }
  void post(std::function<void()> then) override { transport_->loop().post(std::move(then)); }

 private:
  TransportPtr transport_;
  Metrics& metrics_;
  std::weak_ptr<Session> session_;
};

struct Serving {
  Metrics& metrics;
  Session::Handle handle{};
  std::shared_ptr<const SessionOptions> options{};
};

// The session ends by itself; who keeps it may end it earlier, with `finish` or `close`.
inline std::shared_ptr<Session> serve(const TransportPtr& transport, std::string_view first_bytes,
                                      const Serving& serving) {
  const auto wire = std::make_shared<TransportWire>(transport, serving.metrics);
  auto session = Session::make({.wire = wire,
                                .handle = serving.handle,
                                .options = serving.options,
                                .caller = transport->peer(),
                                .local = transport->local()});
  wire->belong_to(session);
  session->begin(first_bytes);
  return session;
}

}  // namespace pawl::server::rest

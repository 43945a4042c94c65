// SPDX-License-Identifier: Apache-2.0
// An HTTP/2 connection that gets whatever frames, in pieces of whatever size, with calls of gRPC
// and requests of REST: each that came is answered or told that its client has gone, once; when the
// connection has ended nothing of it is left, and no byte is still counted.
#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "server/grpc/call.hpp"
#include "server/http2/connection.hpp"
#include "server/rest/stream.hpp"

namespace {

using namespace pawl;
using namespace pawl::server;

constexpr std::string_view greeting("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 33);

// The other side: what it says is fed, what it is told is thrown away.
class Wire final : public Transport {
 public:
  explicit Wire(Loop& loop) : loop_(loop) {}

  void read(std::function<void(std::string_view)> arrived) override {
    arrived_ = std::move(arrived);
  }
  void write(std::string_view, std::function<void(bool)> sent) override {
    loop_.post([sent = std::move(sent)] { sent(true); });
  }
  void close() override { feed({}); }
  const std::string& peer() const override { return peer_; }
  const std::string& local() const override { return peer_; }
  Loop& loop() override { return loop_; }

  void feed(std::string_view bytes) {
    if (const auto arrived = std::exchange(arrived_, {})) arrived(bytes);
  }

 private:
  Loop& loop_;
  const std::string peer_{"fuzz"};
  std::function<void(std::string_view)> arrived_{};
};

// Every second one waits until its client goes; the others get back what they sent.
struct Service {
  int waiting{0};

  std::function<void()> wait() {
    ++waiting;
    return [this] {
      if (--waiting < 0) std::abort();
    };
  }
  void handle(const grpc::CallPtr& call) {
    if (call->message().size() % 2 == 0) return call->reply(call->message());
    call->on_gone = wait();
  }
  void handle(const std::shared_ptr<rest::Request>& request, const rest::Answer& answer) {
    if (request->body.size() % 2 == 0) return answer({.body = request->body + request->path});
    request->client->on_gone(wait());
  }
};

void serve(std::string_view bytes, std::size_t piece) {
  Loop loop;
  Metrics metrics;
  Service service;
  Limits limits;
  limits.message_bytes = 4'096;
  limits.header_bytes = 2'048;
  limits.calls = 20;
  limits.pause_bytes = 4'096;
  limits.connection_bytes = 64'000;
  Ledger ledger(1u << 20);
  const Doorman doorman;
  const grpc::Serving calls{.metrics = metrics,
                            .message_bytes = limits.message_bytes,
                            .doorman = &doorman,
                            .allows = {},
                            .handle = [&](const grpc::CallPtr& call) { service.handle(call); }};
  auto options = std::make_shared<rest::SessionOptions>();
  options->limits.body_bytes = limits.message_bytes;
  options->door.doorman = &doorman;
  options->under_way = &metrics.exchanges;
  const rest::Session::Handle handle = [&](const auto& request, const auto& answer) {
    service.handle(request, answer);
  };
  auto shared = std::make_shared<http2::Shared>(limits, metrics, ledger);
  shared->open = [&](const http2::Head& head) -> http2::StreamPtr {
    if (grpc::is_call(head.field("content-type"))) return std::make_shared<grpc::Call>(calls);
    return std::make_shared<rest::StreamExchange>(handle, options);
  };
  const auto wire = std::make_shared<Wire>(loop);
  auto connection = std::make_shared<http2::Connection>(wire, shared);
  loop.post([&] { connection->begin(greeting); });
  loop.context().poll();
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    loop.post([&] { wire->feed(bytes.substr(0, piece)); });
    loop.context().poll();
  }
  loop.post([&] { connection->close(); });
  loop.context().poll();
  connection = nullptr;
  if (service.waiting != 0 || ledger.held() != 0 || metrics.calls != 0 || metrics.exchanges != 0 ||
      metrics.connections != 0) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > (32u << 10)) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  serve(bytes, data[0] == 0 ? size : data[0]);
  return 0;
}

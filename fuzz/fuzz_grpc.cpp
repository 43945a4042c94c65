// SPDX-License-Identifier: Apache-2.0
// A gRPC connection that gets whatever bytes, in pieces of whatever size: each call that came is
// answered or told that its client has gone, once; when the connection has ended nothing of it is
// left.
#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "server/grpc/connection.hpp"

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
  Loop& loop() override { return loop_; }

  void feed(std::string_view bytes) {
    if (const auto arrived = std::exchange(arrived_, {})) arrived(bytes);
  }

 private:
  Loop& loop_;
  const std::string peer_{"fuzz"};
  std::function<void(std::string_view)> arrived_{};
};

// Every second call waits until its client goes; the others get their message back.
struct Service {
  int waiting{0};

  void handle(const grpc::CallPtr& call) {
    if (call->message().size() % 2 == 0) return call->reply(call->message());
    ++waiting;
    call->on_gone = [this] {
      if (--waiting < 0) std::abort();
    };
  }
};

void serve(std::string_view bytes, std::size_t piece) {
  Loop loop;
  Metrics metrics;
  Service service;
  auto shared = std::make_shared<grpc::Shared>();
  shared->limits.message_bytes = 4'096;
  shared->limits.header_bytes = 2'048;
  shared->limits.calls = 20;
  shared->metrics = &metrics;
  shared->handle = [&](const grpc::CallPtr& call) { service.handle(call); };
  const auto wire = std::make_shared<Wire>(loop);
  auto connection = std::make_shared<grpc::Connection>(wire, shared);
  loop.post([&] { connection->begin(greeting); });
  loop.context().poll();
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    loop.post([&] { wire->feed(bytes.substr(0, piece)); });
    loop.context().poll();
  }
  loop.post([&] { connection->close(); });
  loop.context().poll();
  connection = nullptr;
  if (service.waiting != 0 || shared->received != 0 || metrics.connections != 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > (32u << 10)) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  serve(bytes, data[0] == 0 ? size : data[0]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Clients that leave while their requests are being worked on: what that keeps still counts.
#include <gtest/gtest.h>

#include <gateway.pb.h>
#include "server/grpc/answers.hpp"
#include "server/http2/connection.hpp"
#include "server/http2/raw_client_for_test.hpp"
#include "server/rest/stream.hpp"

namespace pawl::server::http2 {
namespace {

namespace proto = gateway_protocol;
using Deploying = proto::DeployResourceResponse;

constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::size_t body_bytes = 10'000;

// A connection in memory, on a loop that does not run.
class FakeTransport final : public Transport {
 public:
  explicit FakeTransport(Loop& loop) : loop_(loop) {}

  void read(std::function<void(std::string_view)> arrived) override {
    reading = std::move(arrived);
  }
  void write(std::string_view, std::function<void(bool)>) override {}
  void close() override {}
  const std::string& peer() const override { return name; }
  const std::string& local() const override { return name; }
  Loop& loop() override { return loop_; }

  void receive(std::string_view bytes) { std::exchange(reading, {})(bytes); }

  std::string name{"127.0.0.1:1"};
  std::function<void(std::string_view)> reading;

 private:
  Loop& loop_;
};

class Leaving : public testing::Test {
 protected:
  Leaving() {
    shared->open = [this](const Head& head) -> StreamPtr {
      if (grpc::is_call(head.field("content-type"))) return std::make_shared<grpc::Call>(serving);
      return std::make_shared<rest::StreamExchange>(
          [this](std::shared_ptr<rest::Request> request, rest::Answer answer) {
            request->client->on_left([this] { ++left; });
            answers.push_back(std::move(answer));
          },
          std::make_shared<rest::SessionOptions>());
    };
    serving.handle = [this](const grpc::CallPtr& call) {
      call->on_left = [this] { ++left; };
      replies.push_back(grpc::answer_with<Deploying, runtime::Deployment>(
          call, "", [](const runtime::Deployment&, Deploying&) {}));
    };
    connection->begin(std::string(preface) + frame(FrameType::settings, 0, 0, ""));
  }
  ~Leaving() override {
    transport->reading = {};
    connection->close();
  }

  static std::string posted(std::uint32_t stream) {
    return frame(FrameType::headers, end_headers, stream,
                 field(":method", "POST") + field(":scheme", "http") + field(":path", "/v2/x") +
                     field(":authority", "localhost")) +
           frame(FrameType::data, end_stream, stream, std::string(body_bytes, 'x'));
  }
  static std::string called(std::uint32_t stream) {
    return http2::call(stream, "/x", std::string(body_bytes, 'x'));
  }

  Metrics metrics;
  Ledger ledger{100'000};
  Loop loop;  // what waits there keeps the connection
  grpc::Serving serving{.metrics = metrics};
  std::shared_ptr<Shared> shared{std::make_shared<Shared>(Limits{}, metrics, ledger)};
  std::shared_ptr<FakeTransport> transport{std::make_shared<FakeTransport>(loop)};
  std::shared_ptr<Connection> connection{std::make_shared<Connection>(transport, shared)};
  // What those who work for them keep.
  std::vector<rest::Answer> answers;
  std::vector<Reply<runtime::Deployment>> replies;
  int left{0};
};

TEST_F(Leaving, C7_requests_that_are_taken_back_count_while_somebody_works_for_them) {
  transport->receive(posted(1) + called(3));
  EXPECT_GE(ledger.held(), 2 * body_bytes);
  transport->receive(cancelled(1) + cancelled(3));
  EXPECT_EQ(left, 2);
  EXPECT_GE(ledger.held(), 2 * body_bytes);
  answers.clear();
  EXPECT_LT(ledger.held(), 2 * body_bytes);
  EXPECT_GE(ledger.held(), body_bytes);
  replies.clear();
  EXPECT_EQ(ledger.held(), 0u);
}

TEST_F(Leaving, C7_requests_of_a_connection_that_is_closed_count_too) {
  transport->receive(posted(1) + called(3));
  transport->receive("");
  EXPECT_EQ(left, 2);
  EXPECT_GE(ledger.held(), 2 * body_bytes);
  answers.clear();
  replies.clear();
  EXPECT_EQ(ledger.held(), 0u);
}

TEST_F(Leaving, C7_there_is_no_room_for_more_than_all_may_hold_however_often_one_leaves) {
  for (std::uint32_t i = 0; i < 20; ++i) {
    transport->receive(called(2 * i + 1));
    transport->receive(cancelled(2 * i + 1));
  }
  EXPECT_LT(replies.size(), 10u);
  EXPECT_LE(ledger.held(), 100'000u);
}

TEST_F(Leaving, C7_a_request_that_nobody_works_for_any_more_counts_for_nobody) {
  transport->receive(called(1));
  replies.clear();
  EXPECT_GE(ledger.held(), body_bytes);  // the client still waits
  transport->receive(cancelled(1));
  EXPECT_EQ(ledger.held(), 0u);
}

}  // namespace
}  // namespace pawl::server::http2

// SPDX-License-Identifier: Apache-2.0
// Clients that hold much, take nothing or never end: each limit, with a real server.
#include "server/grpc/stage_for_test.hpp"
#include "server/http2/raw_client_for_test.hpp"

namespace pawl::server::http2 {
namespace {

constexpr std::int64_t calm = 11;  // ENHANCE_YOUR_CALM
constexpr std::string_view large_answer = "/v2/openapi.json";

namespace proto = gateway_protocol;

class Http2Limits : public grpc::GatewayTest {
 protected:
  // A server that soon loses its patience.
  void open_with(const std::function<void(Limits&)>& change) {
    ServerOptions options;
    options.limits.watch = Millis(50);
    options.drain = Millis(500);
    change(options.limits);
    open(std::move(options));
  }
  std::uint16_t port() const { return server_->grpc_address().port; }
  bool serves() { return call("Topology", proto::TopologyRequest()).status == 0; }

  std::size_t size_of_large_answer() {
    RawClient client(port());
    client.send(initial_window(1 << 24) + more_window(0, 1 << 24) + get_request(1, large_answer));
    EXPECT_TRUE(client.take_until([&] { return client.answers[1].ended; }));
    EXPECT_GT(client.answers[1].bytes, 20'000u);
    return client.answers[1].bytes;
  }
};

TEST_F(Http2Limits, C4_answers_that_nobody_takes_are_bounded_and_their_client_is_closed) {
  open_with([](Limits& limits) {
    limits.connection_bytes = 300'000;
    limits.taken_within = Millis(2'000);
  });
  RawClient client(port());
  client.send(initial_window(0));
  for (std::uint32_t i = 0; i < 100; ++i) client.send(get_request(2 * i + 1, large_answer));
  ASSERT_TRUE(client.take_until([&] { return client.answers.size() == 100; }));
  const auto refused = client.count([](const auto& answer) { return answer.ended; });
  EXPECT_GT(refused, 80u);   // told so, in a header
  EXPECT_LT(refused, 100u);  // the others wait for room
  EXPECT_TRUE(serves());
  EXPECT_TRUE(client.take_until([&] { return client.closed; }));
  EXPECT_EQ(client.goaway, calm);
  EXPECT_EQ(client.goaway_words, "it does not take its answers");
  EXPECT_TRUE(serves());
}

// Some clients reset each stream although it was answered; that is not a request taken back.
TEST_F(Http2Limits, resets_of_what_was_answered_are_no_flood) {
  open_with([](Limits&) {});
  RawClient client(port());
  client.send(more_window(0, 1 << 30));
  constexpr std::uint32_t many = flood::resets + 500;
  for (std::uint32_t i = 0; i < many; ++i) {
    const std::uint32_t stream = 2 * i + 1;
    client.send(get_request(stream, "/health/live"));
    ASSERT_TRUE(client.take_until([&] { return client.answers[stream].ended; })) << i;
    client.send(cancelled(stream));
  }
  client.take_for(Millis(100));
  EXPECT_EQ(client.goaway, -1) << client.goaway_words;
  EXPECT_FALSE(client.closed);
}

TEST_F(Http2Limits, requests_that_are_taken_back_are_a_flood) {
  open_with([](Limits&) {});
  RawClient client(port());
  for (std::uint32_t i = 0; i < flood::resets + 500; ++i) {
    const std::uint32_t stream = 2 * i + 1;
    client.send(call_head(stream, "/gateway_protocol.Gateway/Topology") + cancelled(stream));
  }
  EXPECT_TRUE(client.take_until([&] { return client.closed; }));
  EXPECT_EQ(client.goaway, calm);
  EXPECT_EQ(client.goaway_words, "a flood of requests that are taken back");
}

TEST_F(Http2Limits, C4_further_requests_wait_until_answers_are_taken) {
  const std::size_t size = size_of_large_answer();
  open_with([](Limits& limits) { limits.pause_bytes = 100; });
  RawClient client(port());
  client.send(initial_window(0) + get_request(1, large_answer));
  ASSERT_TRUE(client.take_until([&] { return client.answers[1].begun; }));
  for (std::uint32_t i = 1; i < 10; ++i) client.send(get_request(2 * i + 1, large_answer));
  client.take_for(Millis(200));
  EXPECT_EQ(client.count([](const auto& answer) { return answer.begun; }), 1u);
  client.send(more_window(0, 1 << 24) + initial_window(1 << 24));
  const auto whole = [&] {
    return client.count([&](const auto& answer) { return answer.ended && answer.bytes == size; });
  };
  EXPECT_TRUE(client.take_until([&] { return whole() == 10; })) << whole();
}

TEST_F(Http2Limits, C4_requests_go_on_when_answers_are_cancelled_instead_of_taken) {
  open_with([](Limits& limits) { limits.pause_bytes = 100; });
  RawClient client(port());
  client.send(initial_window(0) + get_request(1, large_answer));
  ASSERT_TRUE(client.take_until([&] { return client.answers[1].begun; }));
  client.send(settings_taken() + call_head(3, "/gateway_protocol.Gateway/PublishMessage") +
              frame(FrameType::data, 0, 3, std::string("\0\0\x0f\xff\xff", 5)));
  // More than half of the window: only then it is worth a frame to give it back.
  constexpr std::size_t piece = 16'000, first_window = 256u << 10;
  for (std::size_t sent = 5; sent < 640'000; sent += piece) {
    ASSERT_TRUE(client.take_until([&] { return sent + piece <= first_window + client.given[3]; }));
    client.send(frame(FrameType::data, 0, 3, std::string(piece, 'x')));
  }
  client.take_for(Millis(200));
  const std::size_t while_paused = client.given[0];
  client.send(cancelled(1));
  EXPECT_TRUE(
      client.take_until([&] { return client.given[0] >= while_paused + 640'000; }, Millis(5'000)))
      << client.given[0] - while_paused;
}

TEST_F(Http2Limits, C4_jobs_that_were_not_taken_go_back_at_once) {
  open_with([](Limits& limits) { limits.taken_within = Millis(500); });
  deploy(grpc::one_job);
  start("one-job");
  proto::ActivateJobsRequest request;
  request.set_type("work");
  request.set_worker("lazy");
  request.set_timeout(600'000);
  request.set_maxjobstoactivate(1);
  request.set_requesttimeout(60'000);
  RawClient lazy(port());
  lazy.send(initial_window(0) +
            http2::call(1, "/gateway_protocol.Gateway/ActivateJobs", request.SerializeAsString()));
  ASSERT_TRUE(lazy.take_until([&] { return lazy.answers[1].begun; }));
  EXPECT_EQ(activate("work", 100).size(), 0u);
  EXPECT_EQ(activate("work", 20'000).size(), 1u);
}

TEST_F(Http2Limits, C4b_requests_that_never_end_time_out) {
  open_with([](Limits& limits) { limits.request_within = Millis(300); });
  RawClient client(port());
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    client.send(call_head(2 * i + 1, "/gateway_protocol.Gateway/Topology"));
  }
  EXPECT_TRUE(client.take_until(
      [&] { return client.count([](const auto& one) { return one.ended; }) == 1'000; }));
  EXPECT_TRUE(serves());
}

TEST_F(Http2Limits, C4b_polls_that_wait_do_not) {
  open_with([](Limits& limits) {
    limits.request_within = Millis(100);
    limits.taken_within = Millis(100);
  });
  EXPECT_TRUE(activate("work", 500).empty());
  deploy(grpc::one_job);
  start("one-job");
  EXPECT_EQ(activate("work", 500).size(), 1u);
}

TEST_F(Http2Limits, C7_headers_count_as_far_as_they_are_kept) {
  open_with([](Limits& limits) { limits.connection_bytes = 300'000; });
  const auto refused_with = [&](std::string_view name) {
    std::string head = field(":method", "POST") + field(":scheme", "http") +
                       field(":path", "/v2/topology") + field(":authority", "localhost") +
                       field("content-type", "application/json");
    for (int i = 0; i < 80; ++i) head += field(name, std::string(120, 'y'));
    RawClient client(port());
    for (std::uint32_t i = 0; i < 100; ++i) {
      client.send(frame(FrameType::headers, end_headers, 2 * i + 1, head));
    }
    client.send(get_request(201, "/v2/topology"));
    EXPECT_TRUE(client.take_until([&] { return client.answers[201].ended; }));
    return client.count([](const auto& answer) { return answer.ended; }) - 1;
  };
  EXPECT_EQ(refused_with("x-trace-id"), 0u);  // nobody reads it
  EXPECT_GT(refused_with("authorization"), 75u);
}

TEST_F(Http2Limits, a_header_of_which_each_byte_stands_for_thousands_is_a_flood) {
  open_with([](Limits&) {});
  RawClient client(port());
  const std::string kept = std::string("\x40\x01x\x7f\xbd\x1d") + std::string(3'900, 'y');
  client.send(
      frame(FrameType::headers, end_headers | end_stream, 1, field(":method", "GET") + kept));
  client.send(frame(FrameType::headers, end_headers | end_stream, 3, std::string(16'000, '\xbe')));
  EXPECT_TRUE(client.take_until([&] { return client.closed; }));
  EXPECT_EQ(client.goaway, calm);
  EXPECT_EQ(client.goaway_words, "a flood of headers");
}

TEST_F(Http2Limits, C7_what_all_hold_together_is_bounded_and_nothing_dies) {
  open_with([](Limits& limits) { limits.total_bytes = 1'000'000; });
  const std::string begin = call_head(1, "/gateway_protocol.Gateway/PublishMessage") +
                            frame(FrameType::data, 0, 1, std::string("\0\0\x0f\xff\xff", 5));
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    clients.back()->send(begin);
    for (int j = 0; j < 15; ++j) {
      clients.back()->send(frame(FrameType::data, 0, 1, std::string(16'000, 'x')));
    }
  }
  const auto refused = [&] {
    std::size_t out = 0;
    for (const auto& client : clients) out += client->answers[1].ended ? 1 : 0;
    return out;
  };
  for (int i = 0; i < 200 && refused() < 6; ++i) {
    for (const auto& client : clients) client->take_for(Millis(5));
  }
  EXPECT_GE(refused(), 6u);  // there is room for four of 240 kB
  EXPECT_LT(refused(), 10u);
  EXPECT_TRUE(serves());
  clients.clear();
  RawClient after(port());
  after.send(get_request(1, large_answer));
  EXPECT_TRUE(
      after.take_until([&] { return after.answers[1].begun && after.answers[1].bytes > 0; }));
}

TEST_F(Http2Limits, of_time_hold_when_the_server_stops) {
  open_with([](Limits&) {});
  RawClient lazy(port());
  lazy.send(initial_window(0) + get_request(1, large_answer));
  ASSERT_TRUE(lazy.take_until([&] { return lazy.answers[1].begun; }));
  client_.reset();
  const auto began = std::chrono::steady_clock::now();
  server_->close();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
  lazy.take_for(Millis(100));
  EXPECT_EQ(lazy.goaway, 0);
}

TEST_F(Http2Limits, C5_deadlines_of_any_length_are_understood) {
  const struct {
    const char* timeout;
    int status;
  } rows[] = {{"99999999H", 0},  {"99999999M", 0}, {"1H", 0}, {"0n", 4},
              {"0H", 4},         {"", 0},          {"1", 3},  {"5x", 3},
              {"123456789S", 3}, {"-1S", 3},       {"S", 3},  {"1 S", 3}};
  for (const auto& row : rows) {
    client_->more_headers = {{"grpc-timeout", row.timeout}};
    const grpc::Answer answer = call("Topology", proto::TopologyRequest());
    EXPECT_EQ(answer.status, row.status) << row.timeout << ": " << answer.text;
  }
}

}  // namespace
}  // namespace pawl::server::http2

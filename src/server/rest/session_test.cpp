// SPDX-License-Identifier: Apache-2.0
#include "server/rest/session.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace pawl::server::rest {
namespace {

// A connection in memory. Writes and posted work are done when the test says so; time is moved by
// hand.
class FakeWire final : public Wire {
 public:
  void read() override {
    EXPECT_FALSE(reading) << "two reads at once";
    reading = true;
  }
  void write(std::string_view bytes) override {
    EXPECT_FALSE(writing) << "two writes at once";
    writing = true;
    output += bytes;
  }
  void close() override { closed = true; }
  Timer after(Millis pause, std::function<void()> then) override {
    timers[++last_timer] = {pause, std::move(then)};
    return last_timer;
  }
  void cancel(Timer timer) override { timers.erase(timer); }
  void post(std::function<void()> then) override { posted.push_back(std::move(then)); }

  bool reading{false}, writing{false}, closed{false};
  std::string output;
  std::map<Timer, std::pair<Millis, std::function<void()>>> timers;
  std::deque<std::function<void()>> posted;
  Timer last_timer{0};
};

struct Asked {
  std::shared_ptr<Request> request;
  Answer answer;
};

class SessionTest : public testing::Test {
 protected:
  void begin(std::string_view first_bytes = "") {
    const auto handle = [this](std::shared_ptr<Request> request, Answer answer) {
      asked.push_back({std::move(request), std::move(answer)});
    };
    session = Session::make({.wire = wire, .handle = handle, .options = options, .caller = "peer"});
    session->begin(first_bytes);
  }
  void receive(std::string_view bytes) {
    ASSERT_TRUE(wire->reading);
    wire->reading = false;
    session->received(bytes);
  }
  void settle() {  // all that can happen without the client
    while (!wire->posted.empty() || wire->writing) {
      while (!wire->posted.empty()) {
        const auto work = std::move(wire->posted.front());
        wire->posted.pop_front();
        work();
      }
      if (std::exchange(wire->writing, false)) session->sent(true);
    }
  }
  void answer(Response response) {
    ASSERT_FALSE(asked.empty());
    const Asked one = std::move(asked.front());
    asked.pop_front();
    one.answer(std::move(response));
    settle();
  }
  void fire_timer() {
    ASSERT_EQ(wire->timers.size(), 1u);
    const auto then = wire->timers.begin()->second.second;
    wire->timers.clear();
    then();
    settle();
  }
  Millis pause() const {
    return wire->timers.size() == 1 ? wire->timers.begin()->second.first : Millis(-1);
  }
  // Statuses of the responses so far: "200 404".
  std::string statuses() const {
    std::string out;
    for (std::size_t at = wire->output.find("HTTP/1.1 "); at != std::string::npos;
         at = wire->output.find("HTTP/1.1 ", at + 1)) {
      out += (out.empty() ? "" : " ") + wire->output.substr(at + 9, 3);
    }
    return out;
  }
  bool said(std::string_view text) const { return wire->output.find(text) != std::string::npos; }

  std::shared_ptr<FakeWire> wire{std::make_shared<FakeWire>()};
  std::shared_ptr<SessionOptions> options{std::make_shared<SessionOptions>()};
  std::deque<Asked> asked;
  std::shared_ptr<Session> session;
};

constexpr std::string_view get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view post_head = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n";

TEST_F(SessionTest, answers_and_keeps_the_connection) {
  begin();
  receive(get);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].request->path, "/a");
  EXPECT_EQ(asked[0].request->caller, "peer");
  answer({.content_type = "application/json", .body = "{}"});
  EXPECT_TRUE(said("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(said("content-type: application/json\r\ncontent-length: 2\r\n"));
  EXPECT_TRUE(wire->output.ends_with("\r\n\r\n{}"));
  EXPECT_FALSE(wire->closed);
  receive(get);
  answer({.status = 204});
  EXPECT_EQ(statuses(), "200 204");
  EXPECT_TRUE(wire->output.ends_with("\r\n\r\n"));
}

TEST_F(SessionTest, begins_with_what_came_already) {
  begin(get);
  answer({.status = 204});
  EXPECT_EQ(statuses(), "204");
}

TEST_F(SessionTest, answers_pipelined_requests_in_order) {
  begin();
  receive(std::string(get) + std::string(post_head) + "xyz" + std::string(get));
  ASSERT_EQ(asked.size(), 1u);  // the next one waits for the answer
  answer({.content_type = "t", .body = "first"});
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].request->body, "xyz");
  answer({.content_type = "t", .body = "second"});
  answer({.content_type = "t", .body = "third"});
  EXPECT_LT(wire->output.find("first"), wire->output.find("second"));
  EXPECT_LT(wire->output.find("second"), wire->output.find("third"));
}

TEST_F(SessionTest, does_not_read_ahead_without_end) {
  begin();
  std::string many;
  while (many.size() < 100'000) many += get;
  receive(many);
  EXPECT_FALSE(wire->reading);
  for (std::size_t i = 0; i < many.size() / get.size(); ++i) answer({.status = 204});
  EXPECT_TRUE(wire->reading);
  EXPECT_EQ(statuses().size(), many.size() / get.size() * 4 - 1);
}

TEST_F(SessionTest, closes_when_the_client_asks_for_it) {
  begin();
  receive("GET /a HTTP/1.0\r\n\r\n");
  answer({.content_type = "t", .body = "x"});
  EXPECT_TRUE(said("connection: close\r\n"));
  EXPECT_TRUE(wire->closed);
  EXPECT_TRUE(wire->timers.empty());
}

TEST_F(SessionTest, sends_no_body_after_head) {
  begin();
  receive("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n");
  answer({.content_type = "t", .body = "12345"});
  EXPECT_TRUE(said("content-length: 5\r\n"));
  EXPECT_TRUE(wire->output.ends_with("\r\n\r\n"));
  receive(get);
  answer({.content_type = "t", .body = "12345"});
  EXPECT_TRUE(wire->output.ends_with("12345"));
}

TEST_F(SessionTest, tells_a_waiting_client_to_go_on) {
  begin();
  receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(wire->output, "HTTP/1.1 100 Continue\r\n\r\n");
  receive("xyz");  // before the write was confirmed
  asked.front().answer({.status = 204});
  asked.clear();
  settle();
  EXPECT_EQ(statuses(), "100 204");
  receive(get);
  answer({.status = 204});
  EXPECT_EQ(statuses(), "100 204 204");
}

TEST_F(SessionTest, refuses_and_closes_what_it_cannot_read) {
  const std::pair<std::string, std::string> rows[] = {
      {"rubbish\r\n\r\n", "400"},
      {"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 50000000\r\n\r\n", "413"},
      {"GET /a HTTP/1.1\r\nA: " + std::string(17'000, 'x'), "431"},
      {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
           std::string(40'000, 'x'),
       "400"},
  };
  for (const auto& [bytes, status] : rows) {
    wire = std::make_shared<FakeWire>();
    begin();
    receive(bytes);
    settle();
    EXPECT_EQ(statuses(), status);
    EXPECT_TRUE(said("content-type: application/problem+json\r\n"));
    EXPECT_TRUE(said("connection: close\r\n"));
    EXPECT_FALSE(wire->closed);  // the client may still be sending: it shall see the answer
    receive("more");
    receive("");
    EXPECT_TRUE(wire->closed);
    EXPECT_TRUE(wire->timers.empty());
    EXPECT_TRUE(asked.empty());
  }
}

TEST_F(SessionTest, does_not_listen_to_a_refused_client_for_ever) {
  begin();
  receive("rubbish\r\n\r\n");
  settle();
  EXPECT_EQ(pause(), options->linger);
  fire_timer();
  EXPECT_TRUE(wire->closed);
}

TEST_F(SessionTest, has_a_time_for_everything) {
  begin();
  EXPECT_EQ(pause(), options->idle);
  receive("GET /a HT");
  EXPECT_EQ(pause(), options->header_within);
  const auto timer = wire->last_timer;
  receive("TP/1.1\r\nHo");
  EXPECT_EQ(wire->last_timer, timer);  // it is not prolonged by every byte
  receive("st: h\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(pause(), options->body_pause);
  const auto body_timer = wire->last_timer;
  receive("x");
  EXPECT_NE(wire->last_timer, body_timer);  // this one is
  receive("yz");
  EXPECT_EQ(wire->timers.size(), 0u);  // the handler takes the time it needs
  asked.front().answer({.status = 204});
  wire->posted.front()();
  wire->posted.clear();
  EXPECT_EQ(pause(), options->write_pause);
  settle();
  EXPECT_EQ(pause(), options->idle);
  fire_timer();
  EXPECT_TRUE(wire->closed);
}

TEST_F(SessionTest, tells_slow_clients_that_they_were_too_slow) {
  for (const std::string& bytes : {std::string("GET /a"), std::string(post_head) + "x"}) {
    wire = std::make_shared<FakeWire>();
    begin();
    receive(bytes);
    fire_timer();
    EXPECT_EQ(statuses(), "408");
  }
}

TEST_F(SessionTest, writes_large_responses_in_pieces_and_drops_who_does_not_read) {
  begin();
  receive(get);
  bool lost = false;
  asked.front().answer(
      {.content_type = "t", .body = std::string(1'000'000, 'x'), .lost = [&] { lost = true; }});
  wire->posted.front()();
  wire->posted.clear();
  EXPECT_LT(wire->output.size(), 100'000u);
  wire->writing = false;
  session->sent(true);
  EXPECT_LT(wire->output.size(), 200'000u);
  EXPECT_FALSE(lost);
  wire->writing = false;
  fire_timer();
  EXPECT_TRUE(wire->closed);
  EXPECT_TRUE(lost);
}

TEST_F(SessionTest, says_when_a_response_was_sent_whole) {
  begin();
  receive(get);
  bool lost = false;
  answer({.content_type = "t", .body = std::string(200'000, 'x'), .lost = [&] { lost = true; }});
  session->close();
  EXPECT_FALSE(lost);
}

TEST_F(SessionTest, tells_the_handler_that_its_client_has_gone) {
  begin();
  receive(get);
  bool gone = false, lost = false;
  asked.front().request->client->on_gone([&] { gone = true; });
  receive("");
  EXPECT_TRUE(gone);
  EXPECT_TRUE(wire->closed);
  asked.front().answer({.content_type = "t", .body = "late", .lost = [&] { lost = true; }});
  settle();
  EXPECT_TRUE(lost);
  EXPECT_EQ(wire->output, "");
}

TEST_F(SessionTest, still_answers_a_client_that_only_closed_its_side) {
  begin();
  receive(get);
  receive("");
  EXPECT_FALSE(wire->closed);
  answer({.content_type = "t", .body = "x"});
  EXPECT_EQ(statuses(), "200");
  EXPECT_TRUE(wire->closed);
}

TEST_F(SessionTest, a_client_that_closed_its_side_long_ago_has_left_but_is_answered) {
  begin();
  receive(get);
  int left = 0;
  asked.front().request->client->on_left([&] { ++left; });
  receive("");
  EXPECT_EQ(left, 0);
  fire_timer();
  EXPECT_EQ(left, 1);
  EXPECT_FALSE(wire->closed);
  answer({.content_type = "t", .body = "x"});
  EXPECT_EQ(statuses(), "200");
  EXPECT_EQ(left, 1);
}

TEST_F(SessionTest, forgets_the_timer_of_an_exchange_that_is_over) {
  begin();
  receive(get);
  bool called = false;
  asked.front().request->client->after(Millis(5), [&] { called = true; });
  EXPECT_EQ(pause(), Millis(5));
  answer({.status = 204});
  EXPECT_EQ(pause(), options->idle);
  EXPECT_FALSE(called);
}

TEST_F(SessionTest, lets_in_only_who_may) {
  options->door.allows = [](std::string_view header) { return header == "Bearer right"; };
  begin();
  receive(get);
  settle();
  EXPECT_EQ(statuses(), "401");
  EXPECT_TRUE(said("www-authenticate: Basic"));
  EXPECT_TRUE(said("application/problem+json"));
  receive("GET /a HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer right\r\n\r\n");
  answer({.status = 204});
  receive("GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n");
  answer({.status = 204});
  EXPECT_EQ(statuses(), "401 204 204");
  receive(post_head);  // not even the body is wanted
  settle();
  EXPECT_EQ(statuses(), "401 204 204 401");
  EXPECT_TRUE(said("connection: close"));
  EXPECT_TRUE(asked.empty());
}

TEST_F(SessionTest, finishes_after_the_answer_that_is_under_way) {
  begin();
  receive(get);
  session->finish();
  EXPECT_FALSE(wire->closed);
  answer({.status = 204});
  EXPECT_TRUE(said("connection: close"));
  EXPECT_TRUE(wire->closed);

  wire = std::make_shared<FakeWire>();
  begin();
  session->finish();
  EXPECT_TRUE(wire->closed);
}

TEST_F(SessionTest, answers_the_same_however_the_bytes_are_cut) {
  const std::string bytes = std::string(post_head) + "xyz" + std::string(get);
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    wire = std::make_shared<FakeWire>();
    begin();
    receive(std::string_view(bytes).substr(0, cut));
    receive(std::string_view(bytes).substr(cut));
    answer({.status = 204});
    answer({.content_type = "t", .body = "x"});
    EXPECT_EQ(statuses(), "204 200") << cut;
  }
}

// --- at the door --------------------------------------------------------------------------------

TEST_F(SessionTest, C1_turns_away_who_asks_for_another_host_or_comes_from_another_site) {
  const Doorman doorman;
  options->door.doorman = &doorman;
  begin();
  receive("GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  settle();
  EXPECT_EQ(statuses(), "421");
  receive("POST /a HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n");
  settle();
  EXPECT_EQ(statuses(), "421 403");
  receive("POST /a HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n");
  ASSERT_EQ(asked.size(), 1u);
  answer({.status = 204});
  EXPECT_EQ(statuses(), "421 403 204");
}

TEST_F(SessionTest, C7_takes_no_body_from_who_asks_for_health) {
  for (const std::string_view rest :
       {"Content-Length: 4000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n",
        "Content-Length: 3\r\n\r\nabc"}) {
    wire = std::make_shared<FakeWire>();
    begin();
    receive("POST /health/x HTTP/1.1\r\nHost: h\r\n" + std::string(rest));
    settle();
    EXPECT_EQ(statuses(), "413") << rest;
    EXPECT_TRUE(asked.empty());
  }
}

TEST_F(SessionTest, C7_holds_no_more_than_there_is_room_for) {
  Ledger ledger(10'000);
  options->ledger = &ledger;
  begin();
  receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n" + std::string(9'000, 'x'));
  EXPECT_GE(ledger.held(), 9'000u);
  receive(std::string(4'000, 'x'));
  settle();
  EXPECT_EQ(statuses(), "503");
  session->close();
  EXPECT_EQ(ledger.held(), 0u);
}

TEST_F(SessionTest, C7_counts_a_request_until_it_is_answered_and_an_answer_until_it_is_sent) {
  Ledger ledger(10'000);
  options->ledger = &ledger;
  begin();
  receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 6000\r\n\r\n" + std::string(6'000, 'x'));
  EXPECT_GE(ledger.held(), 6'000u);
  asked[0].answer({.body = std::string(8'000, 'y')});
  while (!wire->posted.empty()) {
    wire->posted.front()();
    wire->posted.pop_front();
  }
  EXPECT_EQ(ledger.held(), 8'000u);
  settle();
  EXPECT_EQ(ledger.held(), 0u);
  bool lost = false;
  receive(get);
  asked.pop_front();
  answer({.body = std::string(20'000, 'y'), .lost = [&] { lost = true; }});
  EXPECT_TRUE(lost);
  EXPECT_EQ(statuses(), "200 503");
}

TEST_F(SessionTest, C7_counts_a_request_while_somebody_works_for_it_though_its_client_has_left) {
  Ledger ledger(10'000);
  options->ledger = &ledger;
  begin();
  receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 6000\r\n\r\n" + std::string(6'000, 'x'));
  session->close();
  session = nullptr;
  EXPECT_GE(ledger.held(), 6'000u);
  asked.clear();
  EXPECT_EQ(ledger.held(), 0u);
}

TEST_F(SessionTest, C7_counts_what_a_client_sends_ahead) {
  Ledger ledger(10'000);
  options->ledger = &ledger;
  begin();
  receive(get);
  receive(std::string(9'000, 'x'));
  EXPECT_GE(ledger.held(), 9'000u);
  receive(std::string(9'000, 'x'));
  EXPECT_TRUE(wire->closed);
  asked.clear();
  EXPECT_EQ(ledger.held(), 0u);
}

TEST_F(SessionTest, C7_keeps_nothing_of_a_request_that_it_refused) {
  Ledger ledger(10'000);
  options->ledger = &ledger;
  begin();
  receive("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n" +
          std::string(20'000, 'x'));
  settle();
  EXPECT_EQ(statuses(), "503");
  EXPECT_EQ(ledger.held(), 0u);
  EXPECT_FALSE(wire->closed);  // it lingers
}

TEST_F(SessionTest, ends_a_request_that_only_waits_when_the_server_stops) {
  std::atomic<std::int64_t> under_way{0};
  options->under_way = &under_way;
  begin();
  receive(get);
  bool gone = false;
  asked[0].request->client->on_gone([&] { gone = true; });
  EXPECT_EQ(under_way, 1);
  session->finish();
  settle();
  EXPECT_TRUE(gone);
  EXPECT_EQ(statuses(), "503");
  EXPECT_TRUE(wire->closed);
  EXPECT_EQ(under_way, 0);
  session = nullptr;
  asked.clear();
}

}  // namespace
}  // namespace pawl::server::rest

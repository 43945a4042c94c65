// SPDX-License-Identifier: Apache-2.0
#include "server/rest/decoder.hpp"

#include <gtest/gtest.h>

namespace pawl::server::rest {
namespace {

using State = Decoder::State;

// Feeds pieces as a connection would: what was not used is given again, with what comes next.
class Feed {
 public:
  explicit Feed(DecoderLimits limits = {}) : decoder(limits) {}

  void give(std::string_view bytes) {
    kept_ += bytes;
    while (!kept_.empty()) {
      const std::size_t used = decoder.feed(kept_);
      kept_.erase(0, used);
      if (decoder.state() == State::done) {
        requests.push_back(decoder.take());
      } else if (used == 0 || decoder.state() == State::refused) {
        return;
      }
    }
  }

  Decoder decoder;
  std::vector<Request> requests;

 private:
  std::string kept_;
};

std::string told(const Feed& feed) {
  std::string out;
  for (const Request& request : feed.requests) {
    out += request.method + ' ' + request.path + '?' + request.query + " [" + request.body + "] ";
  }
  if (feed.decoder.state() == State::refused) out += std::to_string(feed.decoder.status());
  return out;
}

const std::string two_requests =
    "POST /v2/a?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nA: b\r\n\r\nhello"
    "PUT /b HTTP/1.1\r\nhost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;ext=1\r\nabc\r\n1\r\nd\r\n0\r\nTrailer: x\r\n\r\n"
    "GET /c HTTP/1.1\r\nHost: h\r\n\r\n";

// What two servers in a row could understand differently: RFC 9110, 6.5.1.
TEST(Decoder, takes_no_trailer_for_a_header_however_the_bytes_are_cut) {
  const std::string bytes =
      "PUT /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n0\r\nHost: other\r\nAuthorization: me\r\n\r\n";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Feed feed;
    feed.give(std::string_view(bytes).substr(0, cut));
    feed.give(std::string_view(bytes).substr(cut));
    ASSERT_EQ(told(feed), "PUT /b? [abc] ") << cut;
    EXPECT_EQ(feed.requests[0].header("host"), "h") << cut;
    EXPECT_EQ(feed.requests[0].header("authorization"), "") << cut;
  }
}

TEST(Decoder, reads_the_same_however_the_bytes_are_cut) {
  Feed whole;
  whole.give(two_requests);
  const std::string expected = told(whole);
  EXPECT_EQ(expected, "POST /v2/a?x=1 [hello] PUT /b? [abcd] GET /c? [] ");
  for (std::size_t cut = 0; cut <= two_requests.size(); ++cut) {
    Feed feed;
    feed.give(std::string_view(two_requests).substr(0, cut));
    feed.give(std::string_view(two_requests).substr(cut));
    EXPECT_EQ(told(feed), expected) << cut;
  }
  Feed single;
  for (const char c : two_requests) single.give({&c, 1});
  EXPECT_EQ(told(single), expected);
}

TEST(Decoder, gives_headers_in_any_case) {
  Feed feed;
  feed.give("GET / HTTP/1.1\r\nHOST: h\r\nContent-TYPE: a; b\r\n\r\n");
  ASSERT_EQ(feed.requests.size(), 1u);
  EXPECT_EQ(feed.requests[0].header("content-type"), "a; b");
  EXPECT_EQ(feed.requests[0].header("absent"), "");
}

TEST(Decoder, refuses_what_is_no_request) {
  const std::string get = "GET / HTTP/1.1\r\nHost: h\r\n";
  const std::pair<std::string, int> rows[] = {
      {"nonsense\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\n\r\n", 400},
      {"GET / HTTQ/1.1\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},  // no host
      {get + "Host: i\r\n\r\n", 400},   // two hosts
      {get + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
      {get + "Content-Length: -1\r\n\r\n", 400},
      {get + "Content-Length: 99999999999999999999\r\n\r\n", 400},
      {get + "Content-Length: x\r\n\r\n", 400},
      {get + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {get + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n", 400},
      {get + "Transfer-Encoding: gzip\r\n\r\n", 501},
      {get + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
      {get + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400},
      {get + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400},
      {get + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 400},
      {get + "Expect: a-miracle\r\n\r\n", 417},
      {get + "Bad Header: x\r\n\r\n", 400},
      {get + ": x\r\n\r\n", 400},
      {std::string("GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", 29), 400},
      {get + "A: " + std::string(20'000, 'x') + "\r\n\r\n", 431},
      {"GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n", 431},
      {get + "Content-Length: 101\r\n\r\n", 413},
      {get + "Transfer-Encoding: chunked\r\n\r\nFFFFFF\r\n", 413},
  };
  for (const auto& [bytes, status] : rows) {
    Feed whole({.header_bytes = 16u << 10, .body_bytes = 100});
    whole.give(bytes);
    EXPECT_EQ(whole.decoder.state(), State::refused) << bytes.substr(0, 100);
    EXPECT_EQ(whole.decoder.status(), status) << bytes.substr(0, 100);
    EXPECT_NE(whole.decoder.why(), "");
    Feed single({.header_bytes = 16u << 10, .body_bytes = 100});
    for (const char c : bytes) single.give({&c, 1});
    EXPECT_EQ(single.decoder.status(), status) << "byte by byte: " << bytes.substr(0, 100);
  }
}

TEST(Decoder, bounds_the_body_by_what_comes_not_by_what_is_promised) {
  Feed feed({.body_bytes = 100});
  feed.give("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 100; ++i) feed.give("1\r\nx\r\n");
  EXPECT_EQ(feed.decoder.state(), State::body);
  feed.give("1\r\nx\r\n");
  EXPECT_EQ(feed.decoder.state(), State::refused);
  EXPECT_EQ(feed.decoder.status(), 413);
}

TEST(Decoder, bounds_the_header_however_many_lines_it_has) {
  Feed feed;
  feed.give("GET / HTTP/1.1\r\nHost: h\r\n");
  for (int i = 0; i < 2'000 && feed.decoder.state() == State::header; ++i) feed.give("A: b\r\nC: ");
  EXPECT_EQ(feed.decoder.state(), State::refused);
  EXPECT_EQ(feed.decoder.status(), 431);
}

TEST(Decoder, knows_who_keeps_the_connection) {
  const std::pair<const char*, bool> rows[] = {
      {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", true},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
       true},
      {"GET / HTTP/1.0\r\n\r\n", false},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
  };
  for (const auto& [bytes, keeps] : rows) {
    Decoder decoder({});
    EXPECT_EQ(decoder.feed(bytes), std::string_view(bytes).size());
    ASSERT_EQ(decoder.state(), State::done) << bytes;
    EXPECT_EQ(decoder.keeps_alive(), keeps) << bytes;
  }
}

TEST(Decoder, passes_over_empty_lines_before_a_request) {
  Feed feed;
  feed.give("\r\n\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(told(feed), "GET /a? [] GET /b? [] ");
}

}  // namespace
}  // namespace pawl::server::rest

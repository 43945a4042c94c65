// SPDX-License-Identifier: Apache-2.0
// Session: one HTTP/1.1 connection. Requests are answered one after the other, in order; the next
// ones wait in a small buffer. A client that is slow, silent or gone is dropped in time and holds
// no more than one request and one response. No sockets here: bytes go through a Wire.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/ledger.hpp"
#include "server/rest/decoder.hpp"
#include "server/rest/door.hpp"
#include "server/rest/exchange.hpp"

namespace pawl::server::rest {

// What a session stands on. All but `post` only on the thread of the connection.
class Wire {
 public:
  using Timer = std::uint64_t;  // 0: none

  virtual ~Wire() = default;
  // Then Session::received, once. One at a time.
  virtual void read() = 0;
  // Then Session::sent, once, later. `bytes` stay until then. One at a time.
  virtual void write(std::string_view bytes) = 0;
  virtual void close() = 0;
  virtual Timer after(Millis pause, std::function<void()> then) = 0;
  virtual void cancel(Timer timer) = 0;
  virtual void post(std::function<void()> then) = 0;  // any thread: runs it on the connection's
};

struct SessionOptions {
  DecoderLimits limits{};
  Millis header_within{10'000};  // from its first byte
  Millis body_pause{30'000};     // without a byte
  Millis body_within{300'000};
  Millis idle{120'000};        // between requests
  Millis write_pause{30'000};  // without progress
  Millis half_closed{1'000};   // one that sends no more and still waits then may have left
  Millis linger{2'000};        // for what a refused client still sends
  Door door{};
  Ledger* ledger{nullptr};                        // null: nobody counts bytes
  std::atomic<std::int64_t>* under_way{nullptr};  // counts requests that are being answered
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Handle = std::function<void(std::shared_ptr<Request>, Answer)>;
  struct Parts {
    std::shared_ptr<Wire> wire{};
    Handle handle{};
    std::shared_ptr<const SessionOptions> options{};
    std::string caller{};
    std::string local{};  // the address that the client came to
  };
  static std::shared_ptr<Session> make(Parts parts);
  ~Session();
  // With what the client has sent already.
  void begin(std::string_view first_bytes);

  // From the wire. Nothing: the client sends no more.
  void received(std::string_view bytes);
  void sent(bool whole);
  // Ends it now; what is being answered is told that the client is gone.
  void close();
  // Ends it after the answer that is under way, if there is one.
  void finish();

 private:
  enum class State : std::uint8_t { reading, handling, writing, lingering, closed };
  class Exchange;

  explicit Session(Parts parts);
  void want_bytes();
  void decode();
  void header_came();
  void handle();
  void answered(const std::shared_ptr<Exchange>& exchange, Response response);
  bool turned_away(bool has_body, bool keep);
  void set_busy(bool busy);
  void refuse(int status, std::string detail);
  void respond(Response response, bool keep);
  void write_next();
  void next_request();
  void begin_linger();
  void set_timer(Millis pause, std::function<void()> then);
  void time_reading();

  Parts parts_;
  Decoder decoder_;
  AccountPtr account_;
  SharePtr share_;  // for what comes in; goes with the request
  Share answer_share_;
  State state_{State::reading};
  std::string input_;
  std::string output_;
  std::size_t written_{0};
  std::function<void()> lost_;  // of the response that is being written
  std::shared_ptr<Exchange> exchange_;
  Wire::Timer timer_{0};
  Decoder::State timed_{Decoder::State::refused};  // what the timer is for, while reading
  std::chrono::steady_clock::time_point body_end_{};
  bool read_pending_{false};
  bool decoding_{false};
  bool header_seen_{false};
  bool interim_{false};  // "100 Continue" is being written
  bool refused_{false};  // there may be more of the request
  bool keep_{true};
  bool only_header_{false};
  bool busy_{false};
  bool over_{false};  // the client sends no more, or the server ends
  std::size_t lingered_{0};
};

}  // namespace pawl::server::rest

// SPDX-License-Identifier: Apache-2.0
// Connection: the HTTP/2 connection of one client. nghttp2 does the frames; this keeps the streams,
// their limits and their time. A client that does not read, does not write, asks too much or only
// makes noise loses its stream or its connection, and never holds more memory than the limits say.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "server/http2/patience.hpp"
#include "server/http2/stream.hpp"
#include "server/ledger.hpp"
#include "server/limits.hpp"
#include "server/metrics.hpp"
#include "server/transport.hpp"

#include <nghttp2/nghttp2.h>

namespace pawl::server::http2 {

// What all connections share.
struct Shared {
  Shared(const Limits& given, Metrics& counted, Ledger& bytes)
      : limits(given), metrics(counted), ledger(bytes) {}

  Limits limits;
  Metrics& metrics;
  Ledger& ledger;
  // Who speaks on a stream that begins so.
  std::function<StreamPtr(const Head&)> open{};
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(TransportPtr transport, std::shared_ptr<Shared> shared);
  ~Connection();
  void begin(std::string_view first_bytes);
  // No new requests; those that only wait are ended. Loop thread.
  void drain();
  void close();

 private:
  friend class Stream;
  struct Callbacks;
  using SteadyClock = std::chrono::steady_clock;

  // --- bytes
  void read();
  void received(std::string_view bytes);
  void touch();  // there is something to write
  void flush();
  void leave(std::uint32_t code, std::string_view why);  // says so, then closes
  void linger();

  // --- time
  void look_after();  // from time to time: what takes too long ends
  void look_after(const StreamPtr& stream, SteadyClock::time_point now);
  bool takes_nothing(SteadyClock::time_point now) const;

  // --- a request comes in
  void weigh(const nghttp2_frame_hd& frame);
  void spend(Patience& patience, std::uint32_t cost, std::string_view on_what);
  void weigh_header(std::size_t bytes);
  void on_header(std::string_view name, std::string_view value);
  void on_head(std::int32_t id, bool is_all);
  void on_data(std::int32_t id, std::string_view bytes);
  void on_request(const StreamPtr& stream);
  bool is_paused() const { return unsent_ > shared_->limits.pause_bytes; }
  void go_on();  // with the requests that waited

  // --- an answer goes out
  void more_to_take(Stream& stream, std::size_t bytes);
  std::ptrdiff_t take(Stream& stream, std::uint8_t* into, std::size_t most, std::uint32_t& flags);
  StreamPtr find(std::int32_t id) const;
  void forget(std::int32_t id);  // the stream has ended
  static nghttp2_data_provider source();

  TransportPtr transport_;
  std::shared_ptr<Shared> shared_;
  nghttp2_session* session_{nullptr};
  std::map<std::int32_t, StreamPtr> streams_;
  Head head_;                         // that is coming in: one at a time
  std::deque<std::int32_t> waiting_;  // requests that came while it was paused
  Patience patience_{flood::patience, flood::back_per_second};
  Patience with_resets_{flood::resets, flood::resets_per_second};
  AccountPtr account_;     // requests, and answers not taken
  std::size_t unsent_{0};  // answers not taken
  std::size_t owed_{0};    // of the window, which is kept small while it is paused
  SteadyClock::time_point taken_{};
  SteadyClock::time_point began_{};
  SteadyClock::time_point heard_{};
  Loop::TimerId watch_{Loop::TimerId::none};

  std::string outgoing_;
  SteadyClock::time_point write_began_{};
  std::size_t read_meanwhile_{0};  // while a write takes its time
  bool reading_{false};
  bool writing_{false};
  bool touched_{false};
  bool closed_{false};
  bool greeted_{false};  // the client has sent its preface and settings
  bool pinged_{false};
  bool draining_{false};
  bool deaf_{false};      // nothing that comes is of interest any more
  bool has_left_{false};  // the client was told so
  bool lingering_{false};
};

}  // namespace pawl::server::http2

// SPDX-License-Identifier: Apache-2.0
// Connection: the HTTP/2 connection of one gRPC client. nghttp2 does the frames; this keeps the
// calls, their limits and their time, and gives each complete request to the service. A client that
// does not read, does not write or announces too much loses its call or its connection, and never
// holds more memory than the limits say.
#pragma once

#include <map>
#include <memory>

#include "server/grpc/call.hpp"
#include "server/metrics.hpp"
#include "server/transport.hpp"

struct nghttp2_session;

namespace pawl::server::grpc {

struct Limits {
  std::size_t message_bytes{4u << 20};
  std::size_t header_bytes{16u << 10};
  std::uint32_t calls{10'000};             // open at once on one connection
  std::size_t unsent_bytes{64u << 20};     // of one connection
  std::size_t received_bytes{256u << 20};  // of all connections: requests not complete yet
  Millis greeted_within{10'000};           // the first words of a connection
  Millis request_within{30'000};           // from its first byte to its last
  Millis silence{90'000};                  // then it is asked for a sign of life
  Millis sent_within{30'000};              // a client that does not read
};

// What all connections share.
struct Shared {
  Limits limits{};
  Metrics* metrics{nullptr};
  std::function<bool(std::string_view authorization)> allows{};
  std::function<void(const CallPtr&)> handle{};
  std::atomic<std::size_t> received{0};  // bytes of requests that are not complete
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(TransportPtr transport, std::shared_ptr<Shared> shared);
  ~Connection();
  void begin(std::string_view first_bytes);
  // No new calls; those that only wait are ended with UNAVAILABLE. Loop thread.
  void drain();
  bool idle() const { return calls_.empty() && !writing_; }
  void close();

 private:
  friend class Call;
  struct Callbacks;
  using SteadyClock = std::chrono::steady_clock;

  void read();
  void received(std::string_view bytes);
  void touch();  // there is something to write
  void flush();
  void look_after();  // from time to time: what takes too long ends
  Call* find(std::int32_t stream);
  void forget(std::int32_t stream);  // the stream has ended

  // --- a request comes in
  void on_header(Call& call, std::string_view name, std::string_view value);
  void on_headers_complete(Call& call);
  void on_data(Call& call, std::string_view bytes);
  void on_request_complete(const CallPtr& call);
  void drop_input(Call& call);

  // --- an answer goes out
  void submit_headers(Call& call, bool only_trailers);
  void submit_trailers(Call& call);
  void resume(Call& call);
  void end_call(Call& call);
  std::ptrdiff_t take_output(Call& call, std::uint8_t* into, std::size_t most,
                             std::uint32_t& flags);

  TransportPtr transport_;
  std::shared_ptr<Shared> shared_;
  nghttp2_session* session_{nullptr};
  std::map<std::int32_t, CallPtr> calls_;
  std::string outgoing_;
  bool writing_{false};
  bool touched_{false};
  bool closed_{false};
  bool greeted_{false};  // the client has sent its preface and settings
  bool draining_{false};
  std::size_t unsent_{0};
  SteadyClock::time_point began_{};
  SteadyClock::time_point heard_{};
  SteadyClock::time_point write_began_{};
  bool pinged_{false};
  Loop::TimerId watch_{Loop::TimerId::none};
};

}  // namespace pawl::server::grpc

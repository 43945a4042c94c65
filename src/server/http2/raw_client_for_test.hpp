// SPDX-License-Identifier: Apache-2.0
// A client that says HTTP/2 byte by byte, for tests: it can leave out what every library does.
#pragma once

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace pawl::server::http2 {

enum class FrameType : std::uint8_t {
  data,
  headers,
  priority,
  reset,
  settings,
  push,
  ping,
  goaway,
  window
};
inline constexpr std::uint8_t end_stream = 1, end_headers = 4;

inline std::string big_endian(std::uint32_t value, int bytes = 4) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

inline std::string frame(FrameType type, std::uint8_t flags, std::uint32_t stream,
                         std::string_view payload) {
  return big_endian(static_cast<std::uint32_t>(payload.size()), 3) + static_cast<char>(type) +
         static_cast<char>(flags) + big_endian(stream) + std::string(payload);
}

// Never indexed, never compressed; texts below 127 bytes.
inline std::string field(std::string_view name, std::string_view value) {
  std::string out(1, '\0');
  for (const std::string_view text : {name, value}) {
    out += static_cast<char>(text.size());
    out += text;
  }
  return out;
}

inline std::string get_request(std::uint32_t stream, std::string_view path) {
  return frame(FrameType::headers, end_stream | end_headers, stream,
               field(":method", "GET") + field(":scheme", "http") + field(":path", path) +
                   field(":authority", "localhost"));
}

// A call of gRPC, or a part of it: without its data.
inline std::string call_head(std::uint32_t stream, std::string_view method) {
  return frame(FrameType::headers, end_headers, stream,
               field(":method", "POST") + field(":scheme", "http") + field(":path", method) +
                   field(":authority", "localhost") + field("content-type", "application/grpc") +
                   field("te", "trailers"));
}
inline std::string call(std::uint32_t stream, std::string_view method, std::string_view message) {
  return call_head(stream, method) +
         frame(
             FrameType::data, end_stream, stream,
             '\0' + big_endian(static_cast<std::uint32_t>(message.size())) + std::string(message));
}

inline std::string cancelled(std::uint32_t stream) {
  return frame(FrameType::reset, 0, stream, big_endian(8));
}
inline std::string settings_taken() { return frame(FrameType::settings, 1, 0, ""); }

inline std::string initial_window(std::uint32_t bytes) {
  return frame(FrameType::settings, 0, 0, big_endian(4, 2) + big_endian(bytes));
}
inline std::string more_window(std::uint32_t stream, std::uint32_t bytes) {
  return frame(FrameType::window, 0, stream, big_endian(bytes));
}

class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    ::inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) closed = true;
    const int at_once = 1;  // else each small frame after another waits 40 ms for a sign of life
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(FrameType::settings, 0, 0, ""));
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // Takes what comes until `enough`, at most so long. False: it was not.
  bool take_until(const std::function<bool()>& enough, Millis most = Millis(20'000)) {
    const auto end = std::chrono::steady_clock::now() + most;
    while (!enough() && !closed && std::chrono::steady_clock::now() < end) {
      pollfd ready{socket_, POLLIN, 0};
      if (::poll(&ready, 1, 20) == 1) take_some();
    }
    return enough();
  }
  void take_for(Millis time) {
    take_until([] { return false; }, time);
  }

  struct Answer {
    bool begun{false};
    bool ended{false};
    std::size_t bytes{0};
    std::int64_t reset{-1};
  };
  std::map<std::uint32_t, Answer> answers{};     // by stream
  std::map<std::uint32_t, std::size_t> given{};  // more window, by stream; 0: of the connection
  std::int64_t goaway{-1};                       // its code
  std::string goaway_words{};
  bool closed{false};

  std::size_t count(const std::function<bool(const Answer&)>& that) const {
    std::size_t out = 0;
    for (const auto& [stream, answer] : answers) out += that(answer) ? 1 : 0;
    return out;
  }

 private:
  void take_some() {
    char room[65'536];
    const ssize_t count = ::recv(socket_, room, sizeof room, 0);
    if (count <= 0) {
      closed = true;
      return;
    }
    come_.append(room, static_cast<std::size_t>(count));
    while (come_.size() >= 9 && come_.size() >= 9 + number_at(0, 3)) {
      take_frame(number_at(0, 3));
    }
  }

  void take_frame(std::uint32_t size) {
    const auto type = static_cast<FrameType>(come_[3]);
    const bool last = come_[4] & end_stream;
    const std::uint32_t stream = number_at(5, 4);
    if (type == FrameType::goaway) {
      goaway = number_at(13, 4);
      goaway_words = come_.substr(17, size - 8);
    }
    if (type == FrameType::headers) answers[stream].begun = true;
    if (type == FrameType::data) answers[stream].bytes += size;
    if (type == FrameType::headers || type == FrameType::data) answers[stream].ended |= last;
    if (type == FrameType::window) given[stream] += number_at(9, 4);
    if (type == FrameType::reset) answers[stream].reset = number_at(9, 4);
    come_.erase(0, 9 + size);
  }

  std::uint32_t number_at(std::size_t place, std::size_t bytes) const {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      out = out << 8 | static_cast<std::uint8_t>(come_[place + i]);
    }
    return out;
  }

  int socket_;
  std::string come_;
};

}  // namespace pawl::server::http2

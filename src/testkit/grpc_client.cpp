// SPDX-License-Identifier: Apache-2.0
#include "testkit/grpc_client.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace pawl::testkit {
namespace {

[[noreturn]] void give_up(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

nghttp2_nv header(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

std::string_view text_of(const std::uint8_t* bytes, std::size_t count) {
  return {reinterpret_cast<const char*>(bytes), count};
}

}  // namespace

struct GrpcClient::Callbacks {
  static GrpcClient& of(void* user) { return *static_cast<GrpcClient*>(user); }

  static int header_came(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                         std::size_t name_length, const std::uint8_t* value,
                         std::size_t value_length, std::uint8_t, void* user) {
    const auto found = of(user).calls_.find(frame->hd.stream_id);
    if (found == of(user).calls_.end()) return 0;
    const std::string_view key = text_of(name, name_length);
    const std::string_view text = text_of(value, value_length);
    if (key == "grpc-status") found->second.status = std::stoi(std::string(text));
    if (key == "grpc-message") found->second.text = text;
    return 0;
  }
  static int data_came(nghttp2_session*, std::uint8_t, std::int32_t stream,
                       const std::uint8_t* bytes, std::size_t count, void* user) {
    const auto found = of(user).calls_.find(stream);
    if (found == of(user).calls_.end()) return 0;
    found->second.input.append(text_of(bytes, count));
    of(user).take_messages(found->second);
    return 0;
  }
  static int closed(nghttp2_session*, std::int32_t stream, std::uint32_t, void* user) {
    const auto node = of(user).calls_.extract(stream);
    if (!node.empty() && node.mapped().ended) {
      node.mapped().ended(node.mapped().status, node.mapped().text);
    }
    return 0;
  }
  static ssize_t take_request(nghttp2_session*, std::int32_t stream, std::uint8_t* into,
                              std::size_t most, std::uint32_t* flags, nghttp2_data_source*,
                              void* user) {
    Call& call = of(user).calls_.at(stream);
    const std::size_t count = std::min(most, call.request.size() - call.sent);
    std::copy_n(call.request.data() + call.sent, count, into);
    call.sent += count;
    if (call.sent == call.request.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(count);
  }
};

GrpcClient::GrpcClient(std::uint16_t port) {
  socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    give_up("connect");
  }
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);

  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, Callbacks::header_came);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Callbacks::data_came);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Callbacks::closed);
  nghttp2_session_client_new(&session_, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1u << 20},
                                             {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, 16 << 20);
}

GrpcClient::~GrpcClient() {
  nghttp2_session_del(session_);
  ::close(socket_);
}

void GrpcClient::call(std::string_view method, std::string_view request, Message message,
                      Ended ended) {
  std::string path(method);
  if (!path.starts_with('/')) path.insert(0, "/gateway_protocol.Gateway/");
  std::vector<nghttp2_nv> headers{header(":method", "POST"),
                                  header(":scheme", "http"),
                                  header(":path", path),
                                  header(":authority", "localhost"),
                                  header("content-type", "application/grpc"),
                                  header("te", "trailers")};
  for (const auto& [name, value] : more_headers) headers.push_back(header(name, value));
  const nghttp2_data_provider source{.source = {}, .read_callback = Callbacks::take_request};
  const std::int32_t stream =
      nghttp2_submit_request(session_, nullptr, headers.data(), headers.size(), &source, nullptr);
  if (stream < 0) throw std::runtime_error(nghttp2_strerror(stream));
  Call& made = calls_[stream];
  if (!prefixed) {
    made.request.push_back('\0');
    const auto length = static_cast<std::uint32_t>(request.size());
    for (int shift = 24; shift >= 0; shift -= 8) {
      made.request.push_back(static_cast<char>(length >> shift & 0xFF));
    }
  }
  made.request.append(request);
  made.message = std::move(message);
  made.ended = std::move(ended);
}

void GrpcClient::take_messages(Call& call) {
  std::size_t at = 0;
  while (call.input.size() - at >= 5) {
    std::uint32_t length = 0;
    for (std::size_t i = 1; i < 5; ++i) {
      length = length << 8 | static_cast<std::uint8_t>(call.input[at + i]);
    }
    if (call.input.size() - at - 5 < length) break;
    if (call.message) call.message(std::string_view(call.input).substr(at + 5, length));
    at += 5 + length;
  }
  call.input.erase(0, at);
}

void GrpcClient::write() {
  while (true) {
    if (written_ == outgoing_.size()) {
      outgoing_.clear();
      written_ = 0;
      const std::uint8_t* bytes = nullptr;
      ssize_t count = 0;
      while (outgoing_.size() < (256u << 10) &&
             (count = nghttp2_session_mem_send(session_, &bytes)) > 0) {
        outgoing_.append(text_of(bytes, static_cast<std::size_t>(count)));
      }
      if (outgoing_.empty()) return;
    }
    const ssize_t sent =
        ::send(socket_, outgoing_.data() + written_, outgoing_.size() - written_, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (sent < 0) return on_closed();
    written_ += static_cast<std::size_t>(sent);
  }
}

void GrpcClient::read() {
  static std::vector<std::uint8_t> buffer(256u << 10);
  while (true) {
    const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count <= 0) return on_closed();
    if (nghttp2_session_mem_recv(session_, buffer.data(), static_cast<std::size_t>(count)) < 0) {
      give_up("broken answer");
    }
    if (static_cast<std::size_t>(count) < buffer.size()) return;
  }
}

// Whoever waits is told that the server is gone (14).
void GrpcClient::on_closed() {
  closed_ = true;
  const std::map<std::int32_t, Call> open = std::exchange(calls_, {});
  for (const auto& [stream, call] : open) {
    if (call.ended) call.ended(14, "the server closed the connection");
  }
}

void GrpcClient::send_raw(std::string_view bytes) {
  write();
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return on_closed();
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void GrpcClient::turn(int wait_ms) {
  if (closed_) return;
  write();
  if (closed_) return;
  pollfd entry{socket_, POLLIN, 0};
  if (written_ < outgoing_.size()) entry.events |= POLLOUT;
  ::poll(&entry, 1, wait_ms);
  if (entry.revents & (POLLIN | POLLHUP | POLLERR)) read();
  if (!closed_) write();
}

}  // namespace pawl::testkit

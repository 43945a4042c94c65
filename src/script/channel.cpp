// SPDX-License-Identifier: Apache-2.0
#include "script/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace pawl::script {
namespace {

using Length = std::uint64_t;

constexpr std::size_t usual_bytes = 64u << 10;  // of room that is kept for the next message

}  // namespace

Channel::~Channel() { ::close(socket_); }

bool Channel::is_quiet() const {
  pollfd watched{.fd = socket_, .events = POLLIN, .revents = 0};
  return used_ == in_.size() && ::poll(&watched, 1, 0) == 0;
}

Channel::State Channel::wait_for(short event, Patience* patience) {
  if (patience == nullptr) return State::fine;  // the call itself waits
  for (;;) {
    const int left = patience->left();
    if (left <= 0) return State::late;
    pollfd watched{.fd = socket_, .events = event, .revents = 0};
    if (::poll(&watched, 1, left) > 0) return State::fine;
  }
}

Channel::State Channel::send(std::string_view message, Patience* patience) {
  const Length length = message.size();
  out_.assign(sizeof length, '\0');
  std::memcpy(out_.data(), &length, sizeof length);
  out_ += message;
  const int flags = MSG_NOSIGNAL | (patience != nullptr ? MSG_DONTWAIT : 0);
  for (std::size_t sent = 0; sent < out_.size();) {
    const ssize_t count = ::send(socket_, out_.data() + sent, out_.size() - sent, flags);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return State::closed;
    if (const State state = wait_for(POLLOUT, patience); state != State::fine) return state;
  }
  if (out_.capacity() > usual_bytes) std::string().swap(out_);
  return State::fine;
}

Channel::State Channel::read_more(Patience* patience) {
  if (const State state = wait_for(POLLIN, patience); state != State::fine) return state;
  char chunk[16u << 10];
  ssize_t count = 0;
  do {
    count = ::recv(socket_, chunk, sizeof chunk, patience != nullptr ? MSG_DONTWAIT : 0);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    in_.append(chunk, static_cast<std::size_t>(count));
    return State::fine;
  }
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? State::fine : State::closed;
}

Channel::State Channel::receive(std::string_view& message, std::size_t most_bytes,
                                Patience* patience) {
  in_.erase(0, used_);
  used_ = 0;
  if (in_.empty() && in_.capacity() > usual_bytes) std::string().swap(in_);
  Length length = 0;
  for (;;) {
    if (in_.size() >= sizeof length) {
      std::memcpy(&length, in_.data(), sizeof length);
      if (length > most_bytes) return State::garbage;
      if (in_.size() - sizeof length >= length) break;
    }
    if (const State state = read_more(patience); state != State::fine) return state;
  }
  message = std::string_view(in_).substr(sizeof length, length);
  used_ = sizeof length + length;
  return State::fine;
}

}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
// Messages over a socket between two processes: eight bytes of length, then the bytes. The other
// side is not trusted: nothing is longer than the caller allows, and nothing takes longer than its
// patience.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::script {

// How long somebody waits. Asked whenever there is nothing to do but wait.
class Patience {
 public:
  virtual ~Patience() = default;
  // Milliseconds until it should be asked again; 0: it is at its end.
  virtual int left() = 0;
};

class Channel {
 public:
  enum class State : std::uint8_t {
    fine,
    closed,   // the other side has gone
    late,     // patience was at its end
    garbage,  // what came is longer than allowed
  };

  // Owns the socket. Without `patience` it waits for ever.
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  State send(std::string_view message, Patience* patience);
  // `message` is valid until the next call.
  State receive(std::string_view& message, std::size_t most_bytes, Patience* patience);

  // Nothing waits to be read, and the other side is there.
  bool is_quiet() const;

 private:
  State wait_for(short event, Patience* patience);
  State read_more(Patience* patience);

  int socket_;
  std::string in_{};  // what was read: from `used_` on not yet given to anybody
  std::size_t used_{0};
  std::string out_{};
};

}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
#include "script/channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace pawl::script {
namespace {

using State = Channel::State;

class Looks final : public Patience {
 public:
  explicit Looks(int count) : count_(count) {}
  int left() override { return count_-- > 0 ? 5 : 0; }

 private:
  int count_;
};

std::array<int, 2> pair_of_sockets() {
  std::array<int, 2> sockets{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()), 0);
  return sockets;
}

TEST(Channel, messages_of_every_size_arrive_one_by_one) {
  const auto sockets = pair_of_sockets();
  Channel here(sockets[0]);
  Channel there(sockets[1]);
  const std::string sent[] = {"", "a", std::string(100'000, 'b'), std::string(3'000'000, 'c'), "d"};
  std::thread sender([&] {
    for (const std::string& message : sent) EXPECT_EQ(here.send(message, nullptr), State::fine);
  });
  Looks patience(1'000);
  for (const std::string& message : sent) {
    std::string_view got;
    ASSERT_EQ(there.receive(got, 3'000'000, &patience), State::fine);
    EXPECT_EQ(got, message);
  }
  sender.join();
  EXPECT_TRUE(there.is_quiet());
}

TEST(Channel, nobody_waits_longer_than_patience_lasts) {
  const auto sockets = pair_of_sockets();
  Channel here(sockets[0]);
  Channel there(sockets[1]);
  std::string_view got;
  Looks patience(2);
  EXPECT_EQ(here.receive(got, 10, &patience), State::late);
  Looks other(2);
  EXPECT_EQ(here.send(std::string(10'000'000, 'x'), &other), State::late) << "nobody reads it";
}

TEST(Channel, a_message_in_drops_is_late_as_well) {
  const auto sockets = pair_of_sockets();
  Channel here(sockets[0]);
  const std::uint64_t length = 1'000'000;
  ASSERT_EQ(::send(sockets[1], &length, sizeof length, 0), 8);
  std::thread dripping([&] {
    while (::send(sockets[1], "x", 1, MSG_NOSIGNAL) == 1) std::this_thread::yield();
  });
  std::string_view got;
  Looks patience(50);
  EXPECT_EQ(here.receive(got, length, &patience), State::late);
  ::shutdown(sockets[0], SHUT_RDWR);
  dripping.join();
  ::close(sockets[1]);
}

TEST(Channel, too_long_is_refused_before_it_is_read) {
  const auto sockets = pair_of_sockets();
  Channel here(sockets[0]);
  for (const std::uint64_t length : {std::uint64_t{11}, UINT64_MAX}) {
    ASSERT_EQ(::send(sockets[1], &length, sizeof length, 0), 8);
    std::string_view got;
    Looks patience(2);
    EXPECT_EQ(here.receive(got, 10, &patience), State::garbage);
  }
  ::close(sockets[1]);
}

TEST(Channel, the_end_of_the_other_side_is_noticed) {
  const auto sockets = pair_of_sockets();
  Channel here(sockets[0]);
  EXPECT_TRUE(here.is_quiet());
  ::close(sockets[1]);
  EXPECT_FALSE(here.is_quiet());
  std::string_view got;
  Looks patience(2);
  EXPECT_EQ(here.receive(got, 10, &patience), State::closed);
  EXPECT_EQ(here.send("x", &patience), State::closed);
}

}  // namespace
}  // namespace pawl::script

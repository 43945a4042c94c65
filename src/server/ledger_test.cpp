// SPDX-License-Identifier: Apache-2.0
#include "server/ledger.hpp"

#include <gtest/gtest.h>

namespace pawl::server {
namespace {

AccountPtr account_in(Ledger& ledger) { return std::make_shared<Account>(&ledger); }

TEST(Ledger, C7_what_is_left_for_small_questions_cannot_be_had_in_small_pieces) {
  Ledger ledger(100'000);
  Share all(account_in(ledger));
  ASSERT_TRUE(all.set(100'000));
  const AccountPtr greedy = account_in(ledger);
  Share body(greedy);
  std::size_t had = 0;
  while (had < 50'000 && body.add(1'000)) had += 1'000;
  EXPECT_LE(had, Ledger::small_bytes);
  Share another(greedy);  // of the same connection
  EXPECT_FALSE(another.add(1'000));
  Share question(account_in(ledger));
  EXPECT_TRUE(question.add(1'000));
}

TEST(Ledger, C7_bytes_count_until_the_last_who_keeps_them_lets_go) {
  Ledger ledger(100'000);
  AccountPtr connection = account_in(ledger);
  auto request = std::make_shared<Share>(connection);
  ASSERT_TRUE(request->set(5'000));
  const auto work = [kept = request] { return kept != nullptr; };
  request = nullptr;
  connection = nullptr;
  EXPECT_TRUE(work());
  EXPECT_EQ(ledger.held(), 5'000u);
}

TEST(Ledger, C7_there_is_less_room_for_large_requests_while_many_have_left) {
  Ledger ledger(16'000'000);
  Share stays(account_in(ledger));
  ASSERT_TRUE(stays.set_request(4'000'000));
  Share another(account_in(ledger));
  EXPECT_TRUE(another.set_request(4'000'000));
  stays.leave();
  Share large(account_in(ledger));
  EXPECT_FALSE(large.set_request(100'000));
  EXPECT_TRUE(large.set_request(10'000));
  EXPECT_TRUE(large.set(100'000));  // answers
  EXPECT_TRUE(large.set(0));
  EXPECT_TRUE(stays.set(0));  // it was done
  EXPECT_TRUE(large.set_request(100'000));
}

TEST(Ledger, what_was_refused_is_not_counted) {
  Ledger ledger(100'000);
  const auto account = std::make_shared<Account>(&ledger, 10'000);
  Share share(account);
  EXPECT_TRUE(share.add(8'000));
  EXPECT_FALSE(share.add(3'000));  // more than a connection may have
  EXPECT_EQ(ledger.held(), 8'000u);
  EXPECT_TRUE(share.add(2'000));
  share.give_back(10'000);
  EXPECT_EQ(ledger.held(), 0u);
}

}  // namespace
}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
#include "server/doorman.hpp"

#include <gtest/gtest.h>

namespace pawl::server {
namespace {

constexpr std::string_view here = "192.0.2.7:8080";

std::string outcome(const Doorman& doorman, Visit visit) {
  visit.local = here;
  const auto turned_away = doorman.look_at(visit);
  if (!turned_away) return "in";
  EXPECT_FALSE(turned_away->text.empty());
  return turned_away->why == TurnedAway::Why::not_ours ? "not ours" : "other site";
}

TEST(Doorman, C1_knows_its_own_hosts) {
  const Doorman doorman({"pawl.example.org", "Gateway:8443", "[2001:db8::1]"});
  const struct {
    std::string_view host;
    std::string_view is;
  } rows[] = {
      {"", "in"},  // what probes a server may leave it out; browsers never do
      {"localhost", "in"},
      {"LocalHost:8080", "in"},
      {"127.0.0.1:8080", "in"},
      {"127.9.9.9", "in"},
      {"[::1]:8080", "in"},
      {"192.0.2.7:8080", "in"},  // the address that the client came to
      {"192.0.2.7", "in"},
      {"pawl.example.org", "in"},
      {"PAWL.example.org:9000", "in"},
      {"gateway", "in"},
      {"[2001:db8::1]:1", "in"},
      {"192.0.2.8:8080", "not ours"},
      {"evil.example", "not ours"},
      {"evil.localhost.example", "not ours"},
      {"localhost.evil.example:8080", "not ours"},
      {"pawl.example.org.evil.example", "not ours"},
      {"127.0.0.1.evil.example", "not ours"},
      {":8080", "not ours"},
      {"[", "not ours"},
      {"[::2]", "not ours"},
      {"localhost@evil.example", "not ours"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(outcome(doorman, {.method = "GET", .host = row.host}), row.is) << row.host;
  }
}

TEST(Doorman, C1_lets_no_page_of_another_site_change_anything) {
  const Doorman doorman({"pawl.example.org"});
  const struct {
    std::string_view method, origin, site, is;
  } rows[] = {
      {"POST", "", "", "in"},  // no browser
      {"POST", "http://localhost:8080", "", "in"},
      {"POST", "https://LOCALHOST:8080", "same-origin", "in"},
      {"POST", "", "none", "in"},
      {"POST", "https://pawl.example.org", "same-origin", "in"},  // behind a proxy
      {"POST", "http://localhost:3000", "", "other site"},
      {"POST", "http://localhost:8080.evil.example", "", "other site"},
      {"POST", "http://evil.example", "", "other site"},
      {"POST", "null", "", "other site"},
      {"POST", "", "cross-site", "other site"},
      {"POST", "", "same-site", "other site"},
      {"POST", "http://localhost:8080", "cross-site", "other site"},
      {"PUT", "http://evil.example", "", "other site"},
      {"PATCH", "http://evil.example", "", "other site"},
      {"DELETE", "http://evil.example", "", "other site"},
      {"get", "http://evil.example", "", "other site"},  // no method that is known to be safe
      {"GET", "http://evil.example", "cross-site", "in"},
      {"HEAD", "http://evil.example", "cross-site", "in"},
      {"OPTIONS", "http://evil.example", "cross-site", "in"},
  };
  for (const auto& row : rows) {
    const Visit visit{.method = row.method,
                      .host = "localhost:8080",
                      .origin = row.origin,
                      .fetch_site = row.site};
    EXPECT_EQ(outcome(doorman, visit), row.is)
        << row.method << " from '" << row.origin << "', site '" << row.site << "'";
  }
}

TEST(Doorman, quotes_only_what_can_be_shown) {
  const auto turned_away = Doorman().look_at({.method = "GET", .host = "a\x1b[31m\n"});
  ASSERT_TRUE(turned_away);
  EXPECT_EQ(turned_away->text.find('\x1b'), std::string::npos);
  EXPECT_LT(Doorman().look_at({.method = "GET", .host = std::string(9'000, 'x')})->text.size(),
            500u);
}

}  // namespace
}  // namespace pawl::server

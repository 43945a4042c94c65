// SPDX-License-Identifier: Apache-2.0
#include "server/doorman.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>

#include "base/ascii.hpp"

namespace pawl::server {

namespace asio = boost::asio;

namespace {

constexpr std::size_t quoted_bytes = 100;  // of what a client said

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

// "localhost:8080" → "localhost", "[::1]:8080" → "::1".
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, std::min(host.find(']'), host.size()) - 1);
  return host.substr(0, host.find(':'));
}

std::optional<asio::ip::address> address_in(std::string_view host) {
  boost::system::error_code error;
  auto address = asio::ip::make_address(std::string(without_port(host)), error);
  if (error) return std::nullopt;
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  }
  return address;
}

bool changes_something(std::string_view method) {
  return method != "GET" && method != "HEAD" && method != "OPTIONS";
}

// A client may have sent anything; a log or a terminal may show it.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, quoted_bytes)) out += c >= ' ' && c <= '~' ? c : '?';
  return out;
}

}  // namespace

Doorman::Doorman(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::string& name : names_) name = in_small_letters(name);
}

std::optional<TurnedAway> Doorman::look_at(const Visit& visit) const {
  // No browser leaves the host out; what probes a server sometimes does.
  if (!visit.host.empty() && !is_ours(visit.host, visit.local)) {
    return TurnedAway{TurnedAway::Why::not_ours,
                      fmt::format("this server is not called '{}'; ask it by its address, or start "
                                  "it with --host {}",
                                  quoted(visit.host), quoted(without_port(visit.host)))};
  }
  if (!changes_something(visit.method)) return std::nullopt;
  const bool other_site =
      !visit.fetch_site.empty() && visit.fetch_site != "same-origin" && visit.fetch_site != "none";
  if (!other_site && is_own_origin(visit)) return std::nullopt;
  const std::string_view from =
      visit.origin.empty() ? std::string_view("another site") : visit.origin;
  return TurnedAway{
      TurnedAway::Why::other_site,
      fmt::format("a page of {} may not change anything here; only pages of this server may (to "
                  "serve it under a name behind a proxy, start it with --host NAME)",
                  quoted(from))};
}

bool Doorman::is_ours(std::string_view host, std::string_view local) const {
  const std::string name = in_small_letters(without_port(host));
  if (name == "localhost") return true;
  if (const auto address = address_in(host)) {
    if (address->is_loopback() || address == address_in(local)) return true;
  }
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& own) { return without_port(own) == name; });
}

// The origin is the host that the request was sent to, or one that the operator named.
bool Doorman::is_own_origin(const Visit& visit) const {
  if (visit.origin.empty()) return true;
  const std::size_t slashes = visit.origin.find("://");
  if (slashes == std::string_view::npos) return false;  // "null"
  const std::string from = in_small_letters(visit.origin.substr(slashes + 3));
  if (from == in_small_letters(visit.host)) return true;
  return std::find(names_.begin(), names_.end(), from) != names_.end();
}

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
// Doorman: which requests come in at all, whoever sends them. A page of another site can make a
// browser send requests to this server, also under a name of its own that it points here; so a
// request must name this server, and one that changes something must not come from another site.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::server {

// What a request says about where it goes and where it comes from; empty: it does not say.
struct Visit {
  std::string_view method{};
  std::string_view host{};        // Host or :authority, as it came
  std::string_view origin{};      // Origin
  std::string_view fetch_site{};  // Sec-Fetch-Site
  std::string_view local{};       // the address that the connection came to: "10.0.0.7:8080"
};

struct TurnedAway {
  enum class Why { not_ours, other_site };
  Why why{Why::not_ours};
  std::string text{};
};

class Doorman {
 public:
  // `names`: of this server, besides its addresses: NAME or NAME:PORT, in any case.
  explicit Doorman(std::vector<std::string> names = {});
  // Nothing: it may come in.
  std::optional<TurnedAway> look_at(const Visit& visit) const;

 private:
  bool is_ours(std::string_view host, std::string_view local) const;
  bool is_own_origin(const Visit& visit) const;

  std::vector<std::string> names_;  // as they were given, in small letters
};

}  // namespace pawl::server

// SPDX-License-Identifier: Apache-2.0
// Auth: who may ask at all. Secrets are compared in a time that does not depend on where they
// differ, and are never written anywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace pawl::server {

// The value of the header for a name and a password.
std::string basic_authorization(std::string_view user, std::string_view password);

class Auth {
 public:
  // Nobody is asked for anything.
  Auth() = default;
  // Each line of a file: "token SECRET" or "user NAME PASSWORD"; # begins a comment.
  static Result<Auth> parse(std::string_view text);
  static Result<Auth> read(const std::string& path);

  bool on() const { return !accepted_.empty(); }
  // The value of the header "authorization", as it came.
  bool allows(std::string_view authorization) const;

 private:
  std::vector<std::string> accepted_;  // header values: "Bearer …", "Basic …"
};

}  // namespace pawl::server

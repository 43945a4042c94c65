// SPDX-License-Identifier: Apache-2.0
// The limits of one instance, which `pawl serve` and `pawl run` set with the same options.
#pragma once

#include <span>
#include <string_view>

#include "base/result.hpp"
#include "engine/turn.hpp"

namespace pawl::cli {

struct AllowanceOption {
  std::string_view name;
  std::string_view value;
  std::string_view help;
  Result<void> (*set)(engine::Allowance&, std::string_view text);
};

std::span<const AllowanceOption> allowance_options();

// "64M", "512K", "1G", "1000000".
Result<std::size_t> size_argument(std::string_view text);

}  // namespace pawl::cli

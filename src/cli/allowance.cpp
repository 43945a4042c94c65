// SPDX-License-Identifier: Apache-2.0
#include "cli/allowance.hpp"

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/input.hpp"

namespace pawl::cli {
namespace {

using engine::Allowance;

// More than a turn can store would be no limit at all.
Result<void> set_size(std::size_t& into, std::string_view text) {
  PAWL_TRY(bytes, size_argument(text));
  constexpr std::size_t most = limits::record_bytes / 2;
  if (bytes > most) {
    return wrong_argument(
        fmt::format("\"{}\" is more than a turn can store; at most {}M", text, most >> 20));
  }
  into = bytes;
  return {};
}

constexpr AllowanceOption options[] = {
    {"--max-value", "SIZE",
     "of one value of an instance; more is refused, or an incident; default 4M",
     [](Allowance& allowance, std::string_view text) { return set_size(allowance.value, text); }},
    {"--max-instance", "SIZE", "of all that one instance holds; default 64M",
     [](Allowance& allowance, std::string_view text) {
       return set_size(allowance.instance, text);
     }},
    {"--max-iterations", "N", "of one loop; more is an incident; default 1000000",
     [](Allowance& allowance, std::string_view text) -> Result<void> {
       PAWL_TRY(count, whole_number(text, 1, limits::iterations_settable));
       allowance.iterations = static_cast<std::uint32_t>(count);
       return {};
     }},
    {"--max-steps", "N",
     "of an instance without waiting, about; then it is stopped; default 1000000",
     [](Allowance& allowance, std::string_view text) -> Result<void> {
       PAWL_TRY(count, whole_number(text, 1'000, 1'000'000'000'000));
       allowance.steps = count;
       return {};
     }},
};

}  // namespace

std::span<const AllowanceOption> allowance_options() { return options; }

Result<std::size_t> size_argument(std::string_view text) {
  std::uint64_t unit = 1;
  std::string_view digits = text;
  if (!text.empty()) {
    constexpr std::string_view units = "KMG";
    const std::size_t place = units.find(text.back());
    if (place != std::string_view::npos) {
      unit = 1ull << (10 * (place + 1));
      digits.remove_suffix(1);
    }
  }
  const auto count = whole_number(digits, 1, 1ull << 40);
  if (!count)
    return wrong_argument(fmt::format("expected a size such as 64M or 1G, not \"{}\"", text));
  return static_cast<std::size_t>(*count * unit);
}

}  // namespace pawl::cli

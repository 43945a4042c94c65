// SPDX-License-Identifier: Apache-2.0
#include "engine/cost.hpp"

#include "base/assert.hpp"
#include "base/limits.hpp"

namespace pawl::engine::cost {
namespace {

std::size_t bytes_in(const Value& value) {
  PAWL_ASSERT(value.depth() <= limits::stored_depth);  // the gate has let it in
  return value.encoded_size();
}

}  // namespace

std::size_t bytes_in(const Event& event) {
  return std::visit(
      [](const auto& one) {
        std::size_t bytes = 0;
        if constexpr (requires { one.value; }) bytes += bytes_in(one.value);
        if constexpr (requires { one.variables; }) bytes += bytes_in(one.variables);
        if constexpr (requires { one.items; }) bytes += bytes_in(one.items);
        if constexpr (requires { one.output; }) bytes += bytes_in(one.output);
        if constexpr (requires { one.result; }) bytes += bytes_in(one.result);
        if constexpr (requires { one.details; }) bytes += bytes_in(one.details);
        if constexpr (requires { one.name; }) bytes += one.name.text().size();
        if constexpr (requires { one.message; }) bytes += one.message.size();
        if constexpr (requires { one.correlation; }) bytes += one.correlation.size();
        return bytes;
      },
      event);
}

}  // namespace pawl::engine::cost

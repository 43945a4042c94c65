// SPDX-License-Identifier: Apache-2.0
// The texts of nghttp2 as ours, and ours as its.
#pragma once

#include <nghttp2/nghttp2.h>

#include <string_view>

namespace pawl::server::http2 {

inline nghttp2_nv line_of(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

inline std::string_view view_of(const std::uint8_t* bytes, std::size_t count) {
  return {reinterpret_cast<const char*>(bytes), count};
}

}  // namespace pawl::server::http2

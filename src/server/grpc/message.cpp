// SPDX-License-Identifier: Apache-2.0
#include "server/grpc/message.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <charconv>

#include "base/ascii.hpp"

namespace pawl::server::grpc {
namespace {

constexpr std::size_t prefix_bytes = 5;
constexpr std::size_t header_text_bytes = 4'000;  // clients accept header lists of 8 KB and more

std::uint32_t length_of(std::string_view prefix) {
  std::uint32_t length = 0;
  for (std::size_t i = 1; i < prefix_bytes; ++i) {
    length = length << 8 | static_cast<std::uint8_t>(prefix[i]);
  }
  return length;
}

Unpacked refused(Status status, std::string text) { return {{status, std::move(text)}, {}}; }

Unpacked too_large(std::size_t most) {
  return refused(
      Status::resource_exhausted,
      fmt::format("the message is larger than {} bytes, the most this server takes", most));
}

// gzip and zlib recognise themselves.
Unpacked inflated(std::string_view bytes, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) {
    return refused(Status::internal, "no memory to decompress the message");
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string message;
  int state = Z_OK;
  while (state == Z_OK && message.size() <= most) {
    const std::size_t before = message.size();
    message.resize(before + std::max<std::size_t>(bytes.size() * 2, 1'024));
    stream.next_out = reinterpret_cast<Bytef*>(message.data() + before);
    stream.avail_out = static_cast<uInt>(message.size() - before);
    state = inflate(&stream, Z_NO_FLUSH);
    message.resize(message.size() - stream.avail_out);
    if (state == Z_BUF_ERROR && stream.avail_in != 0 && stream.avail_out == 0) state = Z_OK;
  }
  inflateEnd(&stream);
  if (message.size() > most) return too_large(most);
  if (state != Z_STREAM_END) {
    return refused(Status::internal, "the compressed message cannot be decompressed");
  }
  return {{}, std::move(message)};
}

}  // namespace

void append_prefix(std::string& out, std::size_t bytes) {
  const auto length = static_cast<std::uint32_t>(bytes);
  out.push_back('\0');
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(length >> shift & 0xFF));
  }
}

bool announces_more_than(std::string_view bytes, std::size_t most) {
  if (bytes.size() < prefix_bytes) return false;
  return length_of(bytes) > most || bytes.size() - prefix_bytes > most;
}

Unpacked unpack(std::string_view bytes, std::string_view encoding, std::size_t most) {
  if (bytes.size() < prefix_bytes || bytes.size() - prefix_bytes != length_of(bytes)) {
    if (announces_more_than(bytes, most)) return too_large(most);
    return refused(Status::internal, "expected exactly one complete message in the request");
  }
  const std::string_view content = bytes.substr(prefix_bytes);
  if (content.size() > most) return too_large(most);
  if (bytes[0] == 0) return {{}, std::string(content)};
  if (bytes[0] != 1) return refused(Status::internal, "the flag of the message is neither 0 nor 1");
  if (encoding == "gzip" || encoding == "deflate") return inflated(content, most);
  return refused(Status::unimplemented,
                 fmt::format("messages compressed with \"{}\" are not understood; use gzip, "
                             "deflate or identity",
                             encoding));
}

std::optional<Millis> parse_timeout(std::string_view text) {
  if (text.size() < 2 || text.size() > 9 || !is_digit(text[0])) return std::nullopt;
  std::int64_t count = 0;
  const char* end = text.data() + text.size() - 1;
  const auto read = std::from_chars(text.data(), end, count);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  switch (*end) {
    case 'H':
      return Millis(count * 3'600'000);
    case 'M':
      return Millis(count * 60'000);
    case 'S':
      return Millis(count * 1'000);
    case 'm':
      return Millis(count);
    case 'u':
      return Millis((count + 999) / 1'000);
    case 'n':
      return Millis((count + 999'999) / 1'000'000);
    default:
      return std::nullopt;
  }
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (out.size() > header_text_bytes) return out + "...";
    if (c >= ' ' && c <= '~' && c != '%') {
      out.push_back(c);
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<std::uint8_t>(c));
    }
  }
  return out;
}

}  // namespace pawl::server::grpc

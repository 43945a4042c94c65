// SPDX-License-Identifier: Apache-2.0
// The protobuf wire format, as far as we store with it: fields with a number, in any order; unknown
// ones are passed over, absent ones keep their default. Written by hand because both directions
// come from one description of the fields (event_fields.hpp) and because a turn is encoded on the
// hot path; a test reads the bytes with code that protoc made from proto/journal.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::store::wire {

enum class Type : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

// Signed numbers: small ones of either sign take few bytes.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

constexpr std::size_t varint_size(std::uint64_t value) {
  std::size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void varint(std::uint64_t value) {
    if (value < 0x80) return out_.push_back(static_cast<char>(value));
    char bytes[10];
    std::size_t size = 0;
    for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<char>(value | 0x80);
    bytes[size++] = static_cast<char>(value);
    out_.append(bytes, size);
  }
  void tag(std::uint32_t field, Type type) {
    varint(field << 3 | static_cast<std::uint32_t>(type));
  }
  // Numbers that are 0 are not written: absent means 0.
  void number(std::uint32_t field, std::uint64_t value) {
    if (value == 0) return;
    tag(field, Type::varint);
    varint(value);
  }
  void text(std::uint32_t field, std::string_view value) {
    if (value.empty()) return;
    tag(field, Type::bytes);
    varint(value.size());
    out_.append(value);
  }

  // A message inside this one: begin, write, end.
  std::size_t begin(std::uint32_t field) {
    tag(field, Type::bytes);
    out_.push_back(0);  // most messages are shorter than 128 bytes: one byte of length is enough
    return out_.size();
  }
  void end(std::size_t start) {
    const std::size_t size = out_.size() - start;
    if (size < 0x80) {
      out_[start - 1] = static_cast<char>(size);
      return;
    }
    std::string length;
    Writer(length).varint(size);
    out_.replace(start - 1, 1, length);
  }

 private:
  std::string& out_;
};

// Takes a number off the front; false if there is none. Ten bytes hold any number.
inline bool take_varint(std::string_view& rest, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  // Goes to the next field. False at the end, or if the bytes are broken (see `broken`).
  bool next() {
    if (rest_.empty() || broken_) return false;
    const std::uint64_t head = take_varint();
    if (head >> 3 == 0 || head >> 32 != 0) broken_ = true;
    field_ = static_cast<std::uint32_t>(head >> 3);
    switch (head & 7) {
      case 0:
        number_ = take_varint();
        is_bytes_ = false;
        break;
      case 2:
        take_bytes(take_varint());
        break;
      case 1:
        take_bytes(8);
        break;
      case 5:
        take_bytes(4);
        break;
      default:
        broken_ = true;
    }
    return !broken_;
  }
  std::uint32_t field() const { return field_; }
  std::uint64_t number() const { return number_; }
  std::string_view bytes() const { return bytes_; }
  bool is_bytes() const { return is_bytes_; }
  bool broken() const { return broken_; }

 private:
  std::uint64_t take_varint() {
    std::uint64_t value = 0;
    if (wire::take_varint(rest_, value)) return value;
    broken_ = true;
    return 0;
  }
  void take_bytes(std::uint64_t size) {
    is_bytes_ = true;
    if (broken_ || size > rest_.size()) {
      broken_ = true;
      return;
    }
    bytes_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  std::string_view bytes_;
  std::uint64_t number_{0};
  std::uint32_t field_{0};
  bool is_bytes_{false};
  bool broken_{false};
};

}  // namespace pawl::store::wire

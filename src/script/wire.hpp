// SPDX-License-Identifier: Apache-2.0
// Values and texts as bytes between a program and its script helper; both are the same build, so
// there is no version. What is read may come from an attacker: it is bounded in bytes, items and
// depth, and texts must be UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/value.hpp"

namespace pawl::script {

class WireWriter {
 public:
  void byte(std::uint8_t byte) { bytes_.push_back(static_cast<char>(byte)); }
  void number(std::uint64_t number);  // eight bytes
  void text(std::string_view text);
  void value(const Value& value);  // of the kinds that can be stored
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After the first thing that is wrong everything reads as nothing, and `is_fine` is false.
class WireReader {
 public:
  WireReader(std::string_view bytes, std::size_t most_items)
      : rest_(bytes), items_left_(most_items) {}

  std::uint8_t byte();
  std::uint64_t number();
  std::string_view text(std::size_t most_bytes);
  Value value() { return value_at(0); }

  bool is_fine() const { return fine_; }
  // Everything was read, and all of it was right.
  bool is_done() const { return fine_ && rest_.empty(); }
  void refuse() { fine_ = false; }

 private:
  std::string_view bytes(std::size_t count);
  Value value_at(std::size_t depth);
  Value decimal();
  Value list(std::size_t depth);
  Value context(std::size_t depth);
  std::size_t count_of_items();

  std::string_view rest_;
  std::size_t items_left_;
  bool fine_{true};
};

}  // namespace pawl::script

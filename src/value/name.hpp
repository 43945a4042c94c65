// SPDX-License-Identifier: Apache-2.0
// Name: a short text that is copied often and compared often (variable names, job types): shared,
// immutable, with its hash. Copying costs a reference count, comparing mostly one integer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pawl {

// Keyed by chance when the program starts: nobody can choose names that collide. It is never
// stored, and no order depends on it.
std::uint32_t hash_of(std::string_view text);

class Name {
 public:
  Name() = default;
  Name(std::string_view text)  // NOLINT: implicit
      : held_(std::make_shared<const Held>(Held{std::string(text), hash_of(text)})) {}
  Name(const char* text) : Name(std::string_view(text)) {}         // NOLINT: implicit
  Name(const std::string& text) : Name(std::string_view(text)) {}  // NOLINT: implicit

  std::string_view text() const {
    return held_ ? std::string_view(held_->text) : std::string_view();
  }
  std::string string() const { return std::string(text()); }
  std::uint32_t hash() const { return held_ ? held_->hash : hash_of({}); }
  bool empty() const { return text().empty(); }

  bool is(std::string_view other, std::uint32_t hash) const {
    return this->hash() == hash && text() == other;
  }
  friend bool operator==(const Name& a, const Name& b) {
    return a.held_ == b.held_ || a.is(b.text(), b.hash());
  }

 private:
  struct Held {
    std::string text;
    std::uint32_t hash;
  };
  std::shared_ptr<const Held> held_;
};

}  // namespace pawl

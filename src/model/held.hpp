// SPDX-License-Identifier: Apache-2.0
// Held<T>: an optional value in a place of its own. Used like std::optional; an absent one costs a
// pointer, not the size of T. Most elements of a graph lack most of what an element may have.
#pragma once

#include <memory>
#include <utility>

namespace pawl::model {

template <class T>
class Held {
 public:
  Held() = default;
  Held(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT: implicit
  Held(const Held& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Held(Held&&) noexcept = default;
  Held& operator=(Held other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Held() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  T& emplace() {
    value_ = std::make_unique<T>();
    return *value_;
  }
  void reset() { value_.reset(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace pawl::model

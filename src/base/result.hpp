// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error. Nothing throws across a module border; every function that can
// fail for a reason outside of our control returns one of these. Spelled like std::expected, which
// clang 14 (our fuzz compiler) cannot parse from libstdc++ 12.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "base/error.hpp"

namespace pawl {

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool has_value() const { return held_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() { return *std::get_if<0>(&held_); }
  const T& value() const { return *std::get_if<0>(&held_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() { return *std::get_if<1>(&held_); }
  const Error& error() const { return *std::get_if<1>(&held_); }

  T value_or(T other) const { return has_value() ? value() : std::move(other); }

 private:
  std::variant<T, Error> held_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

// Declares `name` from a Result, or returns its error from the enclosing function.
#define PAWL_TRY(name, ...)                               \
  auto name##_or_error_ = (__VA_ARGS__);                  \
  if (!name##_or_error_) return name##_or_error_.error(); \
  auto& name = *name##_or_error_

// The same for Result<void>, or where the value is not needed.
#define PAWL_CHECK(...)                                           \
  do {                                                            \
    if (auto check_or_error_ = (__VA_ARGS__); !check_or_error_) { \
      return check_or_error_.error();                             \
    }                                                             \
  } while (false)

}  // namespace pawl

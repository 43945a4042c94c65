// SPDX-License-Identifier: Apache-2.0
// Filler: gives every stored field of a struct a value that is not its default and that needs all
// of its bits, so that a field which is lost, cut short or mixed up with another one is seen.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/field_codec.hpp"

namespace pawl::proto {

class Filler {
 public:
  template <class M>
  void fill(M& message) {
    fields(*this, message);
  }

  void operator()(std::uint32_t, store::Unsigned auto& value) {
    using T = std::remove_reference_t<decltype(value)>;
    value = static_cast<T>(~T{0} - next());
  }
  void operator()(std::uint32_t, bool& value) { value = true; }
  void operator()(std::uint32_t, std::int32_t& value) {
    value = -2'000'000'000 + static_cast<std::int32_t>(next());
  }
  void operator()(std::uint32_t, ElementIndex& value) { value = ElementIndex{next()}; }
  void operator()(std::uint32_t, FlowIndex& value) { value = FlowIndex{next()}; }
  void operator()(std::uint32_t, Instant& value) {
    value = Instant(Millis(-4'000'000'000'000'000 - next()));
  }
  void operator()(std::uint32_t, std::string& value) { value = "täxt " + std::to_string(next()); }
  void operator()(std::uint32_t, Name& value) { value = Name("näme " + std::to_string(next())); }
  void operator()(std::uint32_t, Value& value) { value = every_kind(); }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(std::uint32_t, E& value) {
    using T = std::underlying_type_t<E>;
    value = static_cast<E>(sizeof(T) == 1 ? 1 + next() % 100 : ~T{0} - next());
  }
  template <class M>
  requires requires(store::Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t, M& message) { fill(message); }
  template <class M>
  void operator()(std::uint32_t field, std::unique_ptr<M>& message) {
    message = std::make_unique<M>();
    (*this)(field, *message);
  }
  template <class M>
  void operator()(std::uint32_t, model::Held<M>& message) {
    fill(message.emplace());
  }
  // Two of each; the second may be what is not written outside a list.
  template <class T>
  void operator()(std::uint32_t field, std::vector<T>& many) {
    if (depth_ == 5) return;  // some lists hold their own kind
    T one{};
    ++depth_;
    (*this)(field, one);
    --depth_;
    many.push_back(std::move(one));
    many.push_back(T{});
  }
  void operator()(std::uint32_t, std::vector<Key>& many) {
    many = {key_from(~0ull - next()), key_from(next())};
  }
  template <class... Ts>
  void operator()(std::uint32_t, std::vector<std::variant<Ts...>>& many) {
    (many.emplace_back(filled<Ts>()), ...);  // every alternative once
  }

 private:
  template <class T>
  T filled() {
    T one{};
    fill(one);
    return one;
  }

  std::uint32_t next() { return ++count_; }

  Value every_kind() {
    const auto number = static_cast<std::int64_t>(next());
    const List many{Value(),
                    Value(true),
                    Value(false),
                    Value(-number),
                    Value(std::int64_t{0}),
                    Value(*Decimal::parse("-0.5")),
                    Value(*Decimal::parse("1e40")),
                    Value("täxt"),
                    Value(""),
                    Value(List{}),
                    Value::context({})};
    return Value::context({{"key", Value(many)}, {"", Value(number)}, {"null", Value()}});
  }

  std::uint32_t count_{0};
  unsigned depth_{0};
};

}  // namespace pawl::proto

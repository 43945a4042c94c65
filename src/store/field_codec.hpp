// SPDX-License-Identifier: Apache-2.0
// Walks the lines of event_fields.hpp in both directions: Encoder writes a struct as a protobuf
// message, Decoder fills it again.
#pragma once

#include <concepts>
#include <memory>

#include "base/limits.hpp"
#include "store/codec.hpp"
#include "store/event_fields.hpp"
#include "store/wire.hpp"

namespace pawl::store {

using wire::unzigzag;
using wire::zigzag;

template <class T>
concept Unsigned = std::unsigned_integral<T> && !std::same_as<T, bool>;

struct Encoder {
  std::string& bytes;
  wire::Writer out{bytes};
  bool refuses{false};  // something in it could not be read again; it was left out

  bool takes(const Value& value) {
    const bool fits = value.depth() <= limits::stored_depth &&
                      bytes.size() + value.encoded_size() <= limits::record_bytes;
    refuses |= !fits;
    return fits;
  }

  void operator()(std::uint32_t field, Unsigned auto value) { out.number(field, value); }
  void operator()(std::uint32_t field, std::same_as<bool> auto value) { out.number(field, value); }
  void operator()(std::uint32_t field, std::int32_t value) { out.number(field, zigzag(value)); }
  void operator()(std::uint32_t field, Key key) { out.number(field, number(key)); }
  // Places begin at 0 and `none` is all ones: one more, so that `none` is 0 and is not written.
  void operator()(std::uint32_t field, ElementIndex index) {
    out.number(field, number(index) + 1u);
  }
  void operator()(std::uint32_t field, FlowIndex index) { out.number(field, number(index) + 1u); }
  void operator()(std::uint32_t field, Instant at) {
    out.number(field, zigzag(at.time_since_epoch().count()));
  }
  void operator()(std::uint32_t field, const std::string& text) { out.text(field, text); }
  void operator()(std::uint32_t field, const Name& name) { out.text(field, name.text()); }
  void operator()(std::uint32_t field, const Value& value) {
    if (value.is_null() || !takes(value)) return;
    const std::size_t start = out.begin(field);
    encode_value(bytes, value);
    out.end(start);
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(std::uint32_t field, E value) {
    out.number(field, static_cast<std::uint64_t>(value));
  }
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, const M& message) {
    const std::size_t start = out.begin(field);
    fields(*this, message);
    out.end(start);
  }
  void operator()(std::uint32_t field, const std::vector<Key>& keys) {
    for (const Key key : keys) out.number(field, number(key));
  }
  void operator()(std::uint32_t field, const std::vector<ElementIndex>& many) {
    for (const ElementIndex one : many) (*this)(field, one);
  }
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, const std::unique_ptr<M>& message) {
    if (message) (*this)(field, *message);
  }
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, const model::Held<M>& message) {
    if (message) (*this)(field, *message);
  }
  // Lists of messages, and of values: each in a message of its own, so that null has a place.
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, const std::vector<M>& many) {
    for (const M& one : many) (*this)(field, one);
  }
  void operator()(std::uint32_t field, const std::vector<Value>& many) {
    for (const Value& one : many) {
      if (!takes(one)) return;
      const std::size_t start = out.begin(field);
      encode_value(bytes, one);
      out.end(start);
    }
  }
  // 0 is an entry here and is written.
  template <class N>
  requires std::same_as<N, bool> || std::same_as<N, std::uint32_t>
  void operator()(std::uint32_t field, const std::vector<N>& many) {
    for (const auto one : many) {
      out.tag(field, wire::Type::varint);
      out.varint(one);
    }
  }
  template <class... Ts>
  void operator()(std::uint32_t field, const std::vector<std::variant<Ts...>>& many) {
    for (const auto& one : many) {
      const std::size_t start = out.begin(field);
      const auto place = static_cast<std::uint32_t>(one.index() + 1);
      std::visit([&](const auto& message) { (*this)(place, message); }, one);
      out.end(start);
    }
  }
};

// Holds the field that was just read; the member with its number takes it.
struct Decoder {
  // Messages inside each other: no deeper than scopes can be, each with a loop around it.
  static constexpr unsigned deepest = 3 * limits::scope_depth;

  const wire::Reader& in;
  unsigned depth{0};
  bool broken{false};

  bool is(std::uint32_t field, bool bytes) {
    if (in.field() != field) return false;
    if (in.is_bytes() != bytes) broken = true;
    return in.is_bytes() == bytes;
  }
  void operator()(std::uint32_t field, Unsigned auto& value) {
    if (is(field, false))
      value = static_cast<std::remove_reference_t<decltype(value)>>(in.number());
  }
  void operator()(std::uint32_t field, std::same_as<bool> auto& value) {
    if (is(field, false)) value = in.number() != 0;
  }
  void operator()(std::uint32_t field, std::int32_t& value) {
    if (is(field, false)) value = static_cast<std::int32_t>(unzigzag(in.number()));
  }
  void operator()(std::uint32_t field, Key& key) {
    if (is(field, false)) key = key_from(in.number());
  }
  void operator()(std::uint32_t field, ElementIndex& index) {
    if (is(field, false)) index = static_cast<ElementIndex>(in.number() - 1);
  }
  void operator()(std::uint32_t field, FlowIndex& index) {
    if (is(field, false)) index = static_cast<FlowIndex>(in.number() - 1);
  }
  void operator()(std::uint32_t field, Instant& at) {
    if (is(field, false)) at = Instant(Millis(unzigzag(in.number())));
  }
  void operator()(std::uint32_t field, std::string& text) {
    if (is(field, true)) text = std::string(in.bytes());
  }
  void operator()(std::uint32_t field, Name& name) {
    if (is(field, true)) name = Name(in.bytes());
  }
  void operator()(std::uint32_t field, Value& value) {
    if (!is(field, true)) return;
    auto decoded = decode_value(in.bytes());
    if (decoded) value = std::move(*decoded);
    broken |= !decoded;
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(std::uint32_t field, E& value) {
    if (is(field, false)) value = static_cast<E>(in.number());
  }
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, M& message) {
    if (is(field, true)) broken |= !read_fields(in.bytes(), message, depth + 1);
  }
  void operator()(std::uint32_t field, std::vector<Key>& keys) {
    if (is(field, false)) keys.push_back(key_from(in.number()));
  }
  void operator()(std::uint32_t field, std::vector<ElementIndex>& many) {
    if (is(field, false)) (*this)(field, many.emplace_back());
  }
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, std::unique_ptr<M>& message) {
    if (!is(field, true)) return;
    message = std::make_unique<M>();
    broken |= !read_fields(in.bytes(), *message, depth + 1);
  }
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, model::Held<M>& message) {
    if (is(field, true)) broken |= !read_fields(in.bytes(), message.emplace(), depth + 1);
  }
  template <class M>
  requires requires(Encoder& v, const M& m) { fields(v, m); }
  void operator()(std::uint32_t field, std::vector<M>& many) {
    if (is(field, true)) broken |= !read_fields(in.bytes(), many.emplace_back(), depth + 1);
  }
  void operator()(std::uint32_t field, std::vector<Value>& many) {
    if (is(field, true)) (*this)(field, many.emplace_back());
  }
  template <class N>
  requires std::same_as<N, bool> || std::same_as<N, std::uint32_t>
  void operator()(std::uint32_t field, std::vector<N>& many) {
    if (is(field, false)) many.push_back(static_cast<N>(in.number()));
  }
  template <class... Ts>
  void operator()(std::uint32_t field, std::vector<std::variant<Ts...>>& many) {
    if (!is(field, true)) return;
    wire::Reader one(in.bytes());
    // An alternative that this version does not know cannot be passed over: what it did is unknown.
    if (!one.next() || !one.is_bytes() || one.field() > sizeof...(Ts)) {
      broken = true;
      return;
    }
    broken |= !read_alternative(one, many, std::index_sequence_for<Ts...>());
  }

  template <class M>
  static bool read_fields(std::string_view bytes, M& message, unsigned depth = 0) {
    if (depth > deepest) return false;
    wire::Reader reader(bytes);
    while (reader.next()) {
      Decoder decoder{reader, depth};
      fields(decoder, message);
      if (decoder.broken) return false;
    }
    return !reader.broken();
  }

 private:
  template <class Variant, std::size_t... I>
  static bool read_alternative(const wire::Reader& in, std::vector<Variant>& many,
                               std::index_sequence<I...>) {
    bool good = false;
    const auto try_one = [&]<std::size_t i>() {
      if (in.field() != i + 1) return;
      Variant& made = many.emplace_back(std::in_place_index<i>);
      good = read_fields(in.bytes(), std::get<i>(made));
    };
    (try_one.template operator()<I>(), ...);
    return good;
  }
};

}  // namespace pawl::store

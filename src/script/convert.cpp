// SPDX-License-Identifier: Apache-2.0
#include "script/convert.hpp"

#include <fmt/format.h>
#include <js/Array.h>
#include <js/BigInt.h>
#include <js/Class.h>
#include <js/Date.h>
#include <js/Interrupt.h>
#include <js/Utility.h>

#include <cmath>

#include "base/limits.hpp"

namespace pawl::script {
namespace {

constexpr std::int64_t largest_exact_integer = std::int64_t{1} << 53;
constexpr double largest_date_millis = 8.64e15;  // as the language has it

// Into the script

class Importer {
 public:
  Importer(JSContext* cx, bool* lossy) : cx_(cx), lossy_(lossy) {}

  bool convert(const Value& value, JS::MutableHandleValue out) {
    switch (value.kind()) {
      case Value::Kind::null:
        out.setNull();
        return true;
      case Value::Kind::boolean:
        out.setBoolean(value.as_boolean());
        return true;
      case Value::Kind::number:
        return number(value, out);
      case Value::Kind::string:
        return string(value.as_string(), out);
      case Value::Kind::list:
        return list(value.as_list(), out);
      case Value::Kind::context:
        return context(value.entries(), out);
      default:
        return convert(storable(value), out);
    }
  }

 private:
  bool number(const Value& value, JS::MutableHandleValue out) {
    if (const auto whole = value.as_int();
        whole && *whole >= -largest_exact_integer && *whole <= largest_exact_integer) {
      out.setNumber(static_cast<double>(*whole));
      return true;
    }
    const Decimal decimal = value.as_decimal();
    const double nearest = decimal.to_double();
    const bool exact = Decimal::from_double(nearest) == decimal;
    if (!exact && decimal.is_integer()) return big_integer(decimal, out);
    if (!exact && lossy_ != nullptr) *lossy_ = true;
    out.setNumber(nearest);
    return true;
  }

  bool big_integer(const Decimal& decimal, JS::MutableHandleValue out) {
    // Digits without the exponent, then the zeros: to_string would turn to scientific notation.
    std::string digits = Decimal::make(decimal.is_negative(), decimal.coefficient(), 0)
                             .value_or(Decimal())
                             .to_string();
    digits.append(static_cast<std::size_t>(decimal.exponent()), '0');
    JS::BigInt* big = JS::SimpleStringToBigInt(cx_, {digits.data(), digits.size()}, 10);
    if (big == nullptr) return false;
    out.setBigInt(big);
    return true;
  }

  bool string(std::string_view text, JS::MutableHandleValue out) {
    JSString* made = to_js_string(cx_, text);
    if (made == nullptr) return false;
    out.setString(made);
    return true;
  }

  bool list(const List& items, JS::MutableHandleValue out) {
    JS::RootedValueVector converted(cx_);
    if (!converted.resize(items.size())) return false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!convert(items[i], converted[i])) return false;
    }
    JSObject* array = JS::NewArrayObject(cx_, converted);
    if (array == nullptr) return false;
    out.setObject(*array);
    return true;
  }

  bool context(const std::vector<Entry>& entries, JS::MutableHandleValue out) {
    JS::RootedObject object(cx_, JS_NewPlainObject(cx_));
    if (!object) return false;
    JS::RootedId key(cx_);
    JS::RootedValue member(cx_);
    for (const Entry& entry : entries) {
      JS::RootedString name(cx_, to_js_string(cx_, entry.key));
      if (!name || !JS_StringToId(cx_, name, &key)) return false;
      if (!convert(entry.value, &member)) return false;
      if (!JS_DefinePropertyById(cx_, object, key, member, JSPROP_ENUMERATE)) return false;
    }
    out.setObject(*object);
    return true;
  }

  JSContext* cx_;
  bool* lossy_;
};

// Out of the script

class Exporter {
 public:
  Exporter(JSContext* cx, Allowance& left) : cx_(cx), left_(left) {}

  bool convert(JS::HandleValue value, std::size_t depth, Value& out) {
    if (!count_item()) return false;
    if (value.isNullOrUndefined()) return true;
    if (value.isBoolean()) return out = Value(value.toBoolean()), true;
    if (value.isInt32()) return out = Value(value.toInt32()), true;
    if (value.isDouble()) return number(value.toDouble(), out);
    if (value.isString()) return string(value, out);
    if (value.isBigInt()) return big_integer(value, out);
    if (value.isSymbol()) return refuse("a symbol");
    if (value.isObject()) return object(value, depth, out);
    return refuse("of an unknown kind");
  }

  Unconvertible reason() { return std::move(reason_); }

 private:
  bool refuse(std::string what) {
    reason_ = {"is " + std::move(what), false};
    return false;
  }

  bool pending() {
    reason_ = {"could not be read", true};
    return false;
  }

  bool too_many_items() {
    return refuse(fmt::format("too large: more than {} items", limits::script_result_items));
  }

  // Reading can run code of the script (getters, proxies), so it has the script's budget.
  bool count_item() {
    if (left_.items == 0) return too_many_items();
    return --left_.items % 1024 != 0 || JS_CheckForInterrupt(cx_) || pending();
  }

  bool number(double number, Value& out) {
    if (std::isnan(number)) return refuse("NaN, which is not a number that can be stored");
    const auto decimal = Decimal::from_double(number);
    if (!decimal) return refuse("infinite");
    out = Value(*decimal);
    return true;
  }

  bool text(JS::HandleString string, std::string& out) {
    if (!to_utf8(cx_, string, left_.bytes, out)) {
      return refuse(fmt::format("too large: more than {} bytes", limits::script_result_bytes));
    }
    left_.bytes -= out.size();
    return true;
  }

  bool string(JS::HandleValue value, Value& out) {
    JS::RootedString string(cx_, value.toString());
    std::string utf8;
    if (!text(string, utf8)) return false;
    out = Value(utf8);
    return true;
  }

  bool big_integer(JS::HandleValue value, Value& out) {
    JS::Rooted<JS::BigInt*> big(cx_, value.toBigInt());
    std::int64_t small = 0;
    if (JS::BigIntFits(big.get(), &small)) return out = Value(small), true;
    JS::RootedString string(cx_, JS::BigIntToString(cx_, big, 10));
    std::string digits;
    if (!string) return pending();
    if (!text(string, digits)) return false;
    const std::size_t significant =
        digits.find_last_not_of('0') + 1 - (digits.front() == '-' ? 1 : 0);
    const auto decimal = Decimal::parse(digits);
    if (!decimal || significant > Decimal::max_digits) {
      return refuse("a BigInt of more than 34 digits");
    }
    out = Value(*decimal);
    return true;
  }

  bool object(JS::HandleValue value, std::size_t depth, Value& out) {
    if (depth >= limits::json_depth) {
      return refuse(
          fmt::format("nested deeper than {} levels, or contains itself", limits::json_depth));
    }
    JS::RootedObject object(cx_, &value.toObject());
    bool is_array = false;  // or a proxy of one
    if (!JS::IsArray(cx_, object, &is_array)) return pending();
    if (is_array) return array(object, depth, out);
    if (JS::IsCallable(object)) return refuse("a function");
    js::ESClass kind = js::ESClass::Other;
    if (!JS::GetBuiltinClass(cx_, object, &kind)) return pending();
    switch (kind) {
      case js::ESClass::Date:
        return date(object, out);
      case js::ESClass::Number:
      case js::ESClass::String:
      case js::ESClass::Boolean:
      case js::ESClass::BigInt:
        return boxed(object, depth, out);
      case js::ESClass::RegExp:
        return refuse("a regular expression");
      case js::ESClass::Map:
        return refuse("a Map; use Object.fromEntries to store it");
      case js::ESClass::Set:
        return refuse("a Set; use Array.from to store it");
      case js::ESClass::Promise:
        return refuse("a Promise");
      case js::ESClass::ArrayBuffer:
      case js::ESClass::SharedArrayBuffer:
        return refuse("an ArrayBuffer");
      default:
        return members(object, depth, out);
    }
  }

  bool array(JS::HandleObject object, std::size_t depth, Value& out) {
    std::uint32_t length = 0;
    if (!JS::GetArrayLength(cx_, object, &length)) return pending();
    if (length > limits::script_result_items) {
      return refuse(fmt::format("too large: an array of length {}", length));
    }
    if (length > left_.items) return too_many_items();
    List items(length);
    JS::RootedValue item(cx_);
    for (std::uint32_t i = 0; i < length; ++i) {
      if (!JS_GetElement(cx_, object, i, &item)) return pending();
      if (!convert(item, depth + 1, items[i])) return false;
    }
    out = Value(std::move(items));
    return true;
  }

  bool date(JS::HandleObject object, Value& out) {
    JS::RootedValue millis(cx_);
    if (!JS::OrdinaryToPrimitive(cx_, object, JSTYPE_NUMBER, &millis)) return pending();
    // Also false for NaN; a Date may have a valueOf of the script's own.
    const bool valid = millis.isNumber() && std::abs(millis.toNumber()) <= largest_date_millis;
    if (!valid) return refuse("an invalid Date");
    const auto count = static_cast<std::int64_t>(millis.toNumber());
    out = Value(to_string(from_instant(Instant(Millis(count)))));
    return true;
  }

  // new Number(1), Object("a")
  bool boxed(JS::HandleObject object, std::size_t depth, Value& out) {
    JS::RootedValue primitive(cx_);
    if (!JS::OrdinaryToPrimitive(cx_, object, JSTYPE_NUMBER, &primitive)) return pending();
    return convert(primitive, depth + 1, out);
  }

  bool members(JS::HandleObject object, std::size_t depth, Value& out) {
    JS::Rooted<JS::IdVector> keys(cx_, JS::IdVector(cx_));
    if (!JS_Enumerate(cx_, object, &keys)) return pending();
    std::vector<Entry> entries;
    JS::RootedValue member(cx_);
    JS::RootedId key(cx_);
    for (std::size_t i = 0; i < keys.length(); ++i) {
      key = keys[i];
      Entry entry;
      if (!key_text(key, entry.key)) return false;
      if (!JS_GetPropertyById(cx_, object, key, &member)) return pending();
      if (!convert(member, depth + 1, entry.value)) return false;
      entries.push_back(std::move(entry));
    }
    out = Value::context(std::move(entries));
    return true;
  }

  bool key_text(JS::HandleId key, std::string& out) {
    JS::RootedValue name(cx_);
    if (!JS_IdToValue(cx_, key, &name)) return pending();
    JS::RootedString string(cx_, JS::ToString(cx_, name));
    if (!string) return pending();
    return text(string, out);
  }

  JSContext* cx_;
  Allowance& left_;
  Unconvertible reason_{};
};

}  // namespace

JSString* to_js_string(JSContext* cx, std::string_view utf8) {
  return JS_NewStringCopyUTF8N(cx, JS::UTF8Chars(utf8.data(), utf8.size()));
}

bool to_utf8(JSContext* cx, JS::HandleString string, std::size_t limit, std::string& out) {
  const std::size_t length = JS_GetStringLength(string);
  if (length > limit) return false;
  // Does not make a rope flat, as the other ways to encode would.
  out.resize(length * (JS::StringHasLatin1Chars(string) ? 2 : 3));
  const auto written = JS_EncodeStringToUTF8BufferPartial(cx, string, {out.data(), out.size()});
  if (!written) return false;
  out.resize(mozilla::Get<1>(*written));
  return out.size() <= limit;
}

bool to_script(JSContext* cx, const Value& value, JS::MutableHandleValue out, bool* lossy) {
  const bool too_deep = value.depth() > limits::json_depth;
  return Importer(cx, lossy).convert(too_deep ? storable(value) : value, out);
}

std::variant<Value, Unconvertible> from_script(JSContext* cx, JS::HandleValue value,
                                               Allowance& left) {
  Exporter exporter(cx, left);
  Value out;
  if (exporter.convert(value, 0, out)) return out;
  return exporter.reason();
}

}  // namespace pawl::script

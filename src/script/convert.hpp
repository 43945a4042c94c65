// SPDX-License-Identifier: Apache-2.0
// Process values as JavaScript values and back. Numbers become JavaScript numbers; an integer that
// a double cannot hold becomes a BigInt. Dates, durations and ranges become their text.
#pragma once

#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "script/engine.hpp"
#include "value/value.hpp"

namespace pawl::script {

// False: an exception is pending. `lossy`, if given, is set when some number could only be passed
// as the nearest double.
bool to_script(JSContext* cx, const Value& value, JS::MutableHandleValue out,
               bool* lossy = nullptr);

// Why a value cannot leave the script. `pending`: because reading it threw, or time ran out; the
// exception (or none) is still pending.
struct Unconvertible {
  std::string text{};
  bool pending{false};
};

// How much a script may still give back. One line of script can make a value that is far larger
// than the memory it has itself: the same text a thousand times.
struct Allowance {
  std::size_t items{limits::script_result_items};
  std::size_t bytes{limits::script_result_bytes};  // of texts and names

  // What is left when another one has come to `rest`. False: that is less than nothing.
  bool take(const Allowance& rest) {
    const std::size_t taken_items = limits::script_result_items - rest.items;
    const std::size_t taken_bytes = limits::script_result_bytes - rest.bytes;
    if (taken_items > items || taken_bytes > bytes) return false;
    items -= taken_items;
    bytes -= taken_bytes;
    return true;
  }
};

// undefined is null, a Date its ISO text, a BigInt an integer. Fails for functions, symbols, NaN,
// infinities, cycles, what is too deep or too large, and collections that JSON does not have.
// What it takes is taken off the allowance.
std::variant<Value, Unconvertible> from_script(JSContext* cx, JS::HandleValue value,
                                               Allowance& left);

// UTF-8; a lone surrogate becomes U+FFFD. False: too long.
bool to_utf8(JSContext* cx, JS::HandleString string, std::size_t limit, std::string& out);

JSString* to_js_string(JSContext* cx, std::string_view utf8);

}  // namespace pawl::script

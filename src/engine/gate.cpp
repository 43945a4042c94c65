// SPDX-License-Identifier: Apache-2.0
#include "engine/gate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "engine/scope_names.hpp"
#include "engine/weight.hpp"

namespace pawl::engine {

// variable "order" at "Pack"
std::string Gate::describe(Entering what) const {
  std::string text(what.kind);
  if (!what.name.empty()) text += fmt::format(" \"{}\"", preview_text(what.name));
  if (at_ == Slot::none) return text;
  const model::Element& element = step_.state().definition_of(step_.state().at(at_));
  return text + fmt::format(" at \"{}\"", element.id);
}

// Of the variable that is there now by this name; 0: none.
std::size_t Gate::size_now(Entering what) const {
  if (at_ == Slot::none || what.name.empty()) return 0;
  const auto value = visible_value(step_.state(), at_, what.name);
  return value ? value->encoded_size() : 0;
}

Result<void> Gate::expect(Entering what, const Value& value, std::size_t around, std::size_t most) {
  if (value.depth() + around > limits::json_depth) {
    return fail(whose_, Code::too_deep,
                fmt::format("{} is nested {} levels deep; the limit is {}: make it flatter",
                            describe(what), value.depth(), limits::json_depth - around));
  }
  const std::size_t size = value.encoded_size();
  if (size > most) {
    return fail(
        whose_, Code::too_large,
        fmt::format("{} takes {} bytes; the limit is {} (--max-value): keep it elsewhere and "
                    "its address here, or set the limit higher",
                    describe(what), size, most));
  }
  const std::size_t held = weight_of(step_.state()) + admitted_ + size;
  // A command may put something smaller in the place of what is too large.
  const bool shrinks = whose_ == Whose::caller && size <= size_now(what);
  if (held > step_.allowance().instance && !shrinks) {
    return fail(
        whose_, Code::too_large,
        fmt::format("{} takes {} bytes, and the instance would hold {} then; the limit is {} "
                    "(--max-instance): let it hold less, or set the limit higher",
                    describe(what), size, held, step_.allowance().instance));
  }
  // Whatever a step makes is in memory several times until it is stored.
  const std::size_t at_once = step_.bytes_in_step() + admitted_ + size;
  const std::size_t most_at_once = std::min(step_.allowance().value, SIZE_MAX / 4) * 4;
  if (at_once > most_at_once) {
    return fail(
        whose_, Code::too_large,
        fmt::format("{} takes {} bytes, and {} would enter in one step then; the limit is {} (four "
                    "times --max-value): let several elements do it, or set the limit higher",
                    describe(what), size, at_once, most_at_once));
  }
  admitted_ += size;
  return {};
}

Result<Value> Gate::admit(Entering what, const Value& value, std::size_t around) {
  PAWL_CHECK(expect(what, value, around, step_.allowance().value));
  return storable(value);
}

Result<Value> Gate::admit_items(Entering what, const Value& list) {
  PAWL_CHECK(expect(what, list, 0, SIZE_MAX));
  for (const Value& item : list.as_list()) {
    if (item.encoded_size() > step_.allowance().value) return admit(what, item);
  }
  return storable(list);
}

Result<Value> Gate::admit_variables(const Value& variables) {
  if (!variables.is_context()) return variables;
  PAWL_CHECK(expect_few(variables, whose_));
  const bool surely_fit =
      variables.depth() <= limits::json_depth &&
      variables.encoded_size() <= step_.allowance().value &&
      variables.encoded_size() + weight_of(step_.state()) + admitted_ <= step_.allowance().instance;
  if (surely_fit) {
    admitted_ += variables.encoded_size();
    return storable(variables);
  }
  for (const Entry& entry : variables.entries()) {
    PAWL_CHECK(expect({"variable", entry.key}, entry.value, 1, step_.allowance().value));
    admitted_ += entry.key.size();
  }
  return storable(variables);
}

// Each costs memory, an event and a row, however small it is.
Result<void> expect_few(const Value& variables, Whose whose) {
  const std::size_t count = variables.entries().size();
  if (count <= limits::variables_at_once) return {};
  return fail(
      whose, Code::too_large,
      fmt::format("there are {} variables at once; the limit is {}: put them into one object",
                  count, limits::variables_at_once));
}

Result<void> expect_short(std::string_view text, std::string_view what, Whose whose) {
  if (text.size() <= limits::name_bytes) return {};
  return fail(whose, Code::too_large,
              fmt::format("the {} \"{}\" has {} bytes; the limit is {}", what, preview_text(text),
                          text.size(), limits::name_bytes));
}

}  // namespace pawl::engine

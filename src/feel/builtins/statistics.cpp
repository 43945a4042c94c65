// SPDX-License-Identifier: Apache-2.0
// Functions that make one value of many: minimum, sum, mean and their kin.
#include <fmt/format.h>

#include <algorithm>

#include "feel/builtins/builtins.hpp"
#include "feel/compare.hpp"

namespace pawl::feel {
namespace {

// The items as numbers; nullopt if there are none or one is something else.
std::optional<std::vector<Decimal>> numbers(Call& call) {
  std::vector<Decimal> found;
  call.machine.charge(call.list(0).size());
  call.machine.take(call.list(0).size() * sizeof(Decimal));
  found.reserve(call.list(0).size());
  for (const auto& item : call.list(0)) {
    if (!item.is_number()) {
      call.refuse(fmt::format("all items must be numbers, not {}", preview(item, 40)));
      return std::nullopt;
    }
    if (!item.is_int()) call.machine.charge(1);
    found.push_back(item.as_decimal());
  }
  if (found.empty()) {
    call.refuse("the list is empty");
    return std::nullopt;
  }
  return found;
}

std::optional<Decimal> total(const std::vector<Decimal>& items) {
  std::optional<Decimal> sum_so_far = Decimal{};
  for (const auto& item : items) {
    sum_so_far = add(*sum_so_far, item);
    if (!sum_so_far) return std::nullopt;
  }
  return sum_so_far;
}

std::optional<Decimal> average(const std::vector<Decimal>& items) {
  const auto sum_of_all = total(items);
  if (!sum_of_all) return std::nullopt;
  return divide(*sum_of_all, Decimal(static_cast<std::int64_t>(items.size())));
}

Value or_beyond_range(Call& call, const std::optional<Decimal>& number) {
  return number ? Value(*number) : call.refuse("the result is out of range");
}

Value extreme(Call& call, bool greatest) {
  const List& items = call.list(0);
  if (items.empty()) return call.refuse("the list is empty");
  const Value* best = &items.front();
  if (!order(call.machine, *best, *best)) return call.refuse("the items have no order");
  for (const auto& item : items) {
    call.machine.charge(1, cost::item);
    const auto ordered = order(call.machine, item, *best);
    if (!ordered) return call.refuse("the items can't be compared with each other");
    if (greatest ? *ordered > 0 : *ordered < 0) best = &item;
  }
  return *best;
}

Value min(Call& call) { return extreme(call, false); }
Value max(Call& call) { return extreme(call, true); }

Value sum(Call& call) {
  const auto items = numbers(call);
  return items ? or_beyond_range(call, total(*items)) : Value();
}

Value mean(Call& call) {
  const auto items = numbers(call);
  return items ? or_beyond_range(call, average(*items)) : Value();
}

Value product(Call& call) {
  const auto items = numbers(call);
  if (!items) return nullptr;
  std::optional<Decimal> result = Decimal(1);
  for (const auto& item : *items) {
    result = multiply(*result, item);
    if (!result) break;
  }
  return or_beyond_range(call, result);
}

// The numbers, ascending.
std::optional<std::vector<Decimal>> sorted_numbers(Call& call) {
  auto items = numbers(call);
  if (!items) return std::nullopt;
  call.machine.charge(items->size() * cost::bits(items->size()), cost::item);
  std::sort(items->begin(), items->end());
  return items;
}

Value median(Call& call) {
  const auto items = sorted_numbers(call);
  if (!items) return nullptr;
  const std::size_t middle = items->size() / 2;
  if (items->size() % 2 == 1) return (*items)[middle];
  return or_beyond_range(call, average({(*items)[middle - 1], (*items)[middle]}));
}

// Of a sample: the squares are divided by n - 1.
Value stddev(Call& call) {
  const auto items = numbers(call);
  if (!items) return nullptr;
  if (items->size() < 2) return call.refuse("at least two numbers are needed");
  call.machine.charge(items->size() * 2 + cost::root);
  call.machine.take(items->size() * 2 * sizeof(Decimal));
  const auto middle = average(*items);
  std::vector<Decimal> squares;
  for (const auto& item : *items) {
    const auto distance = middle ? subtract(item, *middle) : std::nullopt;
    const auto square = distance ? multiply(*distance, *distance) : std::nullopt;
    if (!square) return call.refuse("the result is out of range");
    squares.push_back(*square);
  }
  const auto sum_of_squares = total(squares);
  if (!sum_of_squares) return call.refuse("the result is out of range");
  const auto variance =
      divide(*sum_of_squares, Decimal(static_cast<std::int64_t>(items->size()) - 1));
  return or_beyond_range(call, variance ? square_root(*variance) : std::nullopt);
}

// The most frequent numbers, ascending.
Value mode(Call& call) {
  if (call.list(0).empty()) return List{};
  const auto items = sorted_numbers(call);
  if (!items) return nullptr;
  List most;
  std::size_t highest = 0;
  for (std::size_t begin = 0; begin < items->size();) {
    std::size_t end = begin;
    while (end < items->size() && (*items)[end] == (*items)[begin]) ++end;
    if (end - begin > highest) most.clear();
    if (end - begin >= highest) {
      highest = end - begin;
      call.machine.append(most, (*items)[begin]);
    }
    begin = end;
  }
  return most;
}

// Three-valued. `decisive` is the value that settles it alone.
Value quantify(Call& call, bool decisive) {
  bool unknown = false;
  for (const auto& item : call.list(0)) {
    call.machine.charge(1, cost::item);
    if (item.is_boolean() && item.as_boolean() == decisive) return decisive;
    unknown = unknown || !item.is_boolean();
  }
  return unknown ? call.refuse("all items must be booleans") : Value(!decisive);
}

Value all(Call& call) { return quantify(call, false); }
Value any(Call& call) { return quantify(call, true); }

constexpr Builtin statistics_table[] = {
    {"min(list: list...)", min},         {"max(list: list...)", max},
    {"sum(list: list...)", sum},         {"mean(list: list...)", mean},
    {"product(list: list...)", product}, {"median(list: list...)", median},
    {"stddev(list: list...)", stddev},   {"mode(list: list...)", mode},
    {"all(list: list...)", all},         {"and(list: list...)", all},
    {"any(list: list...)", any},         {"or(list: list...)", any},
};

}  // namespace

std::span<const Builtin> statistics_builtins() { return statistics_table; }

}  // namespace pawl::feel

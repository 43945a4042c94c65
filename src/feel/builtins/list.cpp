// SPDX-License-Identifier: Apache-2.0
// Lists. Positions begin at 1; negative ones count from the end.
#include <fmt/format.h>

#include <algorithm>

#include "feel/builtins/builtins.hpp"
#include "feel/compare.hpp"
#include "feel/value_set.hpp"

namespace pawl::feel {
namespace {

// The index for a position, 0 … size - 1 + `beyond`.
std::optional<std::size_t> index_at(std::optional<std::int64_t> number, std::size_t size,
                                    std::size_t beyond = 0) {
  if (!number || *number == 0) return std::nullopt;
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t index = *number > 0 ? *number - 1 : count + *number;
  if (index < 0 || index >= count + static_cast<std::int64_t>(beyond)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

Value no_position(Call& call, std::size_t argument) {
  return call.refuse(fmt::format("there is no position {} in a list of {}",
                                 preview(call[argument], 40), call.list(0).size()));
}

// A list that is about to be made, from `count` items.
List list_for(Call& call, std::size_t count) {
  call.machine.check_items(count);
  List made;
  made.reserve(count);
  return made;
}

// As above, with all the items of the first argument; there will be `more` of them.
List copy_for(Call& call, std::size_t more = 0) {
  List made = list_for(call, call.list(0).size() + more);
  made.insert(made.end(), call.list(0).begin(), call.list(0).end());
  return made;
}

// For a look at the next item.
bool is_same(Call& call, const Value& item, const Value& wanted) {
  call.machine.charge(1, cost::item);
  return same(call.machine, item, wanted);
}

Value list_contains(Call& call) {
  return std::any_of(call.list(0).begin(), call.list(0).end(),
                     [&](const Value& item) { return is_same(call, item, call[1]); });
}

Value count(Call& call) { return static_cast<std::int64_t>(call.list(0).size()); }

Value is_empty(Call& call) { return call.list(0).empty(); }

Value sublist(Call& call) {
  const List& items = call.list(0);
  const auto begin = index_at(call.whole(1), items.size());
  if (!begin) return no_position(call, 1);
  std::size_t length = items.size() - *begin;
  if (call.has(2)) {
    const auto wanted = call.whole(2);
    if (!wanted || *wanted < 0) return call.refuse("the length must be 0 or a positive integer");
    if (static_cast<std::uint64_t>(*wanted) > length) {
      return call.refuse("there are not that many items");
    }
    length = static_cast<std::size_t>(*wanted);
  }
  List made = list_for(call, length);
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(*begin);
  made.insert(made.end(), first, first + static_cast<std::ptrdiff_t>(length));
  return made;
}

Value append(Call& call) {
  List made = copy_for(call, call.list(1).size());
  made.insert(made.end(), call.list(1).begin(), call.list(1).end());
  return made;
}

List concatenated(Call& call) {
  std::size_t count = 0;
  call.machine.charge(call.list(0).size(), cost::item);
  for (const auto& part : call.list(0)) count += part.is_list() ? part.as_list().size() : 1;
  List made = list_for(call, count);
  for (const auto& part : call.list(0)) {
    if (part.is_list()) {
      made.insert(made.end(), part.as_list().begin(), part.as_list().end());
    } else {
      made.push_back(part);
    }
  }
  return made;
}

Value concatenate(Call& call) { return concatenated(call); }

List distinct(Call& call, const List& items) {
  List made;
  ValueSet seen(call.machine);
  for (const auto& item : items) {
    if (seen.insert(item)) call.machine.append(made, item);
  }
  return made;
}

Value union_of(Call& call) { return distinct(call, concatenated(call)); }

Value distinct_values(Call& call) { return distinct(call, call.list(0)); }

Value duplicate_values(Call& call) {
  ValueSet seen(call.machine);
  ValueSet repeated(call.machine);
  for (const auto& item : call.list(0)) {
    if (!seen.insert(item)) repeated.insert(item);
  }
  List made;
  ValueSet told(call.machine);
  for (const auto& item : call.list(0)) {
    if (repeated.contains(item) && told.insert(item)) call.machine.append(made, item);
  }
  return made;
}

Value insert_before(Call& call) {
  const auto index = index_at(call.whole(1), call.list(0).size(), 1);
  if (!index) return no_position(call, 1);
  List made = copy_for(call, 1);
  made.insert(made.begin() + static_cast<std::ptrdiff_t>(*index), call[2]);
  return made;
}

Value remove(Call& call) {
  const auto index = index_at(call.whole(1), call.list(0).size());
  if (!index) return no_position(call, 1);
  List made = copy_for(call);
  made.erase(made.begin() + static_cast<std::ptrdiff_t>(*index));
  return made;
}

Value reverse(Call& call) {
  List made = list_for(call, call.list(0).size());
  made.insert(made.end(), call.list(0).rbegin(), call.list(0).rend());
  return made;
}

Value index_of(Call& call) {
  const List& items = call.list(0);
  List made;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_same(call, items[i], call[1])) {
      call.machine.append(made, static_cast<std::int64_t>(i) + 1);
    }
  }
  return made;
}

void flatten_into(Call& call, const List& items, List& made) {
  const Machine::Level level(call.machine);
  call.machine.charge(items.size(), cost::item);
  for (const auto& item : items) {
    if (item.is_list()) {
      flatten_into(call, item.as_list(), made);
    } else {
      call.machine.append(made, item);
    }
  }
}

Value flatten(Call& call) {
  List made;
  flatten_into(call, call.list(0), made);
  return made;
}

// A merge sort of our own: the order may be any function, even one that contradicts itself, for
// which std::sort is not defined.
template <class Precedes>
void merge_sort(Machine& machine, List& items, Precedes precedes) {
  machine.check_items(items.size());
  List merged(items.size());
  for (std::size_t width = 1; width < items.size(); width *= 2) {
    for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, items.size());
      const std::size_t end = std::min(begin + 2 * width, items.size());
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t out = begin; out < end; ++out) {
        const bool take_right =
            left >= middle || (right < end && precedes(items[right], items[left]));
        machine.charge(1);
        merged[out] = std::move(items[take_right ? right++ : left++]);
      }
    }
    items.swap(merged);
  }
}

Value sort_by(Call& call) {
  List items = copy_for(call);
  bool is_good = true;
  merge_sort(call.machine, items, [&](const Value& a, const Value& b) {
    const Value truth = call.machine.call(call[1], Arguments{{a, b}, {}});
    is_good = is_good && truth.is_boolean();
    return truth.is_boolean() && truth.as_boolean();
  });
  return is_good ? Value(std::move(items)) : call.refuse("the order must give true or false");
}

Value sort(Call& call) {
  List items = copy_for(call);
  bool is_good = true;
  merge_sort(call.machine, items, [&](const Value& a, const Value& b) {
    const auto ordered = order(call.machine, a, b);
    is_good = is_good && ordered.has_value();
    return ordered && *ordered < 0;
  });
  return is_good ? Value(std::move(items))
                 : call.refuse("the items can't be compared with each other");
}

Value list_replace(Call& call) {
  const auto index = index_at(call.whole(1), call.list(0).size());
  if (!index) return no_position(call, 1);
  List made = copy_for(call);
  made[*index] = call[2];
  return made;
}

Value list_replace_where(Call& call) {
  List made = copy_for(call);
  for (auto& item : made) {
    call.machine.charge(1);
    const Value truth = call.machine.call(call[1], Arguments{{item, call[2]}, {}});
    if (!truth.is_boolean()) return call.refuse("the condition must give true or false");
    if (truth.as_boolean()) item = call[2];
  }
  return made;
}

Value partition(Call& call) {
  const auto size = call.whole(1);
  if (!size || *size < 1) return call.refuse("the size must be a positive integer");
  const List& items = call.list(0);
  List made;
  for (std::size_t begin = 0; begin < items.size();) {
    const std::size_t length =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(*size), items.size() - begin);
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
    call.machine.check_items(length);
    call.machine.append(made, List(first, first + static_cast<std::ptrdiff_t>(length)));
    begin += length;
  }
  return made;
}

constexpr Builtin list_table[] = {
    {"list contains(list: list, element: any?)", list_contains},
    {"count(list: list)", count},
    {"is empty(list: list)", is_empty},
    {"sublist(list: list, start position: number, length?: number)", sublist},
    {"append(list: list, items|item: any...)", append},
    {"concatenate(lists|list: list...)", concatenate},
    {"union(lists|list: list...)", union_of},
    {"distinct values(list: list)", distinct_values},
    {"duplicate values(list: list)", duplicate_values},
    {"insert before(list: list, position: number, newItem: any?)", insert_before},
    {"remove(list: list, position: number)", remove},
    {"reverse(list: list)", reverse},
    {"index of(list: list, match: any?)", index_of},
    {"flatten(list: list)", flatten},
    {"sort(list: list, precedes: function)", sort_by},
    {"sort(list: list)", sort},
    {"list replace(list: list, position: number, newItem: any?)", list_replace},
    {"list replace(list: list, match: function, newItem: any?)", list_replace_where},
    {"partition(list: list, size: number)", partition},
};

}  // namespace

std::span<const Builtin> list_builtins() { return list_table; }

}  // namespace pawl::feel

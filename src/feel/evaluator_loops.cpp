// SPDX-License-Identifier: Apache-2.0
// for, some, every and filters. A range is walked, never made into a list first.
#include <fmt/format.h>

#include "feel/compare.hpp"
#include "feel/machine.hpp"

namespace pawl::feel {

// What an iterator walks over: the items of a list, or numbers or days up or down.
struct Machine::Domain {
  Value list{};
  std::int64_t first{0};
  std::int64_t last{0};
  bool is_list{true};
  bool is_dates{false};

  std::uint64_t size() const {
    if (is_list) return list.as_list().size();
    const auto low = static_cast<std::uint64_t>(first < last ? first : last);
    const auto high = static_cast<std::uint64_t>(first < last ? last : first);
    return high - low + 1;
  }

  Value at(std::uint64_t index) const {
    if (is_list) return list.as_list()[index];
    const auto distance = static_cast<std::int64_t>(index);
    const std::int64_t number = first <= last ? first + distance : first - distance;
    return is_dates ? Value(date_from_days(number)) : Value(number);
  }
};

bool Machine::domain_of_range(const Value& from, const Value& to, Domain& domain) {
  domain.is_list = false;
  // Far enough for every use, near enough that nothing overflows.
  constexpr std::int64_t farthest = std::int64_t{1} << 60;
  if (from.is_int() && to.is_int()) {
    domain.first = from.int_unchecked();
    domain.last = to.int_unchecked();
  } else if (from.kind() == Value::Kind::date && to.kind() == Value::Kind::date) {
    domain.is_dates = true;
    domain.first = days_from_epoch(from.as_date());
    domain.last = days_from_epoch(to.as_date());
  } else {
    type_problem(fmt::format("can't count from {} to {}", preview(from, 40), preview(to, 40)));
    return false;
  }
  if (std::max(domain.first, domain.last) > farthest ||
      std::min(domain.first, domain.last) < -farthest) {
    halt(Code::budget_exceeded, "a range has too many values to walk through");
  }
  return true;
}

bool Machine::domain(const Iterator& iterator, Domain& domain) {
  Value from = eval(iterator.from);
  if (iterator.to != none) return domain_of_range(from, eval(iterator.to), domain);
  if (from.is_list()) {
    domain.list = std::move(from);
    return true;
  }
  if (from.kind() == Value::Kind::range) {
    const Range& range = from.as_range();
    if (!domain_of_range(range.low, range.high, domain)) return false;
    const int step = domain.first <= domain.last ? 1 : -1;
    const std::int64_t excluded = (range.low_included ? 0 : 1) + (range.high_included ? 0 : 1);
    if (domain.size() <= static_cast<std::uint64_t>(excluded)) {
      domain = Domain{.list = Value(List{})};
      return true;
    }
    if (!range.low_included) domain.first += step;
    if (!range.high_included) domain.last -= step;
    return true;
  }
  if (wants_problems()) {
    type_problem(fmt::format("can't walk through {}: {}; a list or a range is needed",
                             kind_name(from.kind()), preview(from, 40)));
  }
  return false;
}

// Calls visit() for every combination, the first iterator outermost, until it returns false.
// Returns false if something cannot be walked through.
template <class Visit>
bool Machine::iterate(const Loop& loop, std::size_t level, Visit& visit) {
  const Level deeper(*this);
  Domain walked;
  if (!domain(loop.iterators[level], walked)) return false;
  const std::uint64_t size = walked.size();
  const bool is_innermost = level + 1 == loop.iterators.size();
  for (std::uint64_t i = 0; i < size && !visit.done; ++i) {
    charge(1);
    slots_[loop.iterators[level].slot] = walked.at(i);
    if (is_innermost) {
      visit();
    } else if (!iterate(loop, level + 1, visit)) {
      return false;
    }
  }
  return true;
}

Value Machine::eval_for(const Node& node) {
  const Loop& loop = tree_->loops[node.a];
  struct Collect {
    Machine& machine;
    const Loop& loop;
    List results{};
    bool done{false};

    void operator()() {
      if (loop.partial_slot != none) {
        machine.check_items(results.size());
        machine.slots_[loop.partial_slot] = Value(results);
      }
      machine.append(results, machine.eval(loop.body));
    }
  } collect{*this, loop};
  if (!iterate(loop, 0, collect)) return nullptr;
  return std::move(collect.results);
}

Value Machine::eval_quantified(const Node& node) {
  const Loop& loop = tree_->loops[node.a];
  struct Quantify {
    Machine& machine;
    NodeIndex body;
    bool decisive;  // the truth value that ends the search
    bool unknown{false};
    bool done{false};

    void operator()() {
      const Value truth = machine.eval(body);
      if (!truth.is_boolean()) {
        unknown = true;
      } else if (truth.as_boolean() == decisive) {
        done = true;
      }
    }
  } quantify{*this, loop.body, node.op == Op::some};
  if (!iterate(loop, 0, quantify)) return nullptr;
  if (quantify.done) return quantify.decisive;
  return quantify.unknown ? Value() : Value(!quantify.decisive);
}

Value Machine::eval_filter(const Node& node) {
  Value list = eval(node.a);
  if (list.is_null()) return problem(Problem::Kind::other, "can't filter null");
  if (!list.is_list()) list = Value(List{list});
  const List& items = list.as_list();
  slots_[node.c] = items.empty() ? Value() : items.front();
  Value first = eval(node.b);
  if (first.is_number()) {
    const auto position = first.as_int();
    const auto size = static_cast<std::int64_t>(items.size());
    if (position && *position >= 1 && *position <= size) {
      return items[static_cast<std::size_t>(*position - 1)];
    }
    if (position && *position <= -1 && *position >= -size) {
      return items[static_cast<std::size_t>(size + *position)];
    }
    if (!wants_problems()) return nullptr;
    return problem(Problem::Kind::other,
                   fmt::format("there is no item {} in a list of {}", preview(first, 40), size));
  }
  return filter_items(node, items, std::move(first));
}

// `first` is what the condition gave for the first item.
Value Machine::filter_items(const Node& node, const List& items, Value first) {
  List kept;
  for (std::size_t i = 0; i < items.size(); ++i) {
    charge(1);
    Value truth;
    if (i == 0) {
      truth = std::move(first);
    } else {
      slots_[node.c] = items[i];
      truth = eval(node.b);
    }
    if (truth.kind() == Value::Kind::range || truth.is_string()) {
      truth = as_value(passes(*this, items[i], truth));
    }
    if (truth.is_boolean()) {
      if (truth.as_boolean()) append(kept, items[i]);
    } else if (!truth.is_null()) {
      return type_problem(
          fmt::format("a filter needs a number or a condition, not {}", kind_name(truth.kind())));
    }
  }
  return kept;
}

}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
#include "model/reachability.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace pawl::model {
namespace {

bool is_inclusive_join(const Element& element) {
  return element.kind == ElementKind::inclusive_gateway && element.incoming.size() > 1;
}

// The elements a token can go to from `element` in one step.
std::vector<std::uint32_t> next_of(const Process& process, const Element& element) {
  std::vector<std::uint32_t> next;
  for (const FlowIndex flow : element.outgoing) next.push_back(number(process.at(flow).target));
  for (const ElementIndex boundary : element.boundary_events) next.push_back(number(boundary));
  if (element.link_target != ElementIndex::none) next.push_back(number(element.link_target));
  return next;
}

// Goes through the graph as Tarjan's algorithm does: elements that can reach each other make a
// group, and when a group is complete, all groups that it leads to are.
class Reaching {
 public:
  explicit Reaching(Process& process)
      : process_(process),
        order_(process.elements.size()),
        low_(process.elements.size()),
        on_path_(process.elements.size()),
        group_of_(process.elements.size()) {
    process_.ahead.emplace_back();  // nothing
  }

  bool run() {
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      if (order_[i] == 0) visit(i);
      if (work_ > limits::join_ranges) return false;
    }
    return true;
  }

 private:
  struct Open {
    std::uint32_t element;
    std::vector<std::uint32_t> next;
    std::size_t done{0};
  };

  void enter(std::uint32_t element) {
    order_[element] = low_[element] = ++entered_;
    path_.push_back(element);
    on_path_[element] = true;
    open_.push_back({element, next_of(process_, process_.elements[element])});
  }

  void visit(std::uint32_t first) {
    enter(first);
    while (!open_.empty() && work_ <= limits::join_ranges) {
      Open& top = open_.back();
      if (top.done < top.next.size()) {
        const std::uint32_t next = top.next[top.done++];
        if (order_[next] == 0) {
          enter(next);
        } else if (on_path_[next]) {
          low_[top.element] = std::min(low_[top.element], order_[next]);
        }
        continue;
      }
      const std::uint32_t element = top.element;
      open_.pop_back();
      if (!open_.empty()) {
        std::uint32_t& low = low_[open_.back().element];
        low = std::min(low, low_[element]);
      }
      if (low_[element] == order_[element]) close_group(element);
    }
    open_.clear();
  }

  void add_own(const Element& element, std::vector<JoinRange>& ahead) {
    if (element.join_place != no_join)
      ahead.push_back({element.join_place, element.join_place + 1});
  }

  // What is ahead of one element of a group is ahead of all.
  void close_group(std::uint32_t first) {
    const auto begin = std::find(path_.rbegin(), path_.rend(), first).base() - 1;
    const std::vector<std::uint32_t> group(begin, path_.end());
    path_.erase(begin, path_.end());
    for (const std::uint32_t element : group) on_path_[element] = false;

    for (const std::uint32_t element : group) group_of_[element] = first + 1;

    std::vector<JoinRange> ahead;
    std::uint32_t same = 0;  // the one list that all of them come to
    bool more = false;       // there is more than that
    bool circle = group.size() > 1;
    for (const std::uint32_t element : group) {
      for (const std::uint32_t next : next_of(process_, process_.elements[element])) {
        if (group_of_[next] == first + 1) {
          circle = true;
          continue;
        }
        const Element& target = process_.elements[next];
        if (same == 0) same = target.ahead;
        more |= target.join_place != no_join || (target.ahead != 0 && target.ahead != same);
        add_own(target, ahead);
        const std::vector<JoinRange>& further = process_.ahead[target.ahead];
        ahead.insert(ahead.end(), further.begin(), further.end());
        work_ += 1 + further.size();
      }
    }
    for (const std::uint32_t element : group) {
      if (circle) add_own(process_.elements[element], ahead);
      more |= circle && process_.elements[element].join_place != no_join;
    }
    const std::uint32_t place = more ? keep(std::move(ahead)) : same;
    for (const std::uint32_t element : group) process_.elements[element].ahead = place;
  }

  std::uint32_t keep(std::vector<JoinRange> ahead) {
    std::sort(ahead.begin(), ahead.end(),
              [](const JoinRange& a, const JoinRange& b) { return a.from < b.from; });
    std::vector<JoinRange> merged;
    for (const JoinRange& one : ahead) {
      if (!merged.empty() && one.from <= merged.back().to) {
        merged.back().to = std::max(merged.back().to, one.to);
      } else {
        merged.push_back(one);
      }
    }
    merged.shrink_to_fit();
    process_.ahead.push_back(std::move(merged));
    return static_cast<std::uint32_t>(process_.ahead.size() - 1);
  }

  Process& process_;
  std::vector<std::uint32_t> order_;  // in which they were entered, from 1; 0: not yet
  std::vector<std::uint32_t> low_;    // the first on the path that it leads back to
  std::vector<std::uint32_t> path_;
  std::vector<bool> on_path_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> group_of_;  // named by one of its elements, from 1; 0: not closed
  std::uint32_t entered_{0};
  std::size_t work_{0};
};

}  // namespace

void prepare_inclusive_joins(Process& process) {
  process.ahead.clear();
  process.joins_unknown = false;
  process.most_joins = 0;
  for (Element& element : process.elements) {
    element.ahead = 0;
    element.join_place = no_join;
    if (!is_inclusive_join(element)) continue;
    auto& joins = process.elements[number(element.scope)].inclusive_joins;
    element.join_place = static_cast<std::uint32_t>(joins.size());
    joins.push_back(element.index);
    process.most_joins = std::max(process.most_joins, joins.size());
  }
  if (process.most_joins == 0 || Reaching(process).run()) return;
  process.joins_unknown = true;
  process.ahead.clear();  // half of it would be taken for all
  for (Element& element : process.elements) element.ahead = 0;
}

std::span<const JoinRange> Process::joins_ahead(ElementIndex from) const {
  if (ahead.empty()) return {};
  return ahead[at(from).ahead];
}

bool Process::reaches(ElementIndex from, ElementIndex join) const {
  if (from == join || at(from).scope != at(join).scope) return false;
  const std::uint32_t place = at(join).join_place;
  const auto ranges = joins_ahead(from);
  return std::any_of(ranges.begin(), ranges.end(), [place](const JoinRange& range) {
    return range.from <= place && place < range.to;
  });
}

}  // namespace pawl::model

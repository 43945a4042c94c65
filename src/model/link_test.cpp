// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "model/process.hpp"

namespace pawl::model {
namespace {

// A graph by hand: nodes are added to a scope and connected by index.
class Graph {
 public:
  Graph() {
    Element root;
    root.kind = ElementKind::process;
    root.id = "p";
    process.elements.push_back(root);
  }

  ElementIndex add(ElementKind kind, ElementIndex scope = ElementIndex{0}) {
    Element element;
    element.kind = kind;
    element.id = "e" + std::to_string(process.elements.size());
    element.scope = scope;
    process.elements.push_back(element);
    return static_cast<ElementIndex>(process.elements.size() - 1);
  }

  void connect(ElementIndex from, ElementIndex to) {
    Flow flow;
    flow.source = from;
    flow.target = to;
    process.flows.push_back(flow);
  }

  Element& operator[](ElementIndex index) { return process.elements[number(index)]; }

  Process process;
};

TEST(Link, lists_flows_in_file_order) {
  Graph graph;
  const auto a = graph.add(ElementKind::task);
  const auto b = graph.add(ElementKind::task);
  graph.connect(a, b);
  graph.connect(a, b);
  link(graph.process);
  EXPECT_EQ(graph[a].outgoing, (std::vector{FlowIndex{0}, FlowIndex{1}}));
  EXPECT_EQ(graph[b].incoming, (std::vector{FlowIndex{0}, FlowIndex{1}}));
}

TEST(Link, twice_is_the_same_as_once) {
  Graph graph;
  const auto a = graph.add(ElementKind::task);
  graph.connect(a, a);
  link(graph.process);
  link(graph.process);
  EXPECT_EQ(graph[a].outgoing.size(), 1u);
  EXPECT_EQ(graph.process.root().children.size(), 1u);
}

TEST(Link, finds_starts_and_event_sub_processes) {
  Graph graph;
  const auto timer = graph.add(ElementKind::start_event);
  graph[timer].event = EventKind::timer;
  const auto none = graph.add(ElementKind::start_event);
  const auto handler = graph.add(ElementKind::event_sub_process);
  const auto trigger = graph.add(ElementKind::start_event, handler);
  graph[trigger].event = EventKind::error;
  graph[trigger].interrupting = false;
  link(graph.process);
  EXPECT_EQ(graph.process.root().start_events, (std::vector{timer, none}));
  EXPECT_EQ(graph.process.root().none_start, none);
  EXPECT_EQ(graph.process.root().event_sub_processes, std::vector{handler});
  EXPECT_EQ(graph[handler].event, EventKind::error);
  EXPECT_FALSE(graph[handler].interrupting);
}

TEST(Link, without_a_start_event_all_that_nothing_leads_to_begins) {
  Graph graph;
  const auto first = graph.add(ElementKind::task);
  const auto second = graph.add(ElementKind::task);
  const auto other = graph.add(ElementKind::task);
  const auto boundary = graph.add(ElementKind::boundary_event);
  graph[boundary].attached_to = first;
  const auto handler = graph.add(ElementKind::task);
  graph[handler].for_compensation = true;
  graph.connect(first, second);
  link(graph.process);
  EXPECT_EQ(graph.process.root().implicit_starts, (std::vector{first, other}));
  EXPECT_EQ(graph[first].boundary_events, std::vector{boundary});
}

TEST(Link, write_rules_are_inherited_from_the_nearest_scope_that_sets_one) {
  Graph graph;
  const auto outer = graph.add(ElementKind::sub_process);
  const auto inner = graph.add(ElementKind::sub_process, outer);
  const auto task = graph.add(ElementKind::task, inner);
  link(graph.process);
  EXPECT_EQ(graph[task].write_rule, WriteRule::isolated);  // plain BPMN

  graph.process.dialect = Dialect::zeebe;
  link(graph.process);
  EXPECT_EQ(graph[task].write_rule, WriteRule::shared);

  graph[outer].own_write_rule = WriteRule::isolated;
  link(graph.process);
  EXPECT_EQ(graph[task].write_rule, WriteRule::isolated);
  EXPECT_EQ(graph.process.root().write_rule, WriteRule::shared);
}

// fork → a → join, fork → b → join, join → end; b can also go back to the fork.
struct Diamond {
  Graph graph;
  ElementIndex fork{graph.add(ElementKind::inclusive_gateway)};
  ElementIndex a{graph.add(ElementKind::task)};
  ElementIndex b{graph.add(ElementKind::task)};
  ElementIndex join{graph.add(ElementKind::inclusive_gateway)};
  ElementIndex end{graph.add(ElementKind::end_event)};

  Diamond() {
    graph.connect(fork, a);
    graph.connect(fork, b);
    graph.connect(a, join);
    graph.connect(b, join);
    graph.connect(join, end);
  }
};

TEST(Reachability, follows_flows_backwards_from_an_inclusive_join) {
  Diamond d;
  link(d.graph.process);
  const Process& process = d.graph.process;
  EXPECT_TRUE(process.reaches(d.fork, d.join));
  EXPECT_TRUE(process.reaches(d.a, d.join));
  EXPECT_FALSE(process.reaches(d.end, d.join));
  EXPECT_FALSE(process.reaches(d.join, d.join));
  EXPECT_EQ(process.at(d.fork).join_place, no_join);  // one flow leads there
}

TEST(Reachability, goes_through_loops_boundary_events_and_links) {
  Diamond d;
  const auto host = d.graph.add(ElementKind::task);
  const auto boundary = d.graph.add(ElementKind::boundary_event);
  d.graph[boundary].attached_to = host;
  d.graph.connect(boundary, d.a);
  const auto thrown = d.graph.add(ElementKind::intermediate_throw_event);
  const auto caught = d.graph.add(ElementKind::intermediate_catch_event);
  for (const auto index : {thrown, caught}) {
    d.graph[index].event = EventKind::link;
    d.graph[index].events.resize(1);
    d.graph[index].events[0].name.text = "L";
  }
  d.graph.connect(caught, d.b);
  d.graph.connect(d.join, d.fork);
  link(d.graph.process);
  EXPECT_EQ(d.graph[thrown].link_target, caught);
  EXPECT_TRUE(d.graph.process.reaches(host, d.join));
  EXPECT_TRUE(d.graph.process.reaches(thrown, d.join));
  EXPECT_FALSE(d.graph.process.reaches(d.end, d.join));
}

// Follows the flows, one by one.
bool can_walk(const Process& process, ElementIndex from, ElementIndex to) {
  std::vector<bool> seen(process.elements.size());
  std::vector<ElementIndex> open{from};
  while (!open.empty()) {
    const Element& at = process.at(open.back());
    open.pop_back();
    for (const FlowIndex flow : at.outgoing) {
      const ElementIndex next = process.at(flow).target;
      if (next == to) return from != to;
      if (!seen[number(next)]) open.push_back(next);
      seen[number(next)] = true;
    }
  }
  return false;
}

TEST(Reachability, is_what_a_walk_finds_in_random_graphs) {
  std::mt19937 random(17);
  const auto below = [&random](std::size_t most) { return random() % most; };
  for (int round = 0; round < 300; ++round) {
    Graph graph;
    const std::size_t size = 2 + below(20);
    for (std::size_t i = 0; i < size; ++i) {
      graph.add(below(2) == 0 ? ElementKind::inclusive_gateway : ElementKind::task);
    }
    for (std::size_t i = below(3 * size); i > 0; --i) {
      graph.connect(static_cast<ElementIndex>(1 + below(size)),
                    static_cast<ElementIndex>(1 + below(size)));
    }
    link(graph.process);
    for (const ElementIndex join : graph.process.root().inclusive_joins) {
      for (std::uint32_t from = 1; from <= size; ++from) {
        const auto place = static_cast<ElementIndex>(from);
        ASSERT_EQ(graph.process.reaches(place, join), can_walk(graph.process, place, join))
            << "round " << round << ": " << from << " to " << number(join);
      }
    }
  }
}

// Would take minutes and gigabytes if each join kept what can reach it.
TEST(Link, a_hundred_thousand_elements_with_many_inclusive_joins_are_linked) {
  Graph graph;
  ElementIndex last = graph.add(ElementKind::start_event);
  for (int i = 0; i < 25'000; ++i) {
    const auto fork = graph.add(ElementKind::inclusive_gateway);
    const auto a = graph.add(ElementKind::task);
    const auto b = graph.add(ElementKind::task);
    const auto join = graph.add(ElementKind::inclusive_gateway);
    graph.connect(last, fork);
    graph.connect(fork, a);
    graph.connect(fork, b);
    graph.connect(a, join);
    graph.connect(b, join);
    last = join;
  }
  link(graph.process);
  EXPECT_TRUE(graph.process.reaches(ElementIndex{3}, ElementIndex{5}));
  EXPECT_EQ(graph.process.joins_ahead(ElementIndex{1}).size(), 1u) << "all of them are one range";
  EXPECT_FALSE(graph.process.joins_unknown);
}

// In an order that has nothing to do with that of the file: no ranges come of that.
TEST(Link, A7_joins_that_are_too_entangled_are_given_up) {
  Graph graph;
  std::mt19937 random(3);
  std::vector<ElementIndex> joins;
  for (int i = 0; i < 10'000; ++i) joins.push_back(graph.add(ElementKind::inclusive_gateway));
  std::shuffle(joins.begin(), joins.end(), random);
  for (std::size_t i = 0; i + 50 < joins.size(); ++i) {
    for (int n = 0; n < 4; ++n) {
      const std::size_t left = joins.size() - i - 1;
      graph.connect(joins[i], joins[i + 1 + random() % left]);
    }
  }
  link(graph.process);
  EXPECT_TRUE(graph.process.joins_unknown);
  EXPECT_TRUE(graph.process.ahead.empty()) << "half of it would be taken for all";
  for (const ElementIndex join : joins) EXPECT_TRUE(graph.process.joins_ahead(join).empty());
}

}  // namespace
}  // namespace pawl::model

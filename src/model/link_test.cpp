// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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
  EXPECT_TRUE(process.at(d.fork).reached_from.empty());  // one flow leads there: no join
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

TEST(Reachability, a_search_gives_the_same_as_what_was_prepared) {
  Diamond d;
  d.graph.connect(d.join, d.fork);
  link(d.graph.process);
  Process searched = d.graph.process;
  for (Element& element : searched.elements) element.reached_from.clear();
  for (const Element& from : searched.elements) {
    EXPECT_EQ(searched.reaches(from.index, d.join), d.graph.process.reaches(from.index, d.join))
        << from.id;
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
}

}  // namespace
}  // namespace pawl::model

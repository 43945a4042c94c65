// SPDX-License-Identifier: Apache-2.0
#include "testkit/random_process.hpp"

#include <fmt/format.h>

namespace pawl::testkit {
namespace {

// Where the next element hangs on: a source and what its flow still has to say.
struct Edge {
  std::string source;
  std::string arrow{"->"};
  std::string attributes{};
};

class Builder {
 public:
  explicit Builder(Dice& dice) : dice_(dice) {}

  std::string build() {
    if (dice_.chance(30)) text_ += "dialect plain\n";
    if (dice_.chance(10)) text_ += "process   starting first   ending last\n";
    const Edge out = sequence({"start"}, 3, 1 + dice_.below(4));
    add(out, "end done");
    if (dice_.chance(30)) handlers(2);
    return text_;
  }

 private:
  std::string fresh(const char* prefix) { return fmt::format("{}{}", prefix, ++count_); }

  void add(const Edge& edge, const std::string& target, const std::string& more = "") {
    text_ +=
        fmt::format("{}  {}  {}  {}  {}\n", edge.source, edge.arrow, target, edge.attributes, more);
  }

  Edge sequence(Edge edge, int depth, unsigned length) {
    for (unsigned i = 0; i < length; ++i) edge = block(edge, depth);
    return edge;
  }

  Edge block(const Edge& edge, int depth) {
    switch (dice_.below(depth > 0 ? 14 : 7)) {
      case 0:
        return leaf(edge, "task", "");
      case 1:
        return leaf(edge, "job", dice_.chance(30) ? "in mine = 1" : "");
      case 2:
        return leaf(edge, "script",
                    fmt::format("= 1 + {}   into v{}", dice_.below(5), dice_.below(4)));
      case 3:
        return leaf(edge, "job", dice_.chance(30) ? "out v1 = 2" : "");
      case 4:
        return leaf(edge, "receive", fmt::format("on message m   key {}", dice_.below(3)));
      case 5:
        return leaf(edge, "catch", event());
      case 6:
        return thrown(edge);
      case 7:
        return fork(edge, depth, "and");
      case 8:
        return fork(edge, depth, "or");
      case 9:
        return choice(edge, depth);
      case 10:
        return race(edge, depth);
      case 11:
        return ad_hoc(edge, depth);
      default:
        return sub_process(edge, depth);
    }
  }

  // Something is told, or undone.
  Edge thrown(const Edge& edge) {
    const std::string name = fresh("up");
    add(edge, "throw " + name, dice_.chance(60) ? "undoes" : "escalates E");
    return {name};
  }

  std::string listeners() {
    std::string text;
    if (dice_.chance(10)) text += "   starting first";
    if (dice_.chance(10)) text += "   ending last";
    return text;
  }

  std::string event() {
    if (dice_.chance(30)) return "on signal s";
    return fmt::format("after {}m", dice_.below(90));
  }

  // Over and over: all at once or one by one.
  std::string looped() {
    if (!dice_.chance(12)) return {};
    return fmt::format("   each [1, 2, 3] as item{}{}", dice_.chance(50) ? "   sequential" : "",
                       dice_.chance(20) ? "   until item = 2" : "");
  }

  Edge leaf(const Edge& edge, const std::string& kind, const std::string& more) {
    const std::string name = fresh("n");
    add(edge, kind + " " + name, more + listeners() + (kind == "catch" ? "" : looped()));
    if (dice_.chance(20)) beside(name);
    if (kind != "catch" && dice_.chance(30)) add({name, "=>"}, "job " + fresh("undo"));
    if (!dice_.chance(20) || kind == "catch") return {name};
    const std::string merge = fresh("late");
    add({name}, "xor " + merge);
    add({name, "~>", event()}, merge);
    return {merge};
  }

  Edge bare_leaf(const std::string& kind) {
    const std::string name = fresh("n");
    add({"start"}, kind + " " + name);
    return {name};
  }

  // A path of its own that may begin more than once.
  void beside(const std::string& host) {
    if (text_.find("catch " + host) != std::string::npos) return;
    add({host, "~>", fmt::format("every R{}/PT{}M   beside", 1 + dice_.below(3), 7)},
        "job " + fresh("note"));
  }

  Edge race(const Edge& edge, int depth) {
    const std::string split = fresh("race");
    const std::string merge = fresh("won");
    add(edge, "events " + split);
    for (unsigned i = 0; i < 2; ++i) {
      const std::string first = fresh("ev");
      add({split}, "catch " + first,
          (i == 0 ? std::string("on message m   key 1") : event()) + listeners());
      add(sequence({first}, depth - 1, dice_.below(2)), i == 0 ? "xor " + merge : merge);
    }
    return {merge};
  }

  // Splits and joins with the same kind of gateway; an inclusive one takes some of its branches.
  Edge fork(const Edge& edge, int depth, const std::string& kind) {
    const std::string split = fresh("split");
    const std::string join = fresh("join");
    add(edge, kind + " " + split, listeners());
    const unsigned branches = 2 + dice_.below(2);
    for (unsigned i = 0; i < branches; ++i) {
      const bool taken = i == 0 || dice_.chance(60);
      const std::string condition = kind == "or" ? (taken ? "if true" : "if false") : "";
      const Edge end = sequence({split, "->", condition}, depth - 1, dice_.below(3));
      add(end, i == 0 ? kind + " " + join : join);
    }
    return {join};
  }

  Edge choice(const Edge& edge, int depth) {
    const std::string split = fresh("choose");
    const std::string merge = fresh("merge");
    add(edge, "xor " + split, listeners());
    const Edge one = sequence({split, "->", dice_.chance(50) ? "if true" : "if false"}, depth - 1,
                              dice_.below(3));
    add(one, "xor " + merge);
    const Edge other = sequence({split, "->", "otherwise"}, depth - 1, dice_.below(3));
    add(other, merge);
    return {merge};
  }

  // Event sub-processes of the scope that is open, two neighbours of the table at most: no two
  // catch the same. One that may begin again and again does not wait long inside: the scope would
  // never be empty.
  void handlers(int depth) {
    struct Event {
      const char* words;
      bool again;
    };
    static constexpr Event events[] = {
        {"on message stop   key 1", false},
        {"on error E", false},
        {"after 50m", false},
        {"on escalation E", false},
        {"on signal s   beside", true},
        {"every R2/PT9M   beside", false},
        {"on escalation E   beside", true},
        {"on message ask   key 2   beside", true},
    };
    unsigned next = dice_.below(std::size(events));
    for (unsigned i = dice_.below(2); i < 2; ++i) {
      text_ += fmt::format("handler {}   {} {{\n", fresh("handler"), events[next].words);
      const int inner = dice_.chance(20) ? depth - 1 : 0;
      const Edge out = events[next].again ? bare_leaf(dice_.chance(50) ? "job" : "task")
                                          : sequence({"start"}, inner, dice_.below(2));
      add(out, dice_.chance(80) ? "end" : "terminate " + fresh("over"));
      text_ += "}\n";
      next = (next + 1) % std::size(events);
    }
  }

  // Paths that all end; with a condition the first that ends decides.
  Edge ad_hoc(const Edge& edge, int depth) {
    const std::string name = fresh("adhoc");
    static constexpr const char* ends[] = {"", "ends when true",
                                           "ends when true   waits for the rest"};
    std::string paths, ids;
    text_.swap(paths);  // what is inside must be known first
    for (unsigned i = 1 + dice_.below(3); i > 0; --i) {
      const std::string first = fresh("first");
      text_ += "job " + first + "\n";
      add(sequence({first}, depth - 1, dice_.below(2)), "task " + fresh("last"));
      ids += fmt::format("{}\"{}\"", ids.empty() ? "" : ", ", first);
    }
    if (dice_.chance(25)) handlers(depth);
    text_.swap(paths);
    const std::string ordered = dice_.chance(30) ? "   one by one" : "";
    add(edge, "adhoc " + name,
        fmt::format("begins [{}]   {}{}   gathers v1 in all {{", ids, ends[dice_.below(3)],
                    ordered));
    text_ += paths + "}\n";
    return {name};
  }

  Edge sub_process(const Edge& edge, int depth) {
    const std::string name = fresh("box");
    const bool transaction = dice_.chance(20);
    add(edge, (transaction ? "transaction " : "sub ") + name,
        std::string(dice_.chance(20) ? "in v1 = 7" : "") + listeners() +
            (transaction ? "" : looped()));
    text_.insert(text_.size() - 1, " {");
    const Edge inside = sequence({"start"}, depth - 1, dice_.below(3));
    const std::string ends[] = {"end", "end", "end", "terminate " + fresh("over"), "error(E)"};
    const bool caught = dice_.chance(60);
    const char* const cancels = transaction && caught && dice_.chance(60) ? "cancels" : "";
    add(inside, *cancels ? "end" : ends[dice_.below(caught ? 5 : 4)], cancels);
    if (dice_.chance(25)) handlers(depth);
    text_ += "}\n";
    if (!caught) return {name};
    const std::string merge = fresh("after");
    add({name}, "xor " + merge);
    add({name, "~>", dice_.chance(50) ? "on error E" : "on error"}, merge);
    if (*cancels) add({name, "~>", "on cancel"}, merge);
    if (dice_.chance(30)) add({name, "~>", "on escalation E"}, merge);
    return {merge};
  }

  Dice& dice_;
  std::string text_;
  int count_{0};
};

}  // namespace

std::string random_process(Dice& dice) { return Builder(dice).build(); }

}  // namespace pawl::testkit

// SPDX-License-Identifier: Apache-2.0
#include "testkit/known_processes.hpp"

#include <fmt/format.h>

namespace pawl::testkit {
namespace {

constexpr int deepest = 3;

class KnownBuilder {
 public:
  explicit KnownBuilder(Dice& dice) : dice_(dice) {}

  KnownProcesses build() {
    made_.all.push_back({.id = "first"});
    made_.all.front().drawing = process(deepest);
    std::erase_if(made_.runs, [](const auto& one) { return one.second == 0; });
    return std::move(made_);
  }

 private:
  struct From {
    std::string source{};
    std::string condition{};
  };

  std::string fresh(const char* prefix) { return fmt::format("{}{}", prefix, ++count_); }

  std::string process(int depth) {
    std::string outside;
    outside.swap(text_);
    const From out = sequence({"start"}, depth, 1 + dice_.below(4));
    made(out, "end", "done");
    text_.swap(outside);
    return outside;
  }

  void flow(const From& from, const std::string& target, const std::string& more = "") {
    text_ += fmt::format("{}  ->  {}  {}  {}\n", from.source, target, from.condition, more);
  }

  // A new element, which runs as often as all that is drawn now.
  std::string made(const From& from, const char* kind, const char* prefix,
                   const std::string& more = "") {
    std::string name = fresh(prefix);
    flow(from, fmt::format("{} {}", kind, name), more);
    made_.runs[name] += times_;
    return name;
  }

  From sequence(From from, int depth, unsigned length) {
    for (unsigned i = 0; i < length; ++i) from = block(from, depth);
    return from;
  }

  From block(const From& from, int depth) {
    switch (dice_.below(depth > 0 ? 8 : 3)) {
      case 0:
        return activity(from, "task");
      case 1:
        return activity(from, "job");
      case 2:
        return activity(from, "script", "= 1   into v1");
      case 3:
        return fork(from, depth, "and");
      case 4:
        return fork(from, depth, "or");
      case 5:
        return choice(from, depth);
      case 6:
        return call(from, depth);
      default:
        return box(from, depth);
    }
  }

  // Draws the inside of something that runs `factor` times as often.
  template <class Draw>
  auto repeated(int factor, Draw draw) {
    const int before = times_;
    times_ *= factor;
    auto drawn = draw();
    times_ = before;
    return drawn;
  }

  struct Loop {
    int times{1};
    std::string words{};
  };
  Loop loop() {
    if (!dice_.chance(30)) return {};
    static constexpr const char* collections[] = {"[]", "[1]", "[1, 2]", "[1, 2, 3]"};
    const unsigned items = dice_.below(4);
    return {.times = static_cast<int>(items),
            .words = fmt::format("   each {} as item{}", collections[items],
                                 dice_.chance(50) ? "   sequential" : "")};
  }

  From activity(const From& from, const char* kind, const std::string& more = "") {
    const Loop over = loop();
    return {repeated(over.times, [&] { return made(from, kind, "n", more + over.words); })};
  }

  From call(const From& from, int depth) {
    const Loop over = loop();
    std::string child = fresh("child");
    return {repeated(over.times, [&] {
      std::string name = made(from, "call", "c", "process " + child + over.words);
      std::string drawing = process(depth - 1);
      made_.all.push_back({.id = child, .drawing = std::move(drawing)});
      return name;
    })};
  }

  From box(const From& from, int depth) {
    const Loop over = loop();
    return {repeated(over.times, [&] {
      std::string name = made(from, "sub", "box", over.words + "   {");
      const From inside = sequence({"start"}, depth - 1, dice_.below(3));
      made(inside, "end", "inner");
      text_ += "}\n";
      return name;
    })};
  }

  From branch(const From& from, int depth, bool taken) {
    return repeated(taken ? 1 : 0, [&] { return sequence(from, depth - 1, dice_.below(3)); });
  }

  // Splits and joins with the same kind of gateway; an inclusive one takes some of its branches.
  From fork(const From& from, int depth, const char* kind) {
    const bool all = kind == std::string_view("and");
    const std::string split = made(from, kind, "split");
    std::string join;
    for (unsigned i = 2 + dice_.below(2); i > 0; --i) {
      const bool taken = all || i == 1 || dice_.chance(60);
      const char* condition = all ? "" : taken ? "if true" : "if false";
      meet(branch({split, condition}, depth, taken), kind, join);
    }
    return {join};
  }

  From choice(const From& from, int depth) {
    const std::string split = made(from, "xor", "choose");
    const bool first = dice_.chance(50);
    std::string merge;
    meet(branch({split, first ? "if true" : "if false"}, depth, first), "xor", merge);
    meet(branch({split, "otherwise"}, depth, !first), "xor", merge);
    return {merge};
  }

  // The first to come draws the gateway.
  void meet(const From& from, const char* kind, std::string& join) {
    if (join.empty()) {
      join = made(from, kind, "join");
    } else {
      flow(from, join);
    }
  }

  Dice& dice_;
  KnownProcesses made_;
  std::string text_;
  int times_{1};
  int count_{0};
};

}  // namespace

KnownProcesses known_processes(Dice& dice) { return KnownBuilder(dice).build(); }

}  // namespace pawl::testkit

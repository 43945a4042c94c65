// SPDX-License-Identifier: Apache-2.0
#include "engine/elements/loop_plan.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace pawl::engine {
namespace {

struct Asking {
  Step& step;
  Slot body;
  const model::Element& element;
};

Error wrong(const Asking& asking, const model::Expression& expression, const Evaluated& got,
            std::string_view what, std::string_view wanted) {
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("multi-instance \"{}\": {} \"{}\" must give {}, but gave {} ({}){}",
                          asking.element.id, what, expression.text, wanted, preview(got.value),
                          kind_name(got.value.kind()), got.remarks));
}

Result<std::uint32_t> count(const Asking& asking, const model::Expression& expression,
                            std::string_view what, std::int64_t least) {
  PAWL_TRY(got, asking.step.evaluate(expression, asking.body));
  Value number = got.value;
  if (expression.is_literal() && number.is_string()) {  // digits in the model itself
    if (const auto parsed = Decimal::parse(number.as_string())) number = Value(*parsed);
  }
  if (!number.is_int() || number.int_unchecked() < least) {
    return wrong(asking, expression, got, what,
                 fmt::format("a whole number of at least {}", least));
  }
  if (number.int_unchecked() > limits::iterations) {
    return wrong(asking, expression, got, what,
                 fmt::format("at most {} (the limit of iterations)", limits::iterations));
  }
  return static_cast<std::uint32_t>(number.int_unchecked());
}

Result<void> read_total(const Asking& asking, const model::LoopDefinition& loop,
                        LoopStarted& plan) {
  if (loop.collection.empty()) {
    PAWL_TRY(total, count(asking, loop.cardinality, "loop cardinality", 0));
    plan.total = total;
    return {};
  }
  PAWL_TRY(got, asking.step.evaluate(loop.collection, asking.body));
  if (!got.value.is_list()) {
    return wrong(asking, loop.collection, got, "collection", "a list");
  }
  const std::size_t size = got.value.as_list().size();
  if (size > limits::iterations) {
    return fail(
        Whose::operators, Code::too_large,
        fmt::format("multi-instance \"{}\": collection \"{}\" has {} items; the limit is {}",
                    asking.element.id, loop.collection.text, size, limits::iterations));
  }
  plan.total = static_cast<std::uint32_t>(size);
  plan.items = storable(got.value);
  return {};
}

Result<void> check_bounds(const Asking& asking, const model::LoopDefinition& loop,
                          std::uint32_t total) {
  std::uint32_t least = 0;
  std::uint32_t most = limits::iterations;
  if (!loop.options.minimum.empty()) {
    PAWL_TRY(given, count(asking, loop.options.minimum, "pawl:min", 0));
    least = given;
  }
  if (!loop.options.maximum.empty()) {
    PAWL_TRY(given, count(asking, loop.options.maximum, "pawl:max", 0));
    most = given;
  }
  if (total >= least && total <= most) return {};
  const model::Expression& source = loop.collection.empty() ? loop.cardinality : loop.collection;
  return fail(
      Whose::operators, Code::wrong_type,
      fmt::format("multi-instance \"{}\": \"{}\" gives {} iterations, but the bounds are {} "
                  "to {}",
                  asking.element.id, source.text, total, least, most));
}

Result<void> read_policies(const Asking& asking, const model::LoopDefinition& loop,
                           LoopStarted& plan) {
  using Options = model::LoopOptions;
  if (loop.sequential) {
    plan.concurrency = 1;
  } else if (!loop.options.concurrency.empty()) {
    PAWL_TRY(given, count(asking, loop.options.concurrency, "pawl:concurrency", 1));
    plan.concurrency = given;
  }
  if (loop.options.join == Options::Join::count) {
    PAWL_TRY(given, count(asking, loop.options.join_count, "pawl:join", 1));
    plan.needed = std::min(given, plan.total);
  }
  if (loop.options.on_error == Options::OnError::tolerate) {
    PAWL_TRY(given, count(asking, loop.options.tolerated, "pawl:onError tolerate", 0));
    plan.tolerated = given;
  }
  if (loop.options.on_error == Options::OnError::collect) plan.tolerated = limits::iterations;
  plan.detached = loop.options.join == Options::Join::none;
  return {};
}

}  // namespace

Result<LoopStarted> plan_loop(Step& step, Slot body) {
  const ElementInstance& one = step.state().at(body);
  const Asking asking{step, body, step.state().definition_of(one)};
  const model::LoopDefinition& loop = *asking.element.loop;
  LoopStarted plan{.body = one.key};
  if (loop.kind == model::LoopDefinition::Kind::standard) {
    const std::int64_t most = loop.loop_maximum.value_or(limits::iterations);
    plan.total = static_cast<std::uint32_t>(std::min<std::int64_t>(most, limits::iterations));
    plan.concurrency = 1;
    return plan;
  }
  PAWL_CHECK(read_total(asking, loop, plan));
  PAWL_CHECK(check_bounds(asking, loop, plan.total));
  PAWL_CHECK(read_policies(asking, loop, plan));
  return plan;
}

}  // namespace pawl::engine

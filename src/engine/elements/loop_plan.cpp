// SPDX-License-Identifier: Apache-2.0
#include "engine/elements/loop_plan.hpp"

#include <fmt/format.h>

#include <limits>

#include "engine/gate.hpp"

namespace pawl::engine {
namespace {

constexpr std::uint32_t no_end = std::numeric_limits<std::uint32_t>::max();

struct Asking {
  Step& step;
  Slot body;
  const model::Element& element;
};

// An expression of the model with what it gave.
struct Answer {
  std::string_view what;  // "loop cardinality"
  const model::Expression& expression;
  Evaluated got{};
};

std::string kind_and_size(const Value& value) {
  if (!value.is_list()) return std::string(kind_name(value.kind()));
  return fmt::format("list of {}", value.as_list().size());
}

Error wrong_loop_value(const Asking& asking, const Answer& answer, std::string_view wanted) {
  const Value& value = answer.got.value;
  return fail(Whose::operators, Code::wrong_type,
              fmt::format("multi-instance \"{}\": {} \"{}\" must give {}, but gave {} ({}){}",
                          asking.element.id, answer.what, answer.expression.text, wanted,
                          preview(value), kind_and_size(value), answer.got.remarks));
}

Result<Answer> ask(const Asking& asking, std::string_view what,
                   const model::Expression& expression) {
  PAWL_TRY(got, asking.step.evaluate(expression, asking.body));
  return Answer{what, expression, std::move(got)};
}

Result<std::uint32_t> count_of(const Asking& asking, const Answer& answer, std::int64_t least) {
  Value number = answer.got.value;
  if (answer.expression.is_literal() && number.is_string()) {  // digits in the model itself
    if (const auto parsed = Decimal::parse(number.as_string())) number = Value(*parsed);
  }
  if (!number.is_int() || number.int_unchecked() < least) {
    return wrong_loop_value(asking, answer, fmt::format("a whole number of at least {}", least));
  }
  const std::uint32_t limit = asking.step.allowance().iterations;
  if (number.int_unchecked() > limit) {
    return wrong_loop_value(asking, answer,
                            fmt::format("at most {} (the limit of iterations)", limit));
  }
  return static_cast<std::uint32_t>(number.int_unchecked());
}

Result<std::uint32_t> count(const Asking& asking, std::string_view what,
                            const model::Expression& expression, std::int64_t least) {
  PAWL_TRY(answer, ask(asking, what, expression));
  return count_of(asking, answer, least);
}

Result<void> check_bounds(const Asking& asking, const model::LoopOptions& options,
                          const Answer& answer, std::uint32_t total) {
  std::uint32_t least = 0;
  std::uint32_t most = asking.step.allowance().iterations;
  if (!options.minimum.empty()) {
    PAWL_TRY(given, count(asking, "pawl:min", options.minimum, 0));
    least = given;
  }
  if (!options.maximum.empty()) {
    PAWL_TRY(given, count(asking, "pawl:max", options.maximum, 0));
    most = given;
  }
  if (total >= least && total <= most) return {};
  return wrong_loop_value(asking, answer,
                          fmt::format("{} to {} iterations (pawl:min, pawl:max)", least, most));
}

Result<void> read_collection(const Asking& asking, const Answer& answer, LoopStarted& plan) {
  const Value& value = answer.got.value;
  if (!value.is_list()) return wrong_loop_value(asking, answer, "a list");
  const std::uint32_t limit = asking.step.allowance().iterations;
  if (value.as_list().size() > limit) {
    return wrong_loop_value(asking, answer,
                            fmt::format("a list of at most {} (the limit of iterations)", limit));
  }
  plan.total = static_cast<std::uint32_t>(value.as_list().size());
  PAWL_TRY(items, Gate(asking.step, asking.body).admit_items({"collection", ""}, value));
  plan.items = std::move(items);
  return {};
}

Result<void> read_total(const Asking& asking, const model::LoopDefinition& loop,
                        LoopStarted& plan) {
  const bool over_list = !loop.collection.empty();
  PAWL_TRY(answer, over_list ? ask(asking, "collection", loop.collection)
                             : ask(asking, "loop cardinality", loop.cardinality));
  if (over_list) {
    PAWL_CHECK(read_collection(asking, answer, plan));
  } else {
    PAWL_TRY(total, count_of(asking, answer, 0));
    plan.total = total;
  }
  return check_bounds(asking, loop.options, answer, plan.total);
}

Result<void> read_policies(const Asking& asking, const model::LoopDefinition& loop,
                           LoopStarted& plan) {
  using Options = model::LoopOptions;
  if (loop.sequential) {
    plan.concurrency = 1;
  } else if (!loop.options.concurrency.empty()) {
    PAWL_TRY(given, count(asking, "pawl:concurrency", loop.options.concurrency, 1));
    plan.concurrency = given;
  }
  if (loop.options.join == Options::Join::count) {
    PAWL_TRY(given, count(asking, "pawl:join", loop.options.join_count, 1));
    plan.needed = given;
  }
  if (loop.options.on_error == Options::OnError::tolerate) {
    PAWL_TRY(given, count(asking, "pawl:onError tolerate", loop.options.tolerated, 0));
    plan.tolerated = given;
  }
  if (loop.options.on_error == Options::OnError::collect) plan.tolerated = no_end;
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
    const std::int64_t limit = step.allowance().iterations;
    plan.total = static_cast<std::uint32_t>(std::min(loop.loop_maximum.value_or(limit), limit));
    plan.concurrency = 1;
    return plan;
  }
  PAWL_CHECK(read_total(asking, loop, plan));
  PAWL_CHECK(read_policies(asking, loop, plan));
  return plan;
}

}  // namespace pawl::engine

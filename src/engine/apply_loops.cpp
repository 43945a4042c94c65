// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_loops.hpp"

#include "engine/weight.hpp"

namespace pawl::engine {
namespace {

// Somebody inside the loop has replaced the output variable by a list: it counts from now on.
void take_over_replacement(Instance& state, const model::LoopDefinition& definition,
                           ElementInstance& body) {
  const Variable* replaced = body.variables.find(definition.output_collection);
  if (!replaced || !replaced->value.is_list()) return;
  state.value_bytes -= bytes_of(*body.loop) + bytes_of(replaced->name, replaced->value);
  body.loop->outputs = replaced->value.as_list();
  body.loop->filled.assign(body.loop->outputs.size(), true);
  body.variables.erase(definition.output_collection);
  state.value_bytes += bytes_of(*body.loop);
}

}  // namespace

void collect_output(Instance& state, ElementInstance& body, std::uint32_t iteration,
                    const Value& value) {
  const model::LoopDefinition& definition = *state.definition_of(body).loop;
  Loop& loop = *body.loop;
  take_over_replacement(state, definition, body);
  state.value_bytes += value.encoded_size();
  if (definition.options.completion_order) {
    loop.outputs.push_back(value);
    return;
  }
  if (loop.outputs.size() < loop.total) {
    loop.outputs.resize(loop.total);
    loop.filled.resize(loop.total);
  }
  state.value_bytes -= loop.outputs[iteration - 1].encoded_size();
  loop.outputs[iteration - 1] = value;
  loop.filled[iteration - 1] = true;
}

std::string local_output_of(const model::LoopDefinition& definition) {
  if (!definition.collects()) return "";
  std::string name = definition.output_item;
  if (definition.output_element.language == model::Expression::Language::feel) {
    name = definition.output_element.feel.root_name().value_or("");
  }
  return name == definition.item_variable || name == "loopCounter" ? "" : name;
}

void count_iteration(ElementInstance& body, const ElementInstance& iteration, Ended how) {
  if (how == Ended::completed || iteration.skipped) {
    ++body.loop->completed;
  } else if (!iteration.failed) {
    ++body.loop->terminated;
  }
}

const Value& Loop::item_of(std::uint32_t iteration) const {
  const List& first = items.as_list();
  const std::size_t place = iteration - 1;
  return place < first.size() ? first[place] : added[place - first.size()];
}

Value Loop::output_list(const model::LoopDefinition& definition,
                        const IterationCollected* next) const {
  if (definition.options.completion_order) {
    List list = outputs;
    if (next) list.push_back(next->value);
    return Value(std::move(list));
  }
  std::vector<bool> gone(total);
  for (const std::uint32_t iteration : removed) gone[iteration - 1] = true;
  List list;
  list.reserve(total);
  for (std::size_t i = 0; i < total; ++i) {
    if (gone[i]) continue;
    const bool comes = next && next->iteration == i + 1;
    const bool here = i < filled.size() && filled[i];
    if (!comes && !here && definition.options.compact) continue;
    list.push_back(comes ? next->value : here ? outputs[i] : Value());
  }
  return Value(std::move(list));
}

}  // namespace pawl::engine

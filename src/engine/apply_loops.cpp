// SPDX-License-Identifier: Apache-2.0
#include "engine/apply_loops.hpp"

#include <algorithm>

namespace pawl::engine {
namespace {

// Somebody inside the loop has replaced the output variable by a list: it counts from now on.
void take_over_replacement(const model::LoopDefinition& definition, ElementInstance& body) {
  const Variable* replaced = body.variables.find(definition.output_collection);
  if (!replaced || !replaced->value.is_list()) return;
  body.loop->outputs = replaced->value.as_list();
  body.loop->filled.assign(body.loop->outputs.size(), true);
  body.variables.erase(definition.output_collection);
}

}  // namespace

void collect_output(Instance& state, ElementInstance& body, std::uint32_t iteration,
                    const Value& value) {
  const model::LoopDefinition& definition = *state.definition_of(body).loop;
  Loop& loop = *body.loop;
  take_over_replacement(definition, body);
  if (definition.options.completion_order) {
    loop.outputs.push_back(value);
    return;
  }
  if (loop.outputs.size() < loop.total) {
    loop.outputs.resize(loop.total);
    loop.filled.resize(loop.total);
  }
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

Value Loop::output_list(const model::LoopDefinition& definition) const {
  if (definition.options.completion_order) return Value(outputs);
  List list;
  list.reserve(total);
  for (std::size_t i = 0; i < total; ++i) {
    if (std::find(removed.begin(), removed.end(), i + 1) != removed.end()) continue;
    const bool here = i < filled.size() && filled[i];
    if (here || !definition.options.compact) list.push_back(here ? outputs[i] : Value());
  }
  return Value(std::move(list));
}

}  // namespace pawl::engine

// SPDX-License-Identifier: Apache-2.0
#include "server/search/models.hpp"

#include "base/assert.hpp"
#include "model/headers.hpp"
#include "store/element_part.hpp"
#include "value/json.hpp"

namespace pawl::server {
namespace {

using model::ElementKind;
using store::Cell;
using store::Cells;
using store::Column;
using store::ElementPart;
using store::Fact;
using store::Table;

std::string_view type_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::process:
      return "PROCESS";
    case ElementKind::start_event:
      return "START_EVENT";
    case ElementKind::end_event:
      return "END_EVENT";
    case ElementKind::intermediate_catch_event:
      return "INTERMEDIATE_CATCH_EVENT";
    case ElementKind::intermediate_throw_event:
      return "INTERMEDIATE_THROW_EVENT";
    case ElementKind::boundary_event:
      return "BOUNDARY_EVENT";
    case ElementKind::task:
      return "TASK";
    case ElementKind::manual_task:
      return "MANUAL_TASK";
    case ElementKind::service_task:
      return "SERVICE_TASK";
    case ElementKind::send_task:
      return "SEND_TASK";
    case ElementKind::receive_task:
      return "RECEIVE_TASK";
    case ElementKind::user_task:
      return "USER_TASK";
    case ElementKind::script_task:
      return "SCRIPT_TASK";
    case ElementKind::business_rule_task:
      return "BUSINESS_RULE_TASK";
    case ElementKind::sub_process:
    case ElementKind::transaction:  // clients have no word for it
      return "SUB_PROCESS";
    case ElementKind::event_sub_process:
      return "EVENT_SUB_PROCESS";
    case ElementKind::ad_hoc_sub_process:
      return "AD_HOC_SUB_PROCESS";
    case ElementKind::call_activity:
      return "CALL_ACTIVITY";
    case ElementKind::exclusive_gateway:
      return "EXCLUSIVE_GATEWAY";
    case ElementKind::parallel_gateway:
      return "PARALLEL_GATEWAY";
    case ElementKind::inclusive_gateway:
      return "INCLUSIVE_GATEWAY";
    case ElementKind::event_based_gateway:
      return "EVENT_BASED_GATEWAY";
    case ElementKind::complex_gateway:
      return "UNKNOWN";
  }
  broken_invariant("an element kind without a type", "models.cpp", __LINE__);
}

Cell text_or_absent(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

std::string headers_text(const model::Element& element) {
  std::vector<Entry> entries;
  for (const auto& [name, value] : model::headers_of(element)) entries.push_back({name, value});
  return to_json(Value::context(std::move(entries)));
}

}  // namespace

const model::Process* Models::find(Key definition) {
  const auto seen = seen_.find(definition);
  if (seen != seen_.end()) return seen->second ? seen->second->process.get() : nullptr;
  const auto found = definitions_.find(definition);
  const auto& kept = seen_[definition] = found ? *found : nullptr;
  return kept ? kept->process.get() : nullptr;
}

const model::Element* Models::find(Key definition, ElementIndex element) {
  const model::Process* process = find(definition);
  if (!process || number(element) >= process->elements.size()) return nullptr;
  return &process->at(element);
}

Cell Models::fact(Key definition, ElementIndex element, bool body, Fact fact) {
  const model::Process* process = find(definition);
  if (!process) return {};
  if (fact == Fact::process_name) return text_or_absent(process->name);
  if (fact == Fact::version_tag) return text_or_absent(process->version_tag);
  const model::Element* found = find(definition, element);
  if (!found) return {};
  if (fact == Fact::element_name) return found->name.empty() ? found->id : found->name;
  return std::string(body ? "MULTI_INSTANCE_BODY" : type_of(found->kind));
}

store::Facts Models::facts() {
  return [this](Key definition, ElementIndex element, bool body, Fact which) {
    return fact(definition, element, body, which);
  };
}

void Models::complete_job(Cells& row, const model::Element& element) {
  row.set(Column::headers, headers_text(element));
  if (!element.user_task) return;
  const auto& task = *element.user_task;
  row.set(Column::form, text_or_absent(task.form_key.empty() ? task.form_id : task.form_key));
}

void Models::complete(Table table, Cells& row) {
  const Key definition = row.key_at(Column::definition);
  const auto index =
      static_cast<ElementIndex>(row.number_at(Column::element_index, number(ElementIndex::none)));
  const bool body = row.number_at(Column::body) != 0;
  row.set(Column::process_name, fact(definition, index, body, Fact::process_name));
  row.set(Column::version_tag, fact(definition, index, body, Fact::version_tag));
  // No model says what a path is.
  const bool path = row.number_at(Column::body) == static_cast<std::int64_t>(ElementPart::path);
  if (path) row.set(Column::element_type, std::string(store::path_type));
  const model::Element* element = find(definition, index);
  if (!element) return;
  row.set(Column::element_id, element->id);
  row.set(Column::element_name, fact(definition, index, body, Fact::element_name));
  if (!path) row.set(Column::element_type, fact(definition, index, body, Fact::element_type));
  if (table == Table::jobs) complete_job(row, *element);
}

}  // namespace pawl::server

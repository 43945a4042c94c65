// SPDX-License-Identifier: Apache-2.0
#include "bpmn/rules.hpp"

#include <array>

namespace pawl::bpmn {
namespace {

struct Row {
  std::string_view name;
  Level level;
};

// In the order of Rule; rules_test.cpp compares with docs/validation.md.
constexpr std::array rows = std::to_array<Row>({
    {"not-bpmn", Level::structure},
    {"process-missing", Level::execution},
    {"process-too-large", Level::structure},
    {"nesting-too-deep", Level::structure},
    {"element-unknown", Level::execution},
    {"extension-unknown", Level::advice},
    {"id-missing", Level::structure},
    {"id-duplicate", Level::structure},
    {"reference-unknown", Level::standard},
    {"reference-kind", Level::standard},
    {"flow-source-unknown", Level::structure},
    {"flow-target-unknown", Level::structure},
    {"flow-crosses-scope", Level::structure},
    {"flow-condition-empty", Level::advice},
    {"flow-condition-ignored", Level::advice},
    {"flow-condition-advised", Level::advice},
    {"flow-condition-missing", Level::execution},
    {"flow-condition-alone", Level::standard},
    {"flow-is-immediate", Level::standard},
    {"flow-lists-differ", Level::standard},
    {"node-without-incoming", Level::standard},
    {"node-without-outgoing", Level::standard},
    {"default-flow-unknown", Level::execution},
    {"default-flow-condition", Level::standard},
    {"start-has-incoming", Level::execution},
    {"end-has-outgoing", Level::execution},
    {"start-several", Level::execution},
    {"start-missing", Level::standard},
    {"end-missing", Level::standard},
    {"instantiate-has-incoming", Level::execution},
    {"container-empty", Level::advice},
    {"sub-process-start-kind", Level::execution},
    {"event-sub-process-start", Level::execution},
    {"event-sub-process-flow", Level::execution},
    {"ad-hoc-content", Level::execution},
    {"event-kind", Level::execution},
    {"event-must-interrupt", Level::execution},
    {"event-definition-ref-unknown", Level::execution},
    {"cancel-outside-transaction", Level::execution},
    {"catch-duplicate", Level::execution},
    {"boundary-host-unknown", Level::structure},
    {"boundary-has-incoming", Level::execution},
    {"message-ref-missing", Level::execution},
    {"message-ref-unknown", Level::execution},
    {"message-name-missing", Level::execution},
    {"correlation-key-missing", Level::execution},
    {"operation-missing", Level::standard},
    {"signal-ref-missing", Level::execution},
    {"signal-ref-unknown", Level::execution},
    {"signal-name-missing", Level::execution},
    {"error-ref-unknown", Level::execution},
    {"error-code-missing", Level::execution},
    {"escalation-ref-unknown", Level::execution},
    {"escalation-code-missing", Level::execution},
    {"timer-missing", Level::execution},
    {"timer-several", Level::execution},
    {"timer-invalid", Level::execution},
    {"condition-missing", Level::execution},
    {"link-name-missing", Level::execution},
    {"link-catch-duplicate", Level::execution},
    {"link-throw-alone", Level::execution},
    {"link-catch-alone", Level::standard},
    {"link-flow", Level::execution},
    {"compensation-handler-missing", Level::execution},
    {"compensation-handler-unmarked", Level::execution},
    {"compensation-flow", Level::execution},
    {"compensation-ref-unknown", Level::execution},
    {"gateway-direction", Level::standard},
    {"gateway-useless", Level::standard},
    {"event-gateway-outgoing", Level::execution},
    {"event-gateway-target", Level::execution},
    {"event-gateway-condition", Level::execution},
    {"event-gateway-same-event", Level::execution},
    {"event-gateway-parallel", Level::standard},
    {"event-gateway-mixed", Level::standard},
    {"loop-several", Level::structure},
    {"loop-without-count", Level::execution},
    {"loop-maximum-invalid", Level::execution},
    {"loop-behavior", Level::standard},
    {"quantity-invalid", Level::execution},
    {"expression-invalid", Level::execution},
    {"expression-expected", Level::execution},
    {"expression-empty", Level::standard},
    {"expression-informal", Level::standard},
    {"language-invalid", Level::standard},
    {"script-missing", Level::execution},
    {"script-format-unknown", Level::standard},
    {"job-type-missing", Level::execution},
    {"called-element-missing", Level::execution},
    {"called-element-unknown", Level::standard},
    {"called-process-start", Level::execution},
    {"mapping-target-invalid", Level::execution},
    {"write-rule-unknown", Level::execution},
    {"message-flow", Level::standard},
    {"participant-multiplicity", Level::standard},
    {"operation-data", Level::standard},
    {"call-data", Level::standard},
    {"data-item-mismatch", Level::standard},
    {"data-sources-several", Level::standard},
    {"data-state-name", Level::standard},
    {"io-set-invalid", Level::standard},
    {"media-type-invalid", Level::standard},
    {"resource-role", Level::standard},
});
static_assert(rows.size() == rule_count);

}  // namespace

std::string_view name_of(Rule rule) { return rows[static_cast<std::size_t>(rule)].name; }

Level level_of(Rule rule) { return rows[static_cast<std::size_t>(rule)].level; }

}  // namespace pawl::bpmn

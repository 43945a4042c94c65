// SPDX-License-Identifier: Apache-2.0
// What can be said about a request before the runtime is asked. Each gives error invalid_argument
// (or what its comment says) with a sentence that names the field.
#pragma once

#include "server/operations.hpp"

namespace pawl::server {

// A context, or null for none.
Result<void> check_variables(const Value& variables);
// Tags, business id, and what cannot be done yet (error not_supported).
Result<void> check_start_options(const StartOrder& order);
// Error invalid_state: it has no start event that waits for nothing.
Result<void> check_none_start(const runtime::Definition& definition);
Result<void> check_question(const JobQuestion& question);
Result<void> check_message(const MessageOrder& order);
// Only BPMN files can be deployed; error not_supported for the other kinds clients know.
Result<void> check_resource_name(std::string_view name);

}  // namespace pawl::server

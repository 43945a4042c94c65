// SPDX-License-Identifier: Apache-2.0
// A drawn process as a BPMN file, so that what tests draw at random also goes through the reader.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/process.hpp"

namespace pawl::testkit {

// In the Zeebe dialect, whatever the process says. Throws std::invalid_argument for what it cannot
// write: a test's own mistake.
std::string as_xml(const model::Process& process);
// The same process, written and read again; what the reader finds fault with is the error.
Result<model::ProcessPtr> through_a_file(const model::Process& process);

}  // namespace pawl::testkit

// SPDX-License-Identifier: Apache-2.0
// Any bytes as a BPMN file: the reader ends, within its limits, with processes or with findings.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bpmn/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const pawl::bpmn::Definitions read = pawl::bpmn::read(bytes, "fuzz.bpmn");
  if (!read.ok() && !read.processes.empty()) std::abort();
  for (const pawl::bpmn::Finding& finding : read.findings) {
    if (finding.text.empty() || finding.rule.empty()) std::abort();
  }
  return 0;
}

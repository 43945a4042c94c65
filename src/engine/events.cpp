// SPDX-License-Identifier: Apache-2.0
#include "engine/events.hpp"

namespace pawl::engine {

std::string_view name_of(IncidentKind kind) {
  switch (kind) {
    case IncidentKind::unknown:
      return "UNKNOWN";
    case IncidentKind::mapping:
      return "IO_MAPPING_ERROR";
    case IncidentKind::no_retries:
      return "JOB_NO_RETRIES";
    case IncidentKind::condition:
      return "CONDITION_ERROR";
    case IncidentKind::extract_value:
      return "EXTRACT_VALUE_ERROR";
    case IncidentKind::unhandled_error:
      return "UNHANDLED_ERROR_EVENT";
    case IncidentKind::called_element:
      return "CALLED_ELEMENT_ERROR";
    case IncidentKind::too_large:
      return "MESSAGE_SIZE_EXCEEDED";
    case IncidentKind::endless:
      return "ENDLESS_LOOP";
  }
  return "UNKNOWN";
}

}  // namespace pawl::engine

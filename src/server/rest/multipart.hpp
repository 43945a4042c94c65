// SPDX-License-Identifier: Apache-2.0
// Multipart: the body of a form with files (RFC 7578). Strict about its frame, so that two readers
// never see two different things in it; part sizes are bounded by the size of the body, the number
// of parts and their headers by limits of their own. Errors: invalid_argument.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace pawl::server::rest {

struct Part {
  std::string name{};
  std::string file_name{};     // empty: none was given
  std::string_view content{};  // inside the body
};

// The boundary that a content-type of multipart/form-data names.
Result<std::string> boundary_of(std::string_view content_type);
// The parts point into `body`, which must outlive them.
Result<std::vector<Part>> parse_multipart(std::string_view body, std::string_view boundary);

}  // namespace pawl::server::rest

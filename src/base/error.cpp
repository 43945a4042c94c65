// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

namespace pawl {

std::string code_text(Code code) { return "PAWL-" + std::to_string(static_cast<unsigned>(code)); }

}  // namespace pawl

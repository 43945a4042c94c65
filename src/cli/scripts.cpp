// SPDX-License-Identifier: Apache-2.0
#include "cli/scripts.hpp"

#include <fmt/format.h>

#include "cli/arguments.hpp"

namespace pawl::cli {

Result<script::Where> scripts_argument(std::string_view text) {
  if (const auto where = script::where_named(text)) return *where;
  return wrong_argument(
      fmt::format("expected off (JavaScript is refused), process (it runs in a process of its own) "
                  "or inline (in this one), not \"{}\"",
                  text));
}

Result<void> run_scripts(script::Where where) {
  script::use(where);
  return script::expect_helper();
}

}  // namespace pawl::cli

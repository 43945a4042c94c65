// SPDX-License-Identifier: Apache-2.0
#include "script/where.hpp"

#include <atomic>

#include "script/children.hpp"

namespace pawl::script {
namespace {

std::atomic<Where> in_use{Where::inside};

}  // namespace

std::optional<Where> where_named(std::string_view word) {
  if (word == "off") return Where::off;
  if (word == "process") return Where::process;
  if (word == "inline") return Where::inside;
  return std::nullopt;
}

Where where() { return in_use.load(std::memory_order_relaxed); }

void use(Where where) {
  in_use = where;
  if (where == Where::process) Children::instance().start_ahead();
}

Result<void> expect_helper() {
  if (where() != Where::process) return {};
  PAWL_CHECK(Children::instance().take());
  return {};
}

}  // namespace pawl::script

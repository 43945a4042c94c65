// SPDX-License-Identifier: Apache-2.0
// The checks that every index must pass, as a table. A store's test makes a Stage for each of them,
// in both cuts, and runs it; index_kit_test.cpp shows how.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "store/conformance/stage.hpp"

namespace pawl::store::conformance {

struct Check {
  const char* name{};  // a sentence, with underscores
  void (*run)(Stage& stage){};
};

// A text that does harm if it is pasted into SQL.
inline constexpr const char* hostile = "x'; DROP TABLE instances; --\" %_\\";

// All of them.
std::vector<Check> index_checks();

// By family; each has its file.
std::span<const Check> instance_checks();
std::span<const Check> execution_checks();
std::span<const Check> job_checks();
std::span<const Check> waiting_checks();
std::span<const Check> mail_checks();
std::span<const Check> incident_checks();
std::span<const Check> history_checks();
std::span<const Check> query_checks();
std::span<const Check> applying_checks();
std::span<const Check> selection_checks();
std::span<const Check> call_checks();
std::span<const Check> migration_checks();

}  // namespace pawl::store::conformance

// SPDX-License-Identifier: Apache-2.0
// Functions of ours that SQL of ours may call: pawl_like(text, pattern), and pawl_fact(facts,
// definition, element, body, fact), whose first value is a bound pointer to store::Facts.
#pragma once

#include "store/selection.hpp"
#include "store/sqlite/sqlite.hpp"

namespace pawl::store::sqlite {

// With them comes that a statement ends when nobody waits for it any more (store/patience.hpp).
Result<void> add_functions(Connection& db);
void end_when_nobody_waits(Connection& db);
void bind_facts(sqlite3_stmt* statement, int at, const Facts& facts);

}  // namespace pawl::store::sqlite

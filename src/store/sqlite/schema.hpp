// SPDX-License-Identifier: Apache-2.0
// The tables of the index, as docs/store.md explains them to people. Every secondary index costs on
// the hot path, so there are few and most are partial. A change of the tables is a new schema
// number; the index can always be made anew from the journal.
#pragma once

#include "store/sqlite/sqlite.hpp"

namespace pawl::store::sqlite {

inline constexpr std::int64_t schema_number = 4;

// Makes the tables if the database is empty (and may be written); else checks that they are ours,
// and brings those of an earlier version up to date.
// Errors: store_damaged, store_too_new.
Result<void> ensure_schema(Connection& db, bool read_only);

}  // namespace pawl::store::sqlite

// SPDX-License-Identifier: Apache-2.0
// A Selection as SQL. Every value of it is a parameter of the statement; only words of our own
// (states, names of columns) stand in the text.
#pragma once

#include <string>
#include <vector>

#include "store/selection.hpp"

namespace pawl::store::sqlite {

struct SelectSql {
  std::string text{};
  std::vector<Cell> values{};  // of ?2, ?3, …; ?1 is for the facts
};

// The columns of its rows, in this order.
std::vector<KeptColumn> columns_for(const Selection& selection);
SelectSql rows_sql(const Selection& selection, bool few);  // few: not more than are counted
SelectSql count_sql(const Selection& selection);           // at most one more than count_limit

}  // namespace pawl::store::sqlite

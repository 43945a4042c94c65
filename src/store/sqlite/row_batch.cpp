// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/row_batch.hpp"

#include <fmt/format.h>

namespace pawl::store::sqlite {
namespace {

std::string insert_of(std::string_view head, std::size_t columns, std::size_t rows) {
  std::string row = "(?";
  for (std::size_t i = 1; i < columns; ++i) row += ", ?";
  row += ")";
  std::string sql = std::string(head) + " " + row;
  for (std::size_t i = 1; i < rows; ++i) sql += ", " + row;
  return sql;
}

}  // namespace

Result<RowBatch> RowBatch::prepare(Connection& db, std::string_view head, std::size_t columns,
                                   std::string_view tail) {
  RowBatch batch;
  batch.columns_ = columns;
  PAWL_TRY(one, db.prepare(fmt::format("{} {}", insert_of(head, columns, 1), tail)));
  PAWL_TRY(many, db.prepare(fmt::format("{} {}", insert_of(head, columns, group), tail)));
  batch.one_ = std::move(one);
  batch.many_ = std::move(many);
  return batch;
}

}  // namespace pawl::store::sqlite

// SPDX-License-Identifier: Apache-2.0
// RowBatch: an INSERT of several rows at once. Starting and ending a statement costs as much as a
// small row, so the tables that every instance writes to are filled in groups; what does not make a
// full group is inserted row by row.
#pragma once

#include <array>

#include "store/sqlite/sqlite.hpp"

namespace pawl::store::sqlite {

class RowBatch {
 public:
  static constexpr std::size_t group = 8;

  RowBatch() = default;
  // "INSERT INTO t (a, b) VALUES" + rows of `columns` parameters + `tail`.
  static Result<RowBatch> prepare(Connection& db, std::string_view head, std::size_t columns,
                                  std::string_view tail = "");

  // So many rows follow, each with `add`. A batch that was given up half-way starts anew.
  void expect(std::size_t rows) {
    left_ = rows;
    filled_ = 0;
  }
  // Where a text of the next row can be made: it stays until its group is written.
  std::string& text() {
    texts_[filled_].clear();
    return texts_[filled_];
  }
  // Texts and blobs are not copied: they must live until the last row was added.
  template <class... Values>
  Result<void> add(const Values&... values) {
    if (filled_ == 0 && left_ < group) {
      --left_;
      return one_.with(values...).run();
    }
    int at = static_cast<int>(filled_ * columns_);
    (many_.bind(++at, values), ...);
    if (++filled_ < group) return {};
    filled_ = 0;
    left_ -= group;
    return many_.run();
  }

 private:
  Statement one_{};
  Statement many_{};
  std::size_t columns_{0};
  std::size_t left_{0};
  std::size_t filled_{0};  // of the group
  std::array<std::string, group> texts_{};
};

}  // namespace pawl::store::sqlite

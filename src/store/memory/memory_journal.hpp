// SPDX-License-Identifier: Apache-2.0
// MemoryJournal: a journal in a list, for tests and simulation. What it holds lives in a MemoryLog,
// which survives the journal, so that a restart can be played. Appends fail when asked to.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "store/journal.hpp"

namespace pawl::store {

struct MemoryLog {
  std::mutex mutex{};
  std::deque<std::string> records{};
  Position first{position_from(1)};
};

class MemoryJournal : public Journal {
 public:
  explicit MemoryJournal(std::shared_ptr<MemoryLog> log = std::make_shared<MemoryLog>())
      : log_(std::move(log)) {}

  // Asked before each append that has records; an error is what the append gives back.
  using Gate = std::function<Result<void>(std::span<const std::string>)>;
  void on_append(Gate gate) { gate_ = std::move(gate); }

  Result<Position> append(std::span<const std::string> records) override;
  Position last() const override;
  Position first() const override;
  Result<void> read(
      Position from,
      const std::function<bool(Position, std::string_view bytes)>& visit) const override;
  Result<void> drop_through(Position position) override;
  std::string mended() const override { return {}; }
  void prepare() override {}

 private:
  std::shared_ptr<MemoryLog> log_;
  Gate gate_{};
};

}  // namespace pawl::store

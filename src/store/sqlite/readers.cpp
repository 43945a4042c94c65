// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/readers.hpp"

#include "store/sqlite/functions.hpp"

namespace pawl::store::sqlite {
namespace {

constexpr std::size_t most_idle = 8;

}  // namespace

Readers::Lease::~Lease() {
  if (own_) home_->give_back(std::move(own_));
}

Result<std::unique_ptr<Connection>> Readers::take() {
  {
    const std::lock_guard guard(mutex_);
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  PAWL_TRY(connection, Connection::open(path_, SQLITE_OPEN_READONLY, patience_));
  PAWL_CHECK(add_functions(*connection));
  return std::move(connection);
}

void Readers::give_back(std::unique_ptr<Connection> connection) {
  // A connection that cannot end its transaction is not used again.
  const auto commit = connection->prepared("COMMIT");
  if (!commit || !(*commit)->run()) return;
  const std::lock_guard guard(mutex_);
  if (idle_.size() < most_idle) idle_.push_back(std::move(connection));
}

void Readers::forget_cached() {
  const std::lock_guard guard(mutex_);
  for (const auto& connection : idle_) sqlite3_db_release_memory(connection->handle());
}

Result<Readers::Lease> Readers::lease() {
  if (shared_) return Lease(std::unique_lock(*shared_mutex_), *shared_);
  PAWL_TRY(connection, take());
  PAWL_TRY(begin, connection->prepared("BEGIN"));
  PAWL_CHECK(begin->run());
  return Lease(*this, std::move(connection));
}

}  // namespace pawl::store::sqlite

// SPDX-License-Identifier: Apache-2.0
// WindowWriter: writes a folded window into the tables, by key, with statements that are prepared
// once. Runs inside the transaction of its caller.
#pragma once

#include <array>

#include "store/sqlite/row_batch.hpp"
#include "store/sqlite/window.hpp"

namespace pawl::store::sqlite {

// One statement, one name; the texts are in write_statements.hpp.
enum class Sql : std::uint8_t {
  end_execution,
  continue_later,
  migrate_instance,
  set_busy,
  move_element,
  set_element_job,
  delete_element,
  change_job,
  delete_job,
  put_timer,
  delete_timer,
  put_subscription,
  move_subscriptions,
  delete_subscription,
  put_incident,
  move_incidents,
  delete_incident,
  put_message,
  delete_message,
  put_offer,
  delete_offers,
  put_taker,
  delete_takers,
  put_signal,
  delete_signal,
  delete_variables,
  has_leftovers,
  delete_snapshot,
  delete_jobs_of,
  delete_elements_of,
  delete_timers_of,
  delete_subscriptions_of,
  delete_incidents_of,
  put_resource,
  put_process,
  put_call,
  set_owes,
  put_shard,
  count,
};

class WindowWriter {
 public:
  static Result<WindowWriter> prepare(Connection& db);
  Result<void> write(Window& window);

 private:
  Result<void> write_instances(Window& window);
  Result<void> put_instance(const InstanceChange& change);
  Result<void> change_instance(const InstanceChange& change);
  Result<void> write_history(Window& window);
  Result<void> write_variables(Window& window);
  Result<void> remove(Sql statement, const std::vector<Key>& keys);
  Result<void> forget_executions(Window& window);
  Result<bool> has_leftovers(Key first, Key last);
  Result<void> forget_leftovers(Key instance);
  Result<void> forget_leftovers(std::span<const Key> sorted);
  Result<void> put(Window& window, const ElementChange& change);
  Result<void> put(Window& window, const JobChange& change);
  Result<void> put(Window& window, const TimerChange& change);
  Result<void> put(Window& window, const SubscriptionChange& change);
  Result<void> put(Window& window, const IncidentChange& change);
  Result<void> put(Window& window, const SignalChange& change);
  Result<void> move_rows(Window& window);
  Result<void> move_incidents(Window& window);
  Result<void> write_rows(Window& window);
  Result<void> write_messages(Window& window);
  Result<void> write_message(const MessageChange& change);
  Result<void> write_rest(Window& window);
  Statement& sql(Sql which) { return statements_[static_cast<std::size_t>(which)]; }

  std::array<Statement, static_cast<std::size_t>(Sql::count)> statements_{};
  RowBatch instances_{};
  RowBatch history_{};
  RowBatch variables_{};
  RowBatch elements_{};
  RowBatch jobs_{};
  std::string text_{};  // reused
};

}  // namespace pawl::store::sqlite

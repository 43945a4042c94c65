// SPDX-License-Identifier: Apache-2.0
// What happens beside the instances: messages, deployments, keys that are used up.
#include "store/sqlite/outcome.hpp"
#include "store/sqlite/window_writer.hpp"
#include "value/json.hpp"

namespace pawl::store::sqlite {

Result<void> WindowWriter::write_message(const MessageChange& change) {
  if (change.stored) {
    PAWL_CHECK(sql(Sql::delete_offers).with(change.key).run());
    PAWL_CHECK(sql(Sql::delete_takers).with(change.key).run());
  }
  if (!change.open) return sql(Sql::delete_message).with(change.key).run();
  if (change.made) {
    text_.clear();
    append_json(text_, change.made->variables);
    PAWL_CHECK(sql(Sql::put_message)
                   .with(change.key, change.made->name, change.made->correlation,
                         OrNull{change.made->id}, change.now.published, change.now.expires, text_)
                   .run());
  }
  for (const Key one : change.now.offers) {
    PAWL_CHECK(sql(Sql::put_offer).with(change.key, one).run());
  }
  for (const std::string& process : change.now.takers) {
    PAWL_CHECK(sql(Sql::put_taker).with(change.key, process).run());
  }
  return {};
}

Result<void> WindowWriter::write_messages(Window& window) {
  for (const MessageChange* change : sorted(window.messages)) {
    if (change->open || change->stored) PAWL_CHECK(write_message(*change));
  }
  return {};
}

Result<void> WindowWriter::write_rest(Window& window) {
  for (const ResourceDeployed* one : window.resources) {
    PAWL_CHECK(
        sql(Sql::put_resource).with(one->key, one->name, Blob{one->content}, one->checksum).run());
  }
  for (const ProcessDeployed* one : window.processes) {
    PAWL_CHECK(sql(Sql::put_process)
                   .with(one->key, one->id, one->version, one->resource, one->deployment)
                   .run());
  }
  for (const CallChange* one : sorted(window.calls)) {
    if (one->made) {
      PAWL_CHECK(
          sql(Sql::put_call)
              .with(one->key, one->made->instance, one->made->element, one->made->root, one->owes)
              .run());
    } else {
      PAWL_CHECK(sql(Sql::set_owes).with(one->key, one->owes).run());
    }
  }
  for (const auto& [shard, next_key] : window.next_keys) {
    PAWL_CHECK(sql(Sql::put_shard).with(shard, next_key).run());
  }
  return {};
}

}  // namespace pawl::store::sqlite

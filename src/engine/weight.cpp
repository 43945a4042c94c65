// SPDX-License-Identifier: Apache-2.0
#include "engine/weight.hpp"

#include "base/limits.hpp"

namespace pawl::engine {
namespace {

std::size_t bytes_of(const std::vector<Value>& values) {
  std::size_t bytes = 0;
  for (const Value& value : values) bytes += value.encoded_size();
  return bytes;
}

std::size_t bytes_of(const Waits& waits) {
  std::size_t bytes = 0;
  for (const Waits::Timer& timer : waits.timers) bytes += timer.cycle.size();
  for (const Waits::Subscription& mail : waits.subscriptions) bytes += mail.correlation.size();
  return bytes;
}

}  // namespace

std::size_t bytes_of(const Name& name, const Value& value) {
  return name.text().size() + value.encoded_size();
}

std::size_t bytes_of(const Loop& loop) {
  return limits::loop_bytes + loop.items.encoded_size() + bytes_of(loop.added) +
         bytes_of(loop.outputs) + (loop.failure ? loop.failure->message.size() : 0);
}

std::size_t bytes_of(std::span<const Undoable> undoables) {
  std::size_t bytes = 0;
  for (const Undoable& one : undoables) {
    bytes += limits::undoable_bytes + one.variables.encoded_size() + bytes_of(one.around) +
             bytes_of(one.inside);
  }
  return bytes;
}

std::size_t bytes_of(const ElementInstance& one) {
  std::size_t bytes = 0;
  for (const Variable& variable : one.variables.all()) {
    bytes += bytes_of(variable.name, variable.value);
  }
  if (one.job) bytes += one.job->details.encoded_size();
  if (one.waits) bytes += bytes_of(*one.waits);
  if (one.trigger) bytes += one.trigger->variables.encoded_size();
  if (one.loop) bytes += bytes_of(*one.loop);
  if (one.call) bytes += one.call->result.encoded_size();
  if (one.compensation) {
    bytes += bytes_of(one.compensation->done) + bytes_of(one.compensation->pending);
  }
  if (one.ad_hoc) bytes += bytes_of(one.ad_hoc->outputs);
  return bytes;
}

std::size_t weight_of(const Instance& instance) {
  const std::size_t living = instance.slots.size() - instance.free_slots.size();
  return instance.value_bytes + living * limits::element_bytes +
         instance.agenda.size() * sizeof(Work);
}

}  // namespace pawl::engine

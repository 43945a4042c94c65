// SPDX-License-Identifier: Apache-2.0
#include "store/snapshot.hpp"

#include <fmt/format.h>

#include "engine/weight.hpp"
#include "store/field_codec.hpp"
#include "store/snapshot_fields.hpp"

namespace pawl::store {

using engine::ElementInstance;
using engine::Instance;
using engine::Slot;

namespace {

// The parts of an element instance are written from where they are: nothing is copied.
void write_element(Encoder& out, std::uint32_t parent, const ElementInstance& one) {
  const std::size_t start = out.out.begin(stored_elements);
  out(1, parent);
  out(2, one);
  out(3, one.variables.all());
  out.out.end(start);
}

void write_tree(Encoder& out, const Instance& instance) {
  struct Open {
    Slot slot;
    std::uint32_t parent;
  };
  std::vector<Open> open{{instance.root, 0}};
  std::uint32_t written = 0;
  while (!open.empty()) {  // children of one scope keep their order: pushed last to first
    const Open next = open.back();
    open.pop_back();
    const ElementInstance& one = instance.at(next.slot);
    write_element(out, next.parent, one);
    ++written;
    for (Slot child = one.last_child; child != Slot::none; child = instance.at(child).previous) {
      open.push_back({child, written});
    }
  }
}

void register_keys(Instance& instance, const ElementInstance& one, Slot slot) {
  instance.slot_of.insert(one.key, slot);
  if (one.job) instance.slot_of.insert(one.job->key, slot);
  if (one.incident) instance.slot_of.insert(one.incident->key, slot);
  if (!one.waits) return;
  for (const auto& timer : one.waits->timers) instance.slot_of.insert(timer.key, slot);
  for (const auto& mail : one.waits->subscriptions) instance.slot_of.insert(mail.key, slot);
}

bool fit(const model::Process& process, const std::vector<engine::Undoable>& records) {
  for (const engine::Undoable& one : records) {
    const bool known =
        number(one.element) < process.elements.size() &&
        (one.handler == ElementIndex::none || number(one.handler) < process.elements.size());
    if (!known || !fit(process, one.inside)) return false;
  }
  return true;
}

bool fits_process(const model::Process& process, const ElementInstance& one) {
  if (number(one.element) >= process.elements.size()) return false;
  if (!one.compensation) return true;
  return fit(process, one.compensation->done) && fit(process, one.compensation->pending);
}

// False: it does not fit the process or the elements before it.
bool place(Instance& instance, StoredElement& stored) {
  if (!fits_process(*instance.process, stored.self)) return false;
  if (stored.parent > instance.slots.size()) return false;
  if ((stored.parent == 0) != instance.slots.empty()) return false;
  const auto slot = static_cast<Slot>(instance.slots.size());
  ElementInstance& one = instance.slots.emplace_back(std::move(stored.self));
  for (engine::Variable& variable : stored.variables) one.variables.create(std::move(variable));
  register_keys(instance, one, slot);
  instance.value_bytes += bytes_of(one);
  if (one.call && one.call->cancelling) ++instance.cancelling;
  if (stored.parent == 0) {
    instance.root = slot;
    return true;
  }
  const auto parent_slot = static_cast<Slot>(stored.parent - 1);
  ElementInstance& parent = instance.slots[number(parent_slot)];
  one.parent = parent_slot;
  one.previous = parent.last_child;
  if (parent.last_child == Slot::none) {
    parent.first_child = slot;
  } else {
    instance.slots[number(parent.last_child)].next = slot;
  }
  parent.last_child = slot;
  ++parent.active_children;
  return true;
}

template <class T>
std::unique_ptr<T> copy_of(const std::unique_ptr<T>& one) {
  return one ? std::make_unique<T>(*one) : nullptr;
}

Error broken_snapshot() {
  return fail(Whose::machine, Code::store_damaged,
              "a stored snapshot cannot be read; `pawl reindex` makes the index anew");
}

}  // namespace

Result<std::string> encode_snapshot(const Instance& instance) {
  std::string bytes;
  Encoder out{bytes};
  const StoredInstance head{.key = instance.key,
                            .execution = instance.execution,
                            .id = instance.id,
                            .business_id = instance.business_id,
                            .continues = instance.continues,
                            .next_variables = instance.next_variables,
                            .agenda = {instance.agenda.begin(), instance.agenda.end()},
                            .caller = copy_of(instance.caller),
                            .escaped = copy_of(instance.escaped),
                            .rules = instance.rules,
                            .unrested = instance.unrested,
                            .halted = instance.halted};
  fields(out, head);
  write_tree(out, instance);
  if (!out.refuses) return bytes;
  return fail(Whose::operators, Code::too_large,
              fmt::format("instance {} is too large for a snapshot", number(instance.key)));
}

Result<Instance> decode_snapshot(const model::ProcessPtr& process, std::string_view bytes) {
  Instance instance(process);
  StoredInstance head;
  wire::Reader reader(bytes);
  while (reader.next()) {
    Decoder decoder{reader};
    if (reader.field() == stored_elements) {
      StoredElement stored;
      decoder(stored_elements, stored);
      if (decoder.broken || !place(instance, stored)) return broken_snapshot();
    } else {
      fields(decoder, head);
    }
    if (decoder.broken) return broken_snapshot();
  }
  if (reader.broken() || instance.root == Slot::none) return broken_snapshot();
  instance.key = head.key;
  instance.execution = head.execution;
  instance.id = std::move(head.id);
  instance.business_id = std::move(head.business_id);
  instance.continues = head.continues;
  instance.next_variables = std::move(head.next_variables);
  instance.caller = std::move(head.caller);
  instance.escaped = std::move(head.escaped);
  instance.rules = head.rules;
  instance.unrested = head.unrested;
  instance.halted = head.halted;
  instance.agenda.assign(head.agenda.begin(), head.agenda.end());
  return instance;
}

}  // namespace pawl::store

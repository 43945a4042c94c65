// SPDX-License-Identifier: Apache-2.0
#include "store/snapshot.hpp"

#include "store/field_codec.hpp"

namespace pawl::engine {

PAWL_FIELDS(Variable, v(1, e.name), v(2, e.value), v(3, e.key), v(4, e.local))
PAWL_FIELDS(Job, v(1, e.key), v(2, e.type), v(3, e.retries), v(4, e.priority), v(5, e.details),
            v(6, e.state), v(7, e.retry_at))
PAWL_FIELDS(Incident, v(1, e.key), v(2, e.kind))
PAWL_FIELDS(Waits::Timer, v(1, e.key), v(2, e.target), v(3, e.due), v(4, e.repetitions),
            v(5, e.cycle))
PAWL_FIELDS(Waits::Subscription, v(1, e.key), v(2, e.target), v(3, e.kind), v(4, e.name),
            v(5, e.correlation), v(6, e.last_mail))
PAWL_FIELDS(Waits, v(1, e.timers), v(2, e.subscriptions))
PAWL_FIELDS(Trigger, v(1, e.boundary), v(2, e.variables))
PAWL_FIELDS(Arrivals::Waiting, v(1, e.flow), v(2, e.count))
PAWL_FIELDS(Arrivals, v(1, e.waiting), v(2, e.approaching), v(3, e.parked))
PAWL_FIELDS(Loop, v(1, e.total), v(2, e.spawned), v(3, e.completed), v(4, e.terminated),
            v(5, e.failed), v(6, e.concurrency), v(7, e.needed), v(8, e.tolerated),
            v(9, e.detached), v(10, e.items), v(11, e.item_name), v(12, e.output_name),
            v(13, e.outputs), v(14, e.filled), v(15, e.failure))
PAWL_FIELDS(ElementInstance, v(1, e.key), v(2, e.element), v(3, e.active_tokens), v(4, e.life),
            v(5, e.mappings_applied), v(6, e.interrupted), v(7, e.is_body), v(8, e.failed),
            v(9, e.iteration), v(10, e.job), v(11, e.incident), v(12, e.waits), v(13, e.trigger),
            v(14, e.arrivals), v(15, e.loop))

}  // namespace pawl::engine

namespace pawl::store {

using engine::ElementInstance;
using engine::Instance;
using engine::Slot;

// An element instance with what its slot says: parents come before their children.
struct StoredElement {
  std::uint32_t parent{0};  // place in the list, from 1; 0: the root
  ElementInstance self{};
  std::vector<engine::Variable> variables{};
};
PAWL_FIELDS(StoredElement, v(1, e.parent), v(2, e.self), v(3, e.variables))

struct StoredInstance {
  Key key{Key::none};
  std::uint32_t execution{0};
  std::string id{};
  std::string business_id{};
  bool continues{false};
  Value next_variables{};
  std::vector<engine::Work> agenda{};
};
PAWL_FIELDS(StoredInstance, v(1, e.key), v(2, e.execution), v(3, e.id), v(4, e.business_id),
            v(5, e.continues), v(6, e.next_variables), v(7, e.agenda))

namespace {

constexpr std::uint32_t element_field = 15;

// The parts of an element instance are written from where they are: nothing is copied.
void write_element(Encoder& out, std::uint32_t parent, const ElementInstance& one) {
  const std::size_t start = out.out.begin(element_field);
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

// False: it does not fit the process or the elements before it.
bool place(Instance& instance, StoredElement& stored) {
  if (number(stored.self.element) >= instance.process->elements.size()) return false;
  if (stored.parent > instance.slots.size()) return false;
  if ((stored.parent == 0) != instance.slots.empty()) return false;
  const auto slot = static_cast<Slot>(instance.slots.size());
  ElementInstance& one = instance.slots.emplace_back(std::move(stored.self));
  for (engine::Variable& variable : stored.variables) one.variables.create(std::move(variable));
  register_keys(instance, one, slot);
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

Error broken() {
  return fail(Whose::machine, Code::store_damaged,
              "a stored snapshot cannot be read; `pawl reindex` makes the index anew");
}

}  // namespace

std::string encode_snapshot(const Instance& instance) {
  std::string bytes;
  Encoder out{bytes};
  const StoredInstance head{.key = instance.key,
                            .execution = instance.execution,
                            .id = instance.id,
                            .business_id = instance.business_id,
                            .continues = instance.continues,
                            .next_variables = instance.next_variables,
                            .agenda = {instance.agenda.begin(), instance.agenda.end()}};
  fields(out, head);
  write_tree(out, instance);
  return bytes;
}

Result<Instance> decode_snapshot(const model::ProcessPtr& process, std::string_view bytes) {
  Instance instance(process);
  StoredInstance head;
  wire::Reader reader(bytes);
  while (reader.next()) {
    Decoder decoder{reader};
    if (reader.field() == element_field) {
      StoredElement stored;
      decoder(element_field, stored);
      if (decoder.broken || !place(instance, stored)) return broken();
    } else {
      fields(decoder, head);
    }
    if (decoder.broken) return broken();
  }
  if (reader.broken() || instance.root == Slot::none) return broken();
  instance.key = head.key;
  instance.execution = head.execution;
  instance.id = std::move(head.id);
  instance.business_id = std::move(head.business_id);
  instance.continues = head.continues;
  instance.next_variables = std::move(head.next_variables);
  instance.agenda.assign(head.agenda.begin(), head.agenda.end());
  return instance;
}

}  // namespace pawl::store

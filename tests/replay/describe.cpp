// SPDX-License-Identifier: Apache-2.0
#include "describe.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <map>

#include "runtime/find_process.hpp"
#include "store/codec.hpp"
#include "store/describe.hpp"
#include "store/journal/crc32c.hpp"
#include "store/snapshot.hpp"
#include "value/json.hpp"

namespace pawl::replay {
namespace {

using Execution = std::pair<Key, std::uint32_t>;
using Counts = std::map<std::string, std::size_t>;

template <class Kind>
std::string kind_name() {
  const std::unique_ptr<char, void (*)(void*)> spelled(
      abi::__cxa_demangle(typeid(Kind).name(), nullptr, nullptr, nullptr), std::free);
  const std::string name(spelled.get());
  return name.substr(name.rfind(':') + 1);
}

template <class... Ts>
void expect_all(Counts& counts, const std::variant<Ts...>*) {
  (counts.emplace(kind_name<Ts>(), 0), ...);
}

template <class... Ts>
void count(Counts& counts, const std::vector<std::variant<Ts...>>& many) {
  for (const auto& one : many) {
    std::visit([&]<class T>(const T&) { ++counts[kind_name<T>()]; }, one);
  }
}

Result<std::vector<store::Committed>> all_of(const store::Journal& journal) {
  std::vector<store::Committed> records;
  Result<void> decoded;
  PAWL_CHECK(journal.read(journal.first(), [&](store::Position at, std::string_view bytes) {
    auto record = store::decode_record(bytes);
    if (!record) {
      decoded = record.error();
      return false;
    }
    records.push_back(
        {at, std::make_shared<store::Record>(std::move(*record)), std::string(bytes)});
    return true;
  }));
  PAWL_CHECK(decoded);
  return records;
}

// What is folded, as bytes. Nothing is left of an instance that has ended but how, and with what.
Result<std::string> bytes_of(const engine::Instance& state) {
  if (state.root != engine::Slot::none) return store::encode_snapshot(state);
  std::string bytes = fmt::format("ended {}", static_cast<int>(state.ended));
  for (const engine::Variable& one : state.last_variables.all()) {
    bytes += fmt::format(" {}={}", one.name.text(), to_json(one.value));
  }
  return bytes;
}

class Fold {
 public:
  explicit Fold(const runtime::Definitions& definitions) : definitions_(definitions) {}

  // A line about the state that it leads to; empty: it is no turn.
  Result<std::string> take(store::Position at, const store::Record& record) {
    if (record.events.empty()) return std::string();
    const Execution execution{record.instance, record.execution};
    if (const auto* start = std::get_if<engine::InstanceStarted>(&record.events.front())) {
      PAWL_TRY(definition, definitions_.find(start->definition));
      states_.try_emplace(execution, definition->process);
    }
    engine::Instance& state = states_.at(execution);
    PAWL_CHECK(engine::replay(state, record.events, runtime::find_process(definitions_)));
    PAWL_TRY(bytes, bytes_of(state));
    return fmt::format("{} {} {} {} {:08x}\n", number(at), number(record.instance),
                       record.execution, bytes.size(), store::crc32c(bytes));
  }

  void tell(Reading& reading) const {
    for (const auto& [execution, state] : states_) {
      reading.rules = std::max(reading.rules, state.rules);
      reading.text += fmt::format("state of {} execution {}\n{}", number(execution.first),
                                  execution.second, describe(state));
      if (reading.broken.empty()) reading.broken = broken_invariant_of(state);
    }
  }

 private:
  const runtime::Definitions& definitions_;
  std::map<Execution, engine::Instance> states_;
};

Result<std::string> elements_of(const runtime::Definitions& definitions) {
  std::string text;
  for (const runtime::Definition& one : definitions.all()) {
    PAWL_TRY(definition, definitions.find(one.key));
    text += fmt::format("{} version {}\n", one.id, one.version);
    for (const model::Element& element : definition->process->elements) {
      text += fmt::format("  {} {} {}\n", number(element.index), model::tag_of(element.kind),
                          element.id);
    }
    for (const model::Flow& flow : definition->process->flows) {
      text += fmt::format("  flow {} {}\n", number(flow.index), flow.id);
    }
  }
  return text;
}

}  // namespace

Result<Reading> read_journal(const store::Journal& journal, store::Index& index,
                             runtime::Definitions& definitions) {
  PAWL_TRY(records, all_of(journal));
  for (const store::Committed& one : records) definitions.note(*one.record);
  PAWL_CHECK(index.apply(records));

  Counts counts;
  expect_all(counts, static_cast<const engine::Event*>(nullptr));
  expect_all(counts, static_cast<const store::Notice*>(nullptr));
  Fold fold(definitions);
  std::string states;
  for (const store::Committed& one : records) {
    count(counts, one.record->events);
    count(counts, one.record->notices);
    PAWL_TRY(state, fold.take(one.position, *one.record));
    states += state;
  }
  Reading reading{.text = store::describe(index), .states = std::move(states)};
  PAWL_TRY(elements, elements_of(definitions));
  reading.elements = std::move(elements);
  fold.tell(reading);
  for (const auto& [kind, times] : counts) {
    if (times == 0) reading.missing.insert(kind);
    if (times != 0) reading.text += fmt::format("{} {}\n", kind, times);
  }
  return reading;
}

store::ElementNames names_from(const runtime::Definitions& definitions) {
  return [&](Key definition, ElementIndex element) {
    return definitions.element_id(definition, element);
  };
}

}  // namespace pawl::replay

// SPDX-License-Identifier: Apache-2.0
// Stage: an index under test and the journal that feeds it. Records are applied one by one, or
// gathered into one window until somebody looks: an index must not show any difference. Needs no
// test framework, so that every store can run the same checks; a check that fails throws.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <source_location>
#include <stdexcept>

#include "store/index.hpp"

namespace pawl::store::conformance {

struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a store gives to the kit.
struct Maker {
  // A new, empty index.
  std::function<std::unique_ptr<Index>(const ElementNames&)> make{};
  // The same index after its process has ended and begun again.
  std::function<std::unique_ptr<Index>(std::unique_ptr<Index>, const ElementNames&)> reopen{};
};

enum class Cut : std::uint8_t { each, together };

struct TurnOptions {
  std::uint32_t execution{1};
  bool more{false};
  std::int64_t at{0};
  std::uint64_t next_key{0};
  std::uint32_t shard{0};
};

class Stage {
 public:
  Stage(Maker maker, Cut cut);

  // A turn of an instance; something beside the instances; any record.
  Position turn(std::uint64_t instance, engine::Events events, TurnOptions options = {});
  Position beside(Notice notice, std::int64_t at = 0);
  Position put(Record record);

  Index& index();  // with everything that was put
  void reopen();   // the index, and everything is still there
  const std::vector<Committed>& journal() const { return journal_; }

 private:
  void flush();

  Maker maker_;
  Cut cut_;
  std::unique_ptr<Index> index_;
  std::vector<Committed> journal_{};
  std::size_t given_{0};
};

// As the kit's element names: definition 77, element 3 is "77:3".
std::string test_element_name(Key definition, ElementIndex element);

// --- expectations
using Where = std::source_location;

[[noreturn]] void fail_check(const std::string& what, const Where& where);

template <class A, class B>
void equal(const A& actual, const B& expected, const Where& where = Where::current()) {
  if (actual == expected) return;
  fail_check(fmt::format("expected {}\n     got {}", expected, actual), where);
}

template <class T>
T must(Result<T> result, const Where& where = Where::current()) {
  if (!result) fail_check(result.error().text, where);
  return std::move(*result);
}
inline void must(const Result<void>& result, const Where& where = Where::current()) {
  if (!result) fail_check(result.error().text, where);
}

// --- rows as short texts, joined by "; "
std::string brief(const Result<std::vector<InstanceRow>>& rows);  // "1 active"
std::string brief(const Result<std::vector<JobRow>>& rows);       // "5 pay activatable retries 3"
std::string brief(const Result<std::vector<TimerRow>>& rows);     // "6 due 100", "6 retries at 100"
std::string brief(const Result<std::vector<ElementRow>>& rows);   // "2 77:3 in 1"
std::string brief(const Result<std::vector<VariableRow>>& rows);  // "a=1"
std::string brief(const Result<std::vector<SubscriptionRow>>& rows);  // "8 message paid/42 of 1"
std::string brief(const Result<std::vector<MessageRow>>& rows);       // "9 paid/42 to 8 by order"
std::string brief(const Result<std::vector<SignalRow>>& rows);        // "9 alarm at 4"
std::string brief(const Result<std::vector<IncidentRow>>& rows);  // "7 UNKNOWN at 77:3 job 5: text"
std::string brief(const Result<std::vector<HistoryEntry>>& rows);  // positions: "1; 4"

// --- events
constexpr Key k(std::uint64_t number) { return key_from(number); }
constexpr Instant ms(std::int64_t count) { return Instant(Millis(count)); }

struct StartOptions {
  std::string process{"order"};
  std::uint32_t execution{1};
  std::string id{};
  std::string business_id{};
  std::int64_t at{0};
};
// The start of an instance of definition 77 with its root scope.
engine::Events start(std::uint64_t instance, StartOptions options = {});
// An element instance in the root scope.
engine::Event element(std::uint64_t key, std::uint64_t scope, std::uint32_t index);
engine::Event job(std::uint64_t key, std::uint64_t at_element, const char* type = "pay",
                  std::int32_t priority = 0);
engine::Event set(std::uint64_t scope, const char* name, Value value);
engine::Event completed(std::uint64_t element_instance);
engine::Event terminated(std::uint64_t element_instance);

engine::Events operator+(engine::Events a, const engine::Event& b);

}  // namespace pawl::store::conformance

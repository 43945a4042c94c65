// SPDX-License-Identifier: Apache-2.0
// JavaScript for script tasks and for ${…} or bare expressions of models that are not Zeebe's.
// A script sees the process variables by name and as properties of `_context`; what it assigns to
// `_context.x` (or passes to `execution.setVariable`) are its results. It has no access to the
// host, and a budget of time and memory: an endless loop or a memory bomb becomes an error.
// script/where.hpp says how far that holds.
//
// - Variables are converted when the script first asks for them. A bare name is read once: it does
//   not follow later assignments to `_context`, and assigning to it is no result. Names of the
//   language (`Map`, `Date`) win over variables; those are reached through `_context`.
//   `Object.keys(_context)` has only what the script has touched.
// - A list or object that was changed in place (`_context.order.total = 5`, `items.push(1)`) is a
//   result too.
// - Numbers are JavaScript numbers; an integer that a double cannot hold goes in as a BigInt, and a
//   BigInt comes out as an integer. Other numbers with more digits than a double has are rounded.
// - undefined becomes null, a Date its ISO text, a settled promise its value. Functions, symbols,
//   NaN, infinities, Maps, Sets and cycles cannot be stored: the script fails. Only as the value of
//   a script's last statement, where nobody may want them, do they become null.
// - Every run has a global object of its own: nothing that a script leaves is seen by the next.
// - Local time (`getHours`) is that of the machine's time zone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "value/value.hpp"

namespace pawl::script {

// A source text with an identity. Compiled at first use, once per thread or helper process.
class Program {
 public:
  enum class Mode : std::uint8_t {
    statements,  // a script task: `_context.x = 1; y + 1`
    expression,  // one expression: `amount > 10`
  };

  Program() = default;
  // Parses only. Error: bad_expression with line and column; others if that cannot be found out. If
  // scripts are switched off, any text will do.
  static Result<Program> compile(std::string text, Mode mode);
  // One that another process has compiled, or has yet to: not parsed.
  static Program numbered(std::string text, Mode mode, std::uint64_t id);

  bool empty() const { return source_ == nullptr; }
  const std::string& text() const;
  Mode mode() const;
  std::uint64_t id() const;

 private:
  struct Source;
  std::shared_ptr<const Source> source_;
};

// Where variables come from; only what the script touches is asked for.
class Variables {
 public:
  virtual ~Variables() = default;
  virtual std::optional<Value> find(std::string_view name) const = 0;
};

struct Environment {
  const Variables* variables{};
  Instant now{};          // Date.now() and new Date(): the turn's time, not the clock's
  std::uint64_t seed{0};  // Math.random()
  int millis{limits::script_millis};
  std::uint32_t heap_bytes{limits::script_heap_bytes};
  // When given, what it took in nanoseconds is added: time on the processor, here or in a helper.
  // All quick scripts count the same, so that they do not differ from run to run.
  std::uint64_t* spent{};
};

struct Outcome {
  Value value{};  // of the expression, or of the script's last statement
  std::vector<std::pair<std::string, Value>> assigned{};  // results, in order of first assignment
};

// A script may throw a BPMN error itself: `throw new BpmnError("code", "message")`.
struct Failure {
  Error error{};                            // script_failed or budget_exceeded
  std::optional<std::string> error_code{};  // of a BpmnError
};

// Where `where()` says (script/where.hpp); the caller waits for it. Never throws.
std::variant<Outcome, Failure> run(const Program& program, const Environment& environment);

}  // namespace pawl::script

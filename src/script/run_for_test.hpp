// SPDX-License-Identifier: Apache-2.0
// Short ways to run a script in a test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "script/script.hpp"
#include "script/where.hpp"
#include "value/json.hpp"

namespace pawl::script {

// Variables from JSON; remembers which were asked for.
class Given final : public Variables {
 public:
  explicit Given(std::string_view json = "{}") : variables_(parse_json(json).value()) {}

  std::optional<Value> find(std::string_view name) const override {
    asked.emplace_back(name);
    const Value* found = variables_.find(name);
    return found != nullptr ? std::optional<Value>(*found) : std::nullopt;
  }

  mutable std::vector<std::string> asked{};

 private:
  Value variables_;
};

inline std::variant<Outcome, Failure> run_text(const std::string& text, Program::Mode mode,
                                               const Given& given) {
  const auto program = Program::compile(text, mode);
  if (!program) return Failure{program.error(), std::nullopt};
  Environment environment;
  environment.variables = &given;
  return run(*program, environment);
}

// The value of an expression as JSON, or the error's text.
inline std::string evaluated(const std::string& text, const Given& given = Given()) {
  const auto outcome = run_text(text, Program::Mode::expression, given);
  if (const auto* failure = std::get_if<Failure>(&outcome)) return failure->error.text;
  return to_json(std::get<Outcome>(outcome).value);
}

inline Outcome ran(const std::string& text, const Given& given = Given()) {
  const auto outcome = run_text(text, Program::Mode::statements, given);
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    ADD_FAILURE() << text << " failed: " << failure->error.text;
    return {};
  }
  return std::get<Outcome>(outcome);
}

// The results of a script task as a JSON object, or the error's text.
inline std::string assigned(const std::string& text, const Given& given = Given()) {
  const auto outcome = run_text(text, Program::Mode::statements, given);
  if (const auto* failure = std::get_if<Failure>(&outcome)) return failure->error.text;
  std::vector<Entry> entries;
  for (const auto& [name, value] : std::get<Outcome>(outcome).assigned) {
    entries.push_back({name, value});
  }
  return to_json(Value::context(std::move(entries)));
}

inline std::string name_of_param(const testing::TestParamInfo<Where>& info) {
  return info.param == Where::process ? "process" : "inside";
}

inline Failure failed(const std::string& text, const Given& given = Given()) {
  const auto outcome = run_text(text, Program::Mode::statements, given);
  if (const auto* failure = std::get_if<Failure>(&outcome)) return *failure;
  ADD_FAILURE() << text << " should fail";
  return {};
}

}  // namespace pawl::script

// SPDX-License-Identifier: Apache-2.0
// The gate: whatever becomes part of the state of an instance (variables, mapping results, answers
// of jobs and calls, messages, collected output) passes here, and nowhere else. It knows the depth
// of a value and its size as stored, also of shared parts, without looking inside. What does not
// fit stops the token with an incident, or rejects the command; nothing has changed then.
#pragma once

#include "base/result.hpp"
#include "engine/step.hpp"

namespace pawl::engine {

// What enters, for messages: variable "order".
struct Entering {
  std::string_view kind{};
  std::string_view name{};
};

class Gate {
 public:
  // Values that enter at `at`. Whose::caller: by a command; Whose::operators: by the model.
  Gate(const Step& step, Slot at, Whose whose = Whose::operators)
      : step_(step), at_(at), whose_(whose) {}

  // The value as it is stored. `around`: lists and contexts that it will be inside of, one if it
  // becomes a variable. Several values that enter together are counted together.
  Result<Value> admit(Entering what, const Value& value, std::size_t around = 1);
  // The same for a list that is kept as a whole, but used item by item.
  Result<Value> admit_items(Entering what, const Value& list);
  // All members of a context, or null.
  Result<Value> admit_variables(const Value& variables);

 private:
  Result<void> expect(Entering what, const Value& value, std::size_t around, std::size_t most);
  std::string describe(Entering what) const;
  std::size_t size_now(Entering what) const;

  const Step& step_;
  Slot at_;
  Whose whose_;
  std::size_t admitted_{0};
};

// The variables that one command, message or call brings, a context.
Result<void> expect_few(const Value& variables, Whose whose);
// Names, keys, ids and codes that a model or a caller gives are short texts.
Result<void> expect_short(std::string_view text, std::string_view what, Whose whose);

}  // namespace pawl::engine

// SPDX-License-Identifier: Apache-2.0
// What can go wrong when Pawl is asked something, and what a job's handler can say: that an error
// of the model happened. Codes are explained in docs/errors.md.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace pawl {

// Every call of the engine that cannot be carried out throws one; nothing was changed then, except
// that after trouble with the store (codes 15xx) a crash may still bring the change to light.
class Failure : public std::runtime_error {
 public:
  Failure(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const { return code_; }  // 1301: PAWL-1301

 private:
  int code_;
};

// Thrown by a handler: an error that the process can catch with a boundary event.
class BpmnError : public std::runtime_error {
 public:
  explicit BpmnError(std::string code, const std::string& message = "", std::string variables = "")
      : std::runtime_error(message), code_(std::move(code)), variables_(std::move(variables)) {}
  const std::string& code() const { return code_; }
  const std::string& variables() const { return variables_; }  // JSON

 private:
  std::string code_;
  std::string variables_;
};

}  // namespace pawl

// SPDX-License-Identifier: Apache-2.0
// Functions as values: those written in FEEL with what they captured, and the built-in ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "feel/tree.hpp"
#include "value/value.hpp"

namespace pawl::feel {

class Closure final : public Callable {
 public:
  Closure(std::shared_ptr<const Tree> tree, const Function& function, std::vector<Value> captured)
      : tree_(std::move(tree)), function_(&function), captured_(std::move(captured)) {}

  std::string name() const override;
  const Tree& tree() const { return *tree_; }
  const Function& function() const { return *function_; }
  const std::vector<Value>& captured() const { return captured_; }  // as Function::captures

 private:
  std::shared_ptr<const Tree> tree_;  // keeps `function_` alive
  const Function* function_;
  std::vector<Value> captured_;
};

class BuiltinFunction final : public Callable {
 public:
  explicit BuiltinFunction(std::uint32_t group) : group_(group) {}
  std::string name() const override;
  std::uint32_t group() const { return group_; }

 private:
  std::uint32_t group_;
};

}  // namespace pawl::feel

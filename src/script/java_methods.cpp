// SPDX-License-Identifier: Apache-2.0
#include "script/java_methods.hpp"

#include "base/assert.hpp"

namespace pawl::script {
namespace {

constexpr std::string_view names[] = {".contains(", ".equals(", ".equalsIgnoreCase(", ".isEmpty(",
                                      ".size(",     ".get(",    ".containsKey("};

constexpr const char* source = R"(
{
  const add = (kind, methods) => {
    for (const name of Object.keys(methods)) {
      Object.defineProperty(kind.prototype, name,
                            {value: methods[name], writable: true, configurable: true});
    }
  };
  const equals = function (other) { return this.valueOf() === other; };
  add(String, {
    contains(part) { return this.includes(String(part)); },
    equals,
    equalsIgnoreCase(other) {
      return typeof other === "string" && this.toLowerCase() === other.toLowerCase();
    },
    isEmpty() { return this.length === 0; },
  });
  add(Number, {equals});
  add(Boolean, {equals});
  add(Array, {
    contains(item) { return this.includes(item); },
    isEmpty() { return this.length === 0; },
    size() { return this.length; },
    get(index) { return this[index]; },
  });
  add(Object, {
    containsKey(key) { return Object.prototype.hasOwnProperty.call(this, key); },
  });
}
)";

}  // namespace

bool mentions_java(std::string_view text) {
  for (const std::string_view name : names) {
    if (text.find(name) != std::string_view::npos) return true;
  }
  return false;
}

const Program& java_methods() {
  static const Program program = [] {
    auto compiled = Program::compile(source, Program::Mode::statements);
    PAWL_ASSERT(compiled.has_value());
    return *compiled;
  }();
  return program;
}

}  // namespace pawl::script

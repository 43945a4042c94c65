// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>

#include "script/failure.hpp"
#include "script/machine.hpp"
#include "script/script.hpp"

namespace pawl::script {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

struct Program::Source {
  std::string text{};
  Mode mode{Mode::statements};
  std::uint64_t id{0};
};

const std::string& Program::text() const {
  static const std::string none;
  return source_ != nullptr ? source_->text : none;
}

Program::Mode Program::mode() const {
  return source_ != nullptr ? source_->mode : Mode::statements;
}

std::uint64_t Program::id() const { return source_ != nullptr ? source_->id : 0; }

Result<Program> Program::compile(std::string text, Mode mode) {
  if (text.size() > limits::script_source_bytes) {
    return fail(Whose::caller, Code::too_large,
                fmt::format("the script has {} bytes; the limit is {}", text.size(),
                            limits::script_source_bytes));
  }
  Program program;
  program.source_ = std::make_shared<const Source>(Source{std::move(text), mode, next_id()});

  Machine* machine = Machine::of_this_thread();
  if (machine == nullptr) {
    return fail(Whose::machine, Code::script_failed, "the JavaScript engine could not be started");
  }
  JSAutoRealm realm(machine->context(), machine->home());
  if (!machine->compiled(program)) return syntax_error(*machine, program);
  return program;
}

}  // namespace pawl::script

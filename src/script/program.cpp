// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>

#include "script/in_helper.hpp"
#include "script/inside.hpp"
#include "script/script.hpp"
#include "script/where.hpp"

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
  const Program program = numbered(std::move(text), mode, next_id());
  switch (where()) {
    case Where::off:
      break;  // nobody can say whether it is right, and nobody will run it
    case Where::process:
      PAWL_CHECK(check_in_helper(program));
      break;
    case Where::inside:
      PAWL_CHECK(check_inside(program));
      break;
  }
  return program;
}

Program Program::numbered(std::string text, Mode mode, std::uint64_t id) {
  Program program;
  program.source_ = std::make_shared<const Source>(Source{std::move(text), mode, id});
  return program;
}

}  // namespace pawl::script

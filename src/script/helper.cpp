// SPDX-License-Identifier: Apache-2.0
#include "script/helper.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>
#include <string_view>

#include "base/limits.hpp"
#include "script/channel.hpp"
#include "script/inside.hpp"
#include "script/jail.hpp"
#include "script/messages.hpp"

namespace pawl::script {
namespace {

constexpr std::size_t programs_known = 512;
// Numbers of the parent's programs; those of this process have none of it.
constexpr std::uint64_t of_parent = std::uint64_t{1} << 63;

// Not a return: what a normal end would still want to do may be forbidden by now.
[[noreturn]] void end(int code) { ::_exit(code); }

void send(Channel& channel, const Report& report) {
  if (channel.send(to_bytes(report), nullptr) != Channel::State::fine) end(0);
}

Order receive(Channel& channel) {
  std::string_view bytes;
  if (channel.receive(bytes, limits::script_order_bytes, nullptr) != Channel::State::fine) end(0);
  auto order = order_from(bytes);
  if (!order) end(1);
  return std::move(*order);
}

template <class Answer>
Answer answer_to(Channel& channel, const Report& question) {
  send(channel, question);
  Order order = receive(channel);
  auto* answer = std::get_if<Answer>(&order);
  if (answer == nullptr) end(1);
  return std::move(*answer);
}

// The variables of the run; each that did not come with it is asked for when the script touches it.
class RemoteVariables final : public Variables {
 public:
  RemoteVariables(Channel& channel, const RunProgram& order) : channel_(channel), order_(order) {}

  std::optional<Value> find(std::string_view name) const override {
    for (const auto& [known, value] : order_.variables) {
      if (known == name) return value;
    }
    auto variable = answer_to<Variable>(channel_, NeedVariable{std::string(name)});
    if (!variable.trouble.empty()) throw std::runtime_error(variable.trouble);
    return std::move(variable.value);
  }

 private:
  Channel& channel_;
  const RunProgram& order_;
};

class Worker {
 public:
  explicit Worker(Channel& channel) : channel_(channel) {}

  void operator()(const RunProgram& order) {
    const RemoteVariables variables(channel_, order);
    auto outcome = run_inside(program_of(order), {.variables = &variables,
                                                  .now = order.now,
                                                  .seed = order.seed,
                                                  .millis = order.millis,
                                                  .heap_bytes = order.heap_bytes});
    if (auto* done = std::get_if<Outcome>(&outcome)) return send(channel_, Done{std::move(*done)});
    send(channel_, Failed{std::get<Failure>(std::move(outcome))});
  }

  void operator()(const CheckProgram& order) {
    const auto program = Program::numbered(order.text, order.mode, order.program | of_parent);
    const auto checked = check_inside(program);
    if (checked) keep(program);
    send(channel_, Checked{checked ? std::nullopt : std::optional(checked.error())});
  }

  void operator()(const Source&) { end(1); }
  void operator()(const Variable&) { end(1); }

 private:
  const Program& program_of(const RunProgram& order) {
    const std::uint64_t id = order.program | of_parent;
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    auto source = answer_to<Source>(channel_, NeedSource{});
    return keep(Program::numbered(std::move(source.text), order.mode, id));
  }

  const Program& keep(const Program& program) {
    if (known_.size() >= programs_known) known_.clear();  // those in use are asked for again
    return known_.insert_or_assign(program.id(), program).first->second;
  }

  Channel& channel_;
  std::map<std::uint64_t, Program> known_{};
};

// They reach all processes of a terminal or a service; this one ends with its parent.
void ignore_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) std::signal(signal, SIG_IGN);
}

// A processor that both want goes to the server. If the system does not allow that, nothing is
// lost.
void step_behind_parent() { [[maybe_unused]] const int now = ::nice(5); }

// What opens files or starts threads, and is done only once: the engine, the watchdog, the time
// zone.
void warm_up() {
  const auto program = Program::compile("new Date(0).getHours() + new Date(0).toLocaleString()",
                                        Program::Mode::expression);
  if (program) run_inside(*program, {});
  // Without a name for the zone the C library looks at the file whenever it is asked.
  ::setenv("TZ", ":/etc/localtime", 0);
  ::tzset();
}

// The engine has handlers for compiled code, which there is none of; a crash is to be a crash.
void forget_handlers() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP}) {
    std::signal(signal, SIG_DFL);
  }
}

}  // namespace

int serve_as_helper(void (*before_work)()) {
  ignore_signals();
  ::prctl(PR_SET_NAME, "pawl-scripts");
  step_behind_parent();
  Channel channel(helper_socket);
  warm_up();
  forget_handlers();
  const auto sealed = give_up_all_rights(helper_socket);
  send(channel, Ready{sealed ? std::string() : sealed.error().text});
  if (!sealed) end(1);
  Worker worker(channel);
  for (;;) {
    const Order order = receive(channel);
    if (before_work != nullptr) before_work();
    std::visit(worker, order);
  }
}

std::optional<int> serve_if_helper(int count, char** words) {
  if (count != 2 || std::string_view(words[1]) != helper_word) return std::nullopt;
  return serve_as_helper();
}

}  // namespace pawl::script

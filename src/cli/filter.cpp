// SPDX-License-Identifier: Apache-2.0
#include "cli/filter.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "cli/descriptor.hpp"

namespace pawl::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Millis to_finish{500};  // for a command that is about to end when it is stopped

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return fail(Whose::machine, Code::bad_file, fmt::format("no pipe: {}", std::strerror(errno)));
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// Without what signs in to the server: the command has no business with it.
std::vector<char*> environment_without_secrets() {
  std::vector<char*> kept;
  for (char** one = environ; *one; ++one) {
    const std::string_view line(*one);
    const bool secret = line.starts_with("PAWL_TOKEN=") || line.starts_with("PAWL_USER=") ||
                        line.starts_with("PAWL_PASSWORD=");
    if (!secret) kept.push_back(*one);
  }
  kept.push_back(nullptr);
  return kept;
}

[[noreturn]] void become(const std::string& command, char* const* environment, int in, int out,
                         int errors) {
  ::setpgid(0, 0);  // so that the whole command line can be ended at once
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(errors, 2);
  ::signal(SIGPIPE, SIG_DFL);
  ::execle("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr), environment);
  ::_exit(127);
}

// What is exchanged with the running command, through pipes that never block.
struct Exchange {
  Descriptor in;
  Descriptor out;
  Descriptor errors;
  std::string_view input;
  Filtered result;

  bool is_over() const { return out.number() < 0 && errors.number() < 0; }
};

void feed(Exchange& exchange) {
  const ssize_t written =
      ::write(exchange.in.number(), exchange.input.data(), exchange.input.size());
  if (written > 0) exchange.input.remove_prefix(static_cast<std::size_t>(written));
  const bool gone = written < 0 && errno != EAGAIN && errno != EINTR;
  if (gone || exchange.input.empty()) exchange.in.close();
}

void drain(Descriptor& from, std::string& into, std::size_t limit) {
  char buffer[65536];
  const ssize_t got = ::read(from.number(), buffer, sizeof buffer);
  if (got > 0) {
    const std::size_t room = limit - std::min(limit, into.size());
    into.append(buffer, std::min(room, static_cast<std::size_t>(got)));
  } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
    from.close();
  }
}

// True when both outputs are closed, false when time is up. Being stopped leaves a moment, so that
// a command that has just ended is seen to have ended.
bool exchange_all(Exchange& exchange, Clock::time_point until, std::size_t limit,
                  const std::atomic<bool>* stopped) {
  bool noted = false;
  while (!exchange.is_over()) {
    if (!noted && stopped && *stopped) {
      noted = true;
      until = std::min(until, Clock::now() + to_finish);
    }
    const auto left = std::chrono::ceil<Millis>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd polled[3] = {{exchange.in.number(), POLLOUT, 0},
                        {exchange.out.number(), POLLIN, 0},
                        {exchange.errors.number(), POLLIN, 0}};
    ::poll(polled, 3, static_cast<int>(std::min<std::int64_t>(left.count(), stopped ? 50 : 1'000)));
    if (polled[0].revents != 0) feed(exchange);
    if (polled[1].revents != 0) drain(exchange.out, exchange.result.output, limit);
    if (polled[2].revents != 0) drain(exchange.errors, exchange.result.errors, limit);
  }
  return true;
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// At most so many lines and bytes, from the end.
std::string last_lines(std::string_view text) {
  constexpr std::size_t most_lines = 10, most_bytes = 2'000;
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t from = text.size();
  for (std::size_t lines = 0; from > 0 && text.size() - from < most_bytes; --from) {
    if (text[from - 1] == '\n' && ++lines == most_lines) break;
  }
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) ++from;
  return std::string(text.substr(from));
}

}  // namespace

Result<std::string> thrown_code(const Filtered& ran) {
  std::string code = ran.errors.substr(0, ran.errors.find('\n'));
  if (code.ends_with('\r')) code.pop_back();
  if (!code.empty()) return code;
  return fail(Whose::caller, Code::invalid_state,
              fmt::format("the command ended with exit code {}, which throws a BPMN error, but the "
                          "first line of its standard error is empty; write the error's code there",
                          throws_bpmn_error));
}

std::string failure_of(const Filtered& ran) {
  const std::string_view meaning = ran.exit_code == 127   ? " (there is no such program)"
                                   : ran.exit_code == 126 ? " (it cannot be executed)"
                                   : ran.exit_code > 128  ? " (a signal ended it)"
                                                          : "";
  const std::string said = last_lines(ran.errors);
  return fmt::format("the command ended with exit code {}{}{}{}", ran.exit_code, meaning,
                     said.empty() ? "" : ": ", said);
}

Result<Filtered> run_filter(const std::string& command, std::string_view input, Millis timeout,
                            std::size_t output_limit, const std::atomic<bool>* stopped) {
  PAWL_TRY(in, make_pipe());
  PAWL_TRY(out, make_pipe());
  PAWL_TRY(errors, make_pipe());
  const std::vector<char*> environment = environment_without_secrets();
  const pid_t child = ::fork();
  if (child < 0) {
    return fail(Whose::machine, Code::bad_file,
                fmt::format("no new process: {}", std::strerror(errno)));
  }
  if (child == 0) {
    become(command, environment.data(), in.read.number(), out.write.number(),
           errors.write.number());
  }
  in.read.close();
  out.write.close();
  errors.write.close();
  for (const int number : {in.write.number(), out.read.number(), errors.read.number()}) {
    ::fcntl(number, F_SETFL, O_NONBLOCK);
  }
  ::signal(SIGPIPE, SIG_IGN);  // a command that does not read its input is fine
  Exchange exchange{std::move(in.write), std::move(out.read), std::move(errors.read), input, {}};
  if (!exchange_all(exchange, Clock::now() + timeout, output_limit, stopped)) {
    ::kill(-child, SIGKILL);
    exit_code_of(child);
    return fail(Whose::caller, Code::invalid_state,
                fmt::format("the command did not end within {} ms", timeout.count()));
  }
  exchange.result.exit_code = exit_code_of(child);
  return std::move(exchange.result);
}

}  // namespace pawl::cli

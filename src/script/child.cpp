// SPDX-License-Identifier: Apache-2.0
#include "script/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/limits.hpp"
#include "script/messages.hpp"
#include "script/processor_time.hpp"

namespace pawl::script {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto longest_start = std::chrono::seconds(20);  // usually 0.03

Error no_helper(std::string_view why) {
  return fail(Whose::machine, Code::script_failed,
              fmt::format("the process that scripts run in could not be started: {}; --scripts "
                          "inline runs them in the server itself, --scripts off not at all",
                          why));
}

// What the new process gets of the environment: the time zone, and where libraries are. Secrets
// that the parent was given there are not for it.
std::vector<std::string> environment_of_helper() {
  std::vector<std::string> variables;
  for (const char* name : {"TZ", "LD_LIBRARY_PATH"}) {
    if (const char* value = std::getenv(name))
      variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

// A new process with one socket and nothing else.
class Spawn {
 public:
  Spawn() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  // 0, or the number of an error.
  int run(const Launch& launch, int socket, pid_t& process) {
    int failed = add_files(socket);
    if (failed == 0) failed = set_attributes();
    if (failed != 0) return failed;
    std::string name = "pawl";  // as lists of processes show it
    std::string word = launch.word;
    char* const words[] = {name.data(), word.data(), nullptr};
    std::vector<std::string> variables = environment_of_helper();
    std::vector<char*> pointers;
    for (std::string& variable : variables) pointers.push_back(variable.data());
    pointers.push_back(nullptr);
    return posix_spawn(&process, launch.program.c_str(), &actions_, &attributes_, words,
                       pointers.data());
  }

 private:
  int add_files(int socket) {
    int failed = posix_spawn_file_actions_adddup2(&actions_, socket, helper_socket);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      if (failed != 0) return failed;
      failed = posix_spawn_file_actions_addopen(&actions_, standard, "/dev/null", O_RDWR, 0);
    }
    if (failed == 0)
      failed = posix_spawn_file_actions_addclosefrom_np(&actions_, helper_socket + 1);
    if (failed == 0) failed = posix_spawn_file_actions_addchdir_np(&actions_, "/");
    return failed;
  }

  // A session of its own: keys pressed at the terminal of the parent are not for it.
  int set_attributes() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    return posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

class Deadline final : public Patience {
 public:
  explicit Deadline(Clock::duration wait) : end_(Clock::now() + wait) {}
  int left() override {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
  }

 private:
  Clock::time_point end_;
};

}  // namespace

Result<std::unique_ptr<Child>> Child::start(const Launch& launch) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return no_helper(strerror(errno));
  }
  pid_t process = 0;
  const int failed = Spawn().run(launch, sockets[1], process);
  ::close(sockets[1]);
  if (failed != 0) {
    ::close(sockets[0]);
    return no_helper(strerror(failed));
  }
  return std::make_unique<Child>(process, sockets[0]);
}

Child::Child(pid_t process, int socket) : process_(process), channel_(socket) {
  if (clock_getcpuclockid(process, &clock_) != 0) clock_ = CLOCK_THREAD_CPUTIME_ID;
}

Child::~Child() { end(); }

std::chrono::nanoseconds Child::processor_time() const { return script::processor_time(clock_); }

bool Child::is_worn() {
  constexpr std::uint64_t looked_at_every = 64;  // it costs a system call
  constexpr auto most = std::chrono::seconds(limits::script_helper_seconds / 2);
  return ++orders_ % looked_at_every == 0 && processor_time() > most;
}

std::vector<std::string>& Child::names_of(std::uint64_t program) {
  constexpr std::size_t programs_kept = 512;
  if (names_.size() >= programs_kept && !names_.contains(program)) names_.clear();
  return names_[program];
}

Result<void> Child::expect_ready() {
  if (is_ready_) return {};
  Deadline deadline(longest_start);
  std::string_view bytes;
  const auto state = channel_.receive(bytes, limits::script_report_bytes, &deadline);
  if (state == Channel::State::late) return no_helper("it does not answer");
  if (state != Channel::State::fine) {
    const int signal = end();
    return no_helper(signal != 0 ? fmt::format("it was ended by {}", strsignal(signal))
                                 : std::string("it ended at once"));
  }
  const auto report = report_from(bytes);
  const auto* ready = report ? std::get_if<Ready>(&*report) : nullptr;
  if (ready == nullptr) return no_helper("it does not say what a helper says");
  if (!ready->trouble.empty()) return no_helper(ready->trouble);
  is_ready_ = true;
  return {};
}

int Child::end() {
  if (process_ <= 0) return ended_by_;
  int status = 0;
  pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended == 0) {
    ::kill(process_, SIGKILL);
    do {
      ended = ::waitpid(process_, &status, 0);
    } while (ended < 0 && errno == EINTR);
  }
  process_ = -1;
  ended_by_ = ended > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return ended_by_;
}

}  // namespace pawl::script

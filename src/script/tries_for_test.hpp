// SPDX-License-Identifier: Apache-2.0
// What a script that has taken over its helper might try. Each is a word with which the test
// program starts a helper that tries it at the first order.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <string_view>
#include <thread>

#include "script/in_helper.hpp"

namespace pawl::script {

struct Try {
  std::string_view word;
  void (*act)();
  int ends_with{SIGSYS};
};

inline constexpr Try tries[] = {
    {"--try-open", [] { ::open("/etc/hostname", O_RDONLY); }},
    {"--try-create", [] { ::open("/pawl-was-here", O_WRONLY | O_CREAT, 0600); }},
    {"--try-stat", [] { ::access("/", F_OK); }},
    {"--try-unlink", [] { ::unlink("/nothing"); }},
    {"--try-socket", [] { ::socket(AF_INET, SOCK_STREAM, 0); }},
    {"--try-fork", [] { ::syscall(SYS_fork); }},
    {"--try-vfork", [] { ::syscall(SYS_vfork); }},
    {"--try-clone", [] { ::syscall(SYS_clone, 0, 0, 0, 0, 0); }},
    {"--try-thread", [] { std::thread([] {}).join(); }},
    {"--try-exec", [] { ::execl("/bin/true", "true", nullptr); }},
    {"--try-kill", [] { ::kill(::getppid(), SIGTERM); }},
    {"--try-tgkill", [] { ::syscall(SYS_tgkill, 1, 1, SIGTERM); }},
    {"--try-ptrace", [] { ::ptrace(PTRACE_ATTACH, 1, nullptr, nullptr); }},
    {"--try-peek", [] { ::syscall(SYS_process_vm_readv, 1, nullptr, 0, nullptr, 0, 0); }},
    {"--try-executable-memory",
     [] {
       ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
              0);
     }},
    {"--try-make-executable",
     [] {
       void* page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       ::mprotect(page, 4096, PROT_READ | PROT_EXEC);
     }},
    {"--try-map-file", [] { ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, 3, 0); }},
    {"--try-read-elsewhere", [] { ::recv(0, nullptr, 0, 0); }},
#if !defined(__SANITIZE_ADDRESS__)  // see jail.cpp
    {"--try-write-elsewhere", [] { [[maybe_unused]] auto done = ::write(1, "x", 1); }},
#endif
    {"--try-duplicate", [] { ::dup(3); }},
    {"--try-more-rights",
     [] {
       const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
       ::setrlimit(RLIMIT_NOFILE, &all);
     }},
    {"--try-io-uring", [] { ::syscall(SYS_io_uring_setup, 8, nullptr); }},
    {"--try-bpf", [] { ::syscall(SYS_bpf, 0, nullptr, 0); }},
    {"--try-userfault", [] { ::syscall(SYS_userfaultfd, 0); }},
    {"--try-raise", [] { ::raise(SIGSEGV); }},
    {"--try-crash", [] { __builtin_trap(); }, SIGILL},
    {"--try-leave", [] { ::_exit(0); }, 0},
    {"--try-silence",
     [] {
       for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
     },
     SIGKILL},
};

inline const Try* find_try(std::string_view word) {
  for (const Try& one : tries) {
    if (one.word == word) return &one;
  }
  return nullptr;
}

// A program whose helper runs an endless script; it writes the number of the helper and waits to be
// killed.
inline constexpr std::string_view parent_word = "--be-a-parent";
inline int be_a_parent() {
  auto child = Child::start({});
  if (!child || !(*child)->expect_ready()) return 1;
  const pid_t process = (*child)->process();
  if (::write(STDOUT_FILENO, &process, sizeof process) != sizeof process) return 1;
  run_with(**child, Program::numbered("while (true) {}", Program::Mode::statements, 1),
           {.millis = 60'000});
  return 1;
}

}  // namespace pawl::script

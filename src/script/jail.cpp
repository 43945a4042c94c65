// SPDX-License-Identifier: Apache-2.0
#include "script/jail.hpp"

#include <fmt/format.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/limits.hpp"

namespace pawl::script {
namespace {

// A sanitizer reserves address space by the terabyte, names its memory, and writes to a pipe to see
// whether an address is there; the helper of a sanitized build, which only tests have, may do that,
// too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

Error cannot(std::string_view what, int number) {
  return fail(Whose::machine, Code::script_failed, fmt::format("{}: {}", what, strerror(number)));
}

// --- limits -------------------------------------------------------------------------------------

std::size_t address_space() {
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

struct Limit {
  int resource;
  rlim_t most;
  const char* name;
};

Result<void> set_limits() {
  const std::size_t begun = address_space();
  if (begun == 0) return cannot("its own size cannot be read", ENOENT);
  const Limit rows[] = {
      {RLIMIT_AS, is_sanitized ? RLIM_INFINITY : begun + limits::script_helper_bytes, "memory"},
      {RLIMIT_CPU, limits::script_helper_seconds, "processor time"},
      {RLIMIT_FSIZE, 0, "written bytes"},
      {RLIMIT_CORE, 0, "core dumps"},
      {RLIMIT_NPROC, 0, "processes"},
      {RLIMIT_NOFILE, is_sanitized ? 16 : 4, "open files"},
      {RLIMIT_MEMLOCK, 0, "locked memory"},
      {RLIMIT_MSGQUEUE, 0, "message queues"},
  };
  for (const Limit& row : rows) {
    const rlimit both{.rlim_cur = row.most, .rlim_max = row.most};
    if (setrlimit(static_cast<__rlimit_resource>(row.resource), &both) != 0) {
      return cannot(fmt::format("the limit of {} cannot be set", row.name), errno);
    }
  }
  return {};
}

// If the kernel has to end a process, then this one and not the server; nothing is lost if it does
// not know how.
void be_first_when_memory_is_short() {
  if (std::FILE* file = std::fopen("/proc/self/oom_score_adj", "we")) {
    std::fputs("1000", file);
    std::fclose(file);
  }
}

// --- system calls -------------------------------------------------------------------------------

constexpr int plain_calls[] = {
    // to wait and to ask for the time
    SCMP_SYS(futex), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall), SCMP_SYS(sched_yield), SCMP_SYS(getrusage),
    // memory; the rest of it is below
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(getrandom),
    // a thread of the engine may still be at its first steps when the filter comes
    SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(rt_sigprocmask),
    // the end
    SCMP_SYS(rt_sigreturn), SCMP_SYS(exit), SCMP_SYS(exit_group)};

constexpr int calls_of_sanitizers[] = {SCMP_SYS(getpid), SCMP_SYS(sigaltstack), SCMP_SYS(mincore),
                                       SCMP_SYS(prctl),  SCMP_SYS(pipe2),       SCMP_SYS(pipe),
                                       SCMP_SYS(write),  SCMP_SYS(close)};

constexpr int calls_on_the_socket[] = {SCMP_SYS(recvfrom), SCMP_SYS(sendto)};

struct ReleaseFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, ReleaseFilter>;

// 0, or the number of an error, negative.
int add_rules(scmp_filter_ctx filter, int socket) {
  int failed = 0;
  const auto allow = [&](int call, auto... conditions) {
    const int result =
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, sizeof...(conditions), conditions...);
    if (failed == 0) failed = result;
  };
  const auto handle = static_cast<scmp_datum_t>(socket);
  for (const int call : plain_calls) allow(call);
  for (const int call : calls_of_sanitizers) {
    if (is_sanitized) allow(call);
  }
  for (const int call : calls_on_the_socket) allow(call, SCMP_A0(SCMP_CMP_EQ, handle));
  allow(SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));    // of a thread
  allow(SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO));  // last words of the engine
  // Memory that belongs to no file, and is never executable.
  allow(SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
  allow(SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  return failed;
}

Result<void> filter_calls(int socket) {
  const Filter filter(seccomp_init(SCMP_ACT_KILL_PROCESS));
  if (!filter) return cannot("the filter of system calls cannot be made", ENOMEM);
  int failed = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1);
  if (failed == 0) failed = add_rules(filter.get(), socket);
  if (failed == 0) failed = seccomp_load(filter.get());
  if (failed != 0) return cannot("the filter of system calls (seccomp) cannot be set", -failed);
  return {};
}

}  // namespace

Result<void> give_up_all_rights(int socket) {
  be_first_when_memory_is_short();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return cannot("it would outlive its parent", errno);
  if (prctl(PR_SET_DUMPABLE, 0) != 0) return cannot("others could look into it", errno);
  PAWL_CHECK(set_limits());
  return filter_calls(socket);
}

}  // namespace pawl::script

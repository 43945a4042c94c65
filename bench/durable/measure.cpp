// SPDX-License-Identifier: Apache-2.0
#include "durable/measure.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace pawl::bench {

double processor_micros() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto micros = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

ThreadMicros thread_micros() {
  ThreadMicros micros;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    double nanos = 0;
    std::ifstream(task.path() / "comm") >> name;
    std::ifstream(task.path() / "schedstat") >> nanos;
    double& kind = name.starts_with("pawl-shard") ? micros.shards
                   : name == "pawl-committer"     ? micros.committer
                   : name == "pawl-indexer"       ? micros.indexer
                                                  : micros.rest;
    kind += nanos * 1e-3;
  }
  return micros;
}

double resident_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

void in_child(const std::function<void()>& work) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    ::pthread_setname_np(::pthread_self(), "load");  // for profiles
    work();
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 1;
  if (child > 0 && ::waitpid(child, &status, 0) == child && status == 0) return;
  fmt::print("a measurement did not finish (status {})\n", status);
  std::exit(2);
}

void* shared_bytes(std::size_t size) {
  void* place = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) std::exit(2);
  return place;
}

}  // namespace pawl::bench

// SPDX-License-Identifier: Apache-2.0
// Ledger: a file outside of Pawl with one line for each thing that was tried or acknowledged. A
// line is one write to the end of the file, so a killed process has written all of it or nothing.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

// What the lines of earlier lives say.
struct Told {
  std::map<std::uint64_t, int> tried{};              // number of a start → attempts
  std::map<std::uint64_t, std::uint64_t> started{};  // number → key, acknowledged
  std::map<std::uint64_t, int> published{};          // number → acknowledgements
  std::map<std::uint64_t, int> worked{};             // job → how often its handler was called
  std::map<std::uint64_t, int> done{};               // job → how often its completion was told
};

class Ledger {
 public:
  explicit Ledger(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644)) {
    if (file_ < 0) std::abort();
  }

  void write(const std::string& what, std::uint64_t number, std::uint64_t more = 0) const {
    const std::string line =
        what + " " + std::to_string(number) + " " + std::to_string(more) + "\n";
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  }

  Told read() const {
    Told told;
    std::ifstream lines(path_);
    std::string what;
    for (std::uint64_t number = 0, more = 0; lines >> what >> number >> more;) {
      if (what == "try") ++told.tried[number];
      if (what == "start") told.started[number] = more;
      if (what == "publish") ++told.published[number];
      if (what == "work") ++told.worked[number];
      if (what == "done") ++told.done[number];
    }
    return told;
  }

 private:
  std::string path_;
  int file_;
};

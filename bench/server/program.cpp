// SPDX-License-Identifier: Apache-2.0
#include "server/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace pawl::bench {

namespace fs = std::filesystem;

Program::Program(const std::string& pawl, const std::string& parent,
                 std::vector<std::string> more) {
  std::string pattern = parent + "/pawl-bench-XXXXXX";
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory in " + parent);
  directory_ = pattern;
  int out[2];
  if (::pipe(out) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> words{pawl,     "serve",       "--data", directory_ + "/data",
                                 "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"};
  words.insert(words.end(), more.begin(), more.end());
  const auto began = std::chrono::steady_clock::now();
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(out[1], 1);
    const int log = ::open((directory_ + "/log").c_str(), O_CREAT | O_WRONLY, 0600);
    ::dup2(log, 2);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(pawl.c_str(), arguments.data());
    ::_exit(127);
  }
  ::close(out[1]);
  std::string line;
  char c = 0;
  while (::read(out[0], &c, 1) == 1 && c != '\n') line += c;
  startup_ms_ =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  std::smatch match;
  if (!std::regex_search(line, match, std::regex("gRPC on 127.0.0.1:(\\d+)"))) {
    throw std::runtime_error("the server did not start; see " + directory_ + "/log");
  }
  port_ = static_cast<std::uint16_t>(std::stoi(match[1]));
}

Program::~Program() {
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

double Program::processor_micros() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  text.erase(0, text.rfind(')') + 2);
  std::istringstream words(text);
  std::string skip;
  double user = 0, system = 0;
  for (int i = 0; i < 11; ++i) words >> skip;
  words >> user >> system;
  return (user + system) * 1e6 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double Program::resident_megabytes() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

std::uint64_t Program::written_bytes() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/io");
  std::string name;
  std::uint64_t value = 0;
  while (file >> name >> value) {
    if (name == "write_bytes:") return value;
  }
  return 0;
}

std::uint64_t Program::directory_bytes() const {
  std::uint64_t bytes = 0;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(directory_, ignored)) {
    if (entry.is_regular_file(ignored)) bytes += entry.file_size(ignored);
  }
  return bytes;
}

}  // namespace pawl::bench

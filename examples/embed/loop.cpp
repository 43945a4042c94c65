// SPDX-License-Identifier: Apache-2.0
// One job for each number, done by four threads; the results are collected in order. What the
// process does is told while it happens.
#include <pawl/engine.hpp>

#include <atomic>
#include <iostream>

namespace {

// The variables are JSON; use the JSON library that you like. Here: the number after "n":
std::string square(const pawl::WorkItem& job) {
  const std::size_t at = job.variables.find("\"n\":") + 4;
  const long n = std::stol(job.variables.substr(at));
  return "{\"square\": " + std::to_string(n * n) + "}";
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return std::cerr << "usage: loop DIRECTORY\n", 2;
  try {
    std::atomic<int> done = 0;
    pawl::Engine engine = pawl::Engine::open(words[1]);
    engine.subscribe([&](const pawl::Happening& one) { done += one.name == "JobCompleted"; });
    engine.deploy_file(MODELS "/loop.bpmn");
    engine.worker("square", square, {.threads = 4});
    const auto ended = engine.start_and_wait("squares", R"({"numbers": [1, 2, 3, 4, 5]})",
                                             std::chrono::seconds(10));
    std::cout << (ended ? ended->variables : "it takes too long") << "\n";
    engine.close();
    std::cout << done << " jobs were done\n";
    return ended ? 0 : 1;
  } catch (const pawl::Failure& failure) {
    return std::cerr << failure.what() << "\n", 1;
  }
}

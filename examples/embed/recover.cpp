// SPDX-License-Identifier: Apache-2.0
// The first run starts an instance and is gone in the middle of it, as if the power had failed. The
// second finds the instance again and finishes it.
#include <pawl/engine.hpp>

#include <cstdlib>
#include <iostream>

int main(int count, char** words) {
  if (count != 2) return std::cerr << "usage: recover DIRECTORY (twice)\n", 2;
  try {
    pawl::Engine engine = pawl::Engine::open(words[1]);
    const auto unfinished = engine.instances({.state = pawl::State::active, .process = "hello"});
    if (unfinished.empty()) {
      engine.deploy_file(MODELS "/hello.bpmn");
      std::cout << "started " << engine.start("hello", R"({"name": "again"})") << std::endl;
      std::_Exit(0);  // nothing is closed
    }
    engine.worker("greet", [](const pawl::WorkItem& job) { return job.variables; });
    for (const pawl::InstanceInfo& one : unfinished) {
      const auto ended = engine.wait(one.key, std::chrono::seconds(10));
      std::cout << "finished " << one.key << ": " << (ended ? ended->variables : "not yet") << "\n";
    }
    return 0;
  } catch (const pawl::Failure& failure) {
    return std::cerr << failure.what() << "\n", 1;
  }
}

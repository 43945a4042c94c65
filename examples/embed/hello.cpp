// SPDX-License-Identifier: Apache-2.0
// Open a directory, deploy a process, do its work, start it, wait for its end.
#include <pawl/engine.hpp>

#include <iostream>

int main(int count, char** words) {
  if (count != 2) return std::cerr << "usage: hello DIRECTORY\n", 2;
  try {
    pawl::Engine engine = pawl::Engine::open(words[1]);
    engine.deploy_file(MODELS "/hello.bpmn");
    engine.worker("greet", [](const pawl::WorkItem& job) {
      std::cout << "job " << job.element << " has " << job.variables << "\n";
      return R"({"greeting": "Hello, world!"})";
    });
    const auto ended =
        engine.start_and_wait("hello", R"({"name": "world"})", std::chrono::seconds(10));
    std::cout << (ended ? ended->variables : "it takes too long") << "\n";
    return ended ? 0 : 1;
  } catch (const pawl::Failure& failure) {
    return std::cerr << failure.what() << "\n", 1;
  }
}

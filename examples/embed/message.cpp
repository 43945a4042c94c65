// SPDX-License-Identifier: Apache-2.0
// A process that waits for a message. It is published before anybody waits, and kept for a minute.
#include <pawl/engine.hpp>

#include <iostream>

int main(int count, char** words) {
  if (count != 2) return std::cerr << "usage: message DIRECTORY\n", 2;
  try {
    pawl::Engine engine = pawl::Engine::open(words[1]);
    engine.deploy_file(MODELS "/message.bpmn");
    // The id makes it safe to publish again: the second one is refused.
    engine.publish("paid", "A-17", R"({"amount": 129.8})", std::chrono::minutes(1), "bank-4711");
    try {
      engine.publish("paid", "A-17", R"({"amount": 129.8})", std::chrono::minutes(1), "bank-4711");
    } catch (const pawl::Failure& again) {
      std::cout << "refused: " << again.code() << "\n";
    }
    const auto ended =
        engine.start_and_wait("payment", R"({"orderId": "A-17"})", std::chrono::seconds(10));
    std::cout << (ended ? ended->variables : "nobody paid") << "\n";
    return ended ? 0 : 1;
  } catch (const pawl::Failure& failure) {
    return std::cerr << failure.what() << "\n", 1;
  }
}

// SPDX-License-Identifier: Apache-2.0
// A mixed load on one data directory, made to be killed at any moment and started again:
//   load run DIR LEDGER     prints "ready", then starts, publishes and works until it is killed
//   load finish DIR LEDGER  starts nothing new, waits until all is done, and compares the ledger
//                           with what the engine knows; exit 1 and one line for each problem
#include <pawl/engine.hpp>

#include <atomic>
#include <iostream>
#include <thread>

#include "ledger.hpp"

namespace {

using namespace std::chrono_literals;

constexpr const char* kinds[] = {"work", "mail", "loop", "timer"};
constexpr int jobs_of_kind[] = {3, 1, 5, 1};
constexpr unsigned starters = 2;

std::string kind_of(std::uint64_t number) { return kinds[number % std::size(kinds)]; }

void begin(pawl::Engine& engine, const Ledger& ledger) {
  engine.subscribe([&ledger](const pawl::Happening& one) {
    // {"key":17}
    if (one.name == "JobCompleted") ledger.write("done", std::stoull(one.data.substr(7)));
  });
  engine.deploy_file(PAWL_SOURCE_DIR "/tests/crash/load.bpmn");
  for (const char* type : {"a", "b"}) {
    engine.worker(type,
                  [&ledger](const pawl::WorkItem& job) {
                    ledger.write("work", job.key);
                    return R"({"answer": )" + std::to_string(job.instance) + "}";
                  },
                  {.threads = 2, .max_active = 16});
  }
}

// The id makes it harmless to publish again what may have been published before.
void publish(pawl::Engine& engine, const Ledger& ledger, std::uint64_t number) {
  const std::string key = std::to_string(number);
  try {
    engine.publish("go", key, "{}", 1h, "mail-" + key);
  } catch (const pawl::Failure& failure) {
    if (failure.code() != 1304) throw;  // it is there already
  }
  ledger.write("publish", number);
}

void start(pawl::Engine& engine, const Ledger& ledger, std::uint64_t number) {
  ledger.write("try", number);
  const std::string text = std::to_string(number);
  const auto key = engine.start(kind_of(number), "{\"n\": " + text + "}", {.id = "i-" + text});
  ledger.write("start", number, key);
  if (kind_of(number) == "mail") publish(engine, ledger, number);
}

// A start that was not acknowledged may exist all the same, and then it waits for its message.
void publish_what_is_missing(pawl::Engine& engine, const Ledger& ledger, const Told& told) {
  for (const auto& [number, tries] : told.tried) {
    if (kind_of(number) == "mail" && !told.published.contains(number)) {
      publish(engine, ledger, number);
    }
  }
}

int run(pawl::Engine& engine, const Ledger& ledger) {
  const Told told = ledger.read();
  std::atomic<std::uint64_t> next = told.tried.empty() ? 1 : told.tried.rbegin()->first + 1;
  begin(engine, ledger);
  std::cout << "ready" << std::endl;
  publish_what_is_missing(engine, ledger, told);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < starters; ++i) {
    threads.emplace_back([&] {
      for (;;) {
        start(engine, ledger, next++);
        std::this_thread::sleep_for(4ms);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}

// --- the end of the story -----------------------------------------------------------------------

class Check {
 public:
  Check(const pawl::Engine& engine, Told told) : engine_(engine), told_(std::move(told)) {}

  int run() {
    for (std::uint64_t after = 0;;) {
      const auto page = engine_.instances({.after = after, .limit = 500});
      for (const pawl::InstanceInfo& one : page) instance(one);
      if (page.size() < 500) break;
      after = page.back().key;
    }
    for (const auto& [number, key] : told_.started) {
      expect(found_.contains(number), "start", number, "was acknowledged, but is not there");
    }
    for (const auto& [job, times] : told_.done) {
      expect(completed_.contains(job), "job", job, "was told to be done, but is not");
      expect(times == 1, "job", job, "was told to be done more than once");
    }
    std::cout << "instances " << found_.size() << " jobs " << completed_.size() << " tried "
              << told_.tried.size() << " acknowledged " << told_.started.size() << " told "
              << told_.done.size() << " problems " << problems_ << std::endl;
    return problems_ == 0 ? 0 : 1;
  }

 private:
  void expect(bool fine, const char* what, std::uint64_t which, const std::string& problem) {
    if (fine) return;
    ++problems_;
    std::cout << what << " " << which << " " << problem << "\n";
  }

  void instance(const pawl::InstanceInfo& one) {
    const std::uint64_t number = std::stoull(one.id.substr(2));
    expect(one.state == pawl::State::completed, "instance", one.key, "did not complete");
    expect(told_.tried.contains(number), "instance", one.key, "was never asked for");
    expect(++found_[number] == 1, "start", number, "was carried out more than once");
    const auto acknowledged = told_.started.find(number);
    expect(acknowledged == told_.started.end() || acknowledged->second == one.key, "start", number,
           "has another key than was acknowledged");
    const std::string variables = engine_.variables(one.key);
    const std::string answer = "\"answer\":" + std::to_string(one.key);
    expect(variables.find(answer) != std::string::npos, "instance", one.key, "lost a result");
    if (one.process == "loop") {
      expect(variables.find("\"items\":[10,20,30,40]") != std::string::npos, "instance", one.key,
             "collected " + variables);
    }
    history(one, number);
  }

  void history(const pawl::InstanceInfo& one, std::uint64_t number) {
    int jobs = 0, mail = 0, starts = 0;
    for (const pawl::Happening& event : engine_.history(one.key)) {
      starts += event.name == "InstanceStarted";
      mail += event.name == "MailReceived";
      if (event.name != "JobCompleted") continue;
      ++jobs;
      const std::uint64_t job = std::stoull(event.data.substr(7));
      expect(++completed_[job] == 1, "job", job, "completed more than once");
      expect(told_.worked.contains(job), "job", job, "completed, but nobody did it");
    }
    expect(starts == 1, "instance", one.key, "started " + std::to_string(starts) + " times");
    expect(jobs == jobs_of_kind[number % std::size(kinds)], "instance", one.key,
           "completed " + std::to_string(jobs) + " jobs");
    expect(mail == (kind_of(number) == "mail" ? 1 : 0), "instance", one.key,
           "received mail " + std::to_string(mail) + " times");
  }

  const pawl::Engine& engine_;
  Told told_;
  std::map<std::uint64_t, int> found_{};      // numbers of starts
  std::map<std::uint64_t, int> completed_{};  // jobs
  int problems_{0};
};

int finish(pawl::Engine& engine, const Ledger& ledger) {
  begin(engine, ledger);
  publish_what_is_missing(engine, ledger, ledger.read());
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (std::chrono::steady_clock::now() < end) {
    const auto open = engine.instances({.state = pawl::State::active, .limit = 1});
    if (open.empty()) break;
    static_cast<void>(engine.wait(open.front().key, 1s));
  }
  return Check(engine, ledger.read()).run();
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return std::cerr << "usage: load run|finish DIR LEDGER\n", 2;
  try {
    const Ledger ledger(words[3]);
    pawl::Engine engine = pawl::Engine::open(words[2], {.shards = 2, .journal_file = 1u << 20});
    return std::string(words[1]) == "run" ? run(engine, ledger) : finish(engine, ledger);
  } catch (const std::exception& failure) {
    std::cout << failure.what() << std::endl;
    return 1;
  }
}

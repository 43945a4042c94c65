// SPDX-License-Identifier: Apache-2.0
// World: the real runtime on a simulated clock, disk and workers, moved one step at a time by one
// seed. Everything that clients and workers were told is kept in a ledger; `check` compares the
// ledger with the journal and finds every broken promise.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/node.hpp"
#include "store/memory/memory_index.hpp"
#include "store/memory/simulated_files.hpp"
#include "testkit/random_process.hpp"

namespace pawl::testkit::sim {

class SimulatedClock final : public runtime::Clock {
 public:
  Instant now() const override { return now_; }
  void advance(Millis by) { now_ += by; }

 private:
  Instant now_{Millis(1'800'000'000'000)};
};

// What the faults of one run are: drawn from the seed, many are 0.
struct Faults {
  unsigned crash_per_mille{0};  // of steps
  unsigned io_error_per_mille{0};
  unsigned torn_per_mille{0};
  unsigned full_disk_per_mille{0};
  unsigned crash_in_io_per_mille{0};
  unsigned late_worker_percent{0};
  unsigned silent_worker_percent{0};
  unsigned twice_worker_percent{0};
  unsigned failing_worker_percent{0};
  std::uint64_t crash_at_io{0};  // exactly at this operation of the disk; 0: no
};

struct Setting {
  std::uint64_t seed{1};
  std::uint32_t shards{1};
  std::size_t resident_bytes{64u << 20};
  std::size_t steps_per_turn{limits::steps_per_turn};
  std::uint64_t slow_turn{limits::slow_turn};
  bool scripts_beside{false};
  engine::Allowance allowance{};
  std::uint64_t segment_bytes{64u << 10};
  bool sqlite{false};
  Faults faults{};
  std::vector<std::string> drawings{};  // process "p0", "p1" …
};

// What a caller was told about something that it asked.
enum class Told : std::uint8_t { nothing, yes, no, unknown };

struct Asked {
  std::string what{};
  Told told{Told::nothing};
  Key key{Key::none};  // of the instance, job or message
  std::string name{};  // instance id; variable; message id
  bool kept{false};    // message
};

class World {
 public:
  explicit World(Setting setting);
  ~World();

  // --- the world goes on
  void step();         // something at random
  void run_quietly();  // until nothing moves by itself; no faults are drawn
  void stop_faults();  // from now on everything works
  void heal();         // faults off, workers good, mail sent, incidents resolved, until all ended
  void crash();
  void pass(Millis time);

  // --- what clients do
  void deploy(const std::vector<std::string>& names,
              const std::vector<std::string>& drawings);  // without faults
  void start(const std::string& process, const std::string& id, Value variables = {});
  void publish(const std::string& name, const std::string& correlation, Millis time_to_live);
  void signal(const std::string& name);
  void set_variable(Key instance);
  void cancel(Key instance);
  void continue_as_new(Key instance);
  // Elements that `moves` does not name keep their ids.
  void migrate(Key instance, const std::string& process,
               std::vector<runtime::MigrateRequest::Move> moves = {});
  void change_loop(Key instance);  // something that can be said to a loop that runs, if one does
  void work();                     // a worker takes jobs, or answers one that it has

  // The first broken promise, or empty.
  std::string check();
  // Everything ended and nothing is left.
  std::string check_all_ended();
  std::uint64_t fingerprint() const;  // of everything committed: the same seed gives the same

  runtime::Node* node() { return node_.get(); }
  store::SimulatedDisk& disk() { return disk_; }
  const std::vector<Asked>& asked() const { return asked_; }
  const std::string& trouble() const { return trouble_; }
  std::vector<Key> active_instances();
  std::size_t crashes() const { return crashes_; }

 private:
  struct HeldJob {
    runtime::ActivatedJob job{};
    Instant answer_at{};
    unsigned answers{1};
  };
  struct Committed {
    store::Position position{};
    store::Record record{};
  };
  void open();
  bool move_node();
  void answer(HeldJob held);
  void ask(runtime::Request request);
  std::size_t note(Asked asked);
  store::Fault fault_for(const store::Operation& operation);
  std::vector<Committed> read_journal();
  Told told(const Error& error) const;
  void check_timers();

  Setting setting_;
  Dice dice_;
  SimulatedClock clock_;
  store::SimulatedDisk disk_;
  store::MemoryState kept_index_{};
  std::string kept_image_{};
  bool faults_on_{true};
  bool wants_crash_{false};
  std::unique_ptr<runtime::Node> node_;
  store::Index* index_{nullptr};
  std::vector<HeldJob> held_;
  std::map<Key, std::uint64_t> newest_fence_;  // of the jobs that workers were given
  std::vector<Asked> asked_;
  std::size_t next_id_{0};
  std::size_t crashes_{0};
  std::uint64_t incarnation_{0};
  std::string trouble_;
};

// A whole run from one seed: settings, steps, healing and checks. Empty: all promises were kept.
std::string run_seed(std::uint64_t seed, std::size_t steps = 400);
Setting setting_for(std::uint64_t seed);

}  // namespace pawl::testkit::sim

// SPDX-License-Identifier: Apache-2.0
// SimulatedDisk: a directory in memory that does what disks do at their worst. What was not synced
// may be lost, kept or torn by a crash; a failed sync forgets what it should have written although
// reads still show it; names are durable only after sync_names. Every operation can be made to
// fail. One thread; the same seed and the same calls give the same outcome.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/files.hpp"

namespace pawl::store {

enum class Io : std::uint8_t {
  open,
  read,
  write,
  sync,
  allocate,
  size,
  list,
  rename,
  remove,
  sync_names,
  lock
};
struct Operation {
  Io kind{};
  std::string file{};
  std::uint64_t offset{0};
  std::uint64_t size{0};
  std::uint64_t count{0};  // 1: the first operation of the disk
};

enum class Fault : std::uint8_t {
  none,
  disk_full,    // nothing is done
  error,        // nothing is done; a sync loses what it should have written
  torn,         // a write does a part, then an error; anything else: as `error`
  error_after,  // it is done, and an error told nevertheless
  crash,        // the machine stops in the middle of it
};

class SimulatedDisk {
 public:
  explicit SimulatedDisk(std::uint64_t seed = 1);
  SimulatedDisk(const SimulatedDisk&) = delete;
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;
  ~SimulatedDisk();

  // The directory as one process sees it. Views and their files may outlive the disk's crashes, but
  // are dead then: every call is an error.
  std::unique_ptr<Files> files();

  // Called before each operation.
  using Hook = std::function<Fault(const Operation&)>;
  void on_operation(Hook hook);
  std::uint64_t operations() const;

  // The machine stops and starts again. All views die.
  void crash();
  std::uint64_t crashes() const;

  // Space for all files together; growing beyond it is disk_full.
  void limit_space(std::uint64_t bytes);

  // As somebody with a disk editor: what is visible, and changes that are durable at once.
  std::vector<std::string> names() const;
  std::string content(const std::string& name) const;
  void put(const std::string& name, std::string content);
  void erase(const std::string& name);

  struct State;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace pawl::store

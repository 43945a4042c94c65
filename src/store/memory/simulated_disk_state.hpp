// SPDX-License-Identifier: Apache-2.0
// The inside of SimulatedDisk: contents as they are seen and as they would survive, and what lies
// between the two.
#pragma once

#include <limits>
#include <map>
#include <random>

#include "store/memory/simulated_files.hpp"

namespace pawl::store {

struct PendingWrite {
  std::uint64_t offset{0};
  std::string bytes{};
};

struct Inode {
  std::string seen{};
  std::string durable{};
  std::vector<PendingWrite> pending{};  // in order

  void write(std::uint64_t offset, std::string_view bytes);
  void sync();
  // Each write that was not synced is kept, lost or torn.
  void settle(std::mt19937_64& random);
};
using InodePtr = std::shared_ptr<Inode>;
using Names = std::map<std::string, InodePtr>;

// `from` empty: `to` is made; `to` empty: `from` is removed; else renamed. A name on the disk says
// which file it is of: a change of one file never becomes a change of another with the same name.
struct NameChange {
  std::string from{};
  std::string to{};
  InodePtr file{};
};

struct SimulatedDisk::State {
  std::mt19937_64 random;
  Names seen{};
  Names durable{};
  std::vector<NameChange> pending{};
  Hook hook{};
  std::uint64_t operations{0};
  std::uint64_t crashes{0};
  std::uint64_t space{std::numeric_limits<std::uint64_t>::max()};
  const void* holder{nullptr};  // the view that has the lock

  explicit State(std::uint64_t seed) : random(seed) {}

  void change(NameChange change);
  void sync_names();
  void crash();
  std::uint64_t used() const;
  // Counts the operation and asks the hook.
  Fault next(Io kind, const std::string& file, std::uint64_t offset = 0, std::uint64_t size = 0);
};

}  // namespace pawl::store

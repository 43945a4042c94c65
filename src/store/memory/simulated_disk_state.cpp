// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_disk_state.hpp"

#include <algorithm>

namespace pawl::store {
namespace {

constexpr std::uint64_t sector = 512;

void put_bytes(std::string& content, std::uint64_t offset, std::string_view bytes) {
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size(), '\0');
  content.replace(offset, bytes.size(), bytes);
}

// Writes the part of `write` that lies in the sector that begins at `start`.
void put_sector(std::string& content, const PendingWrite& write, std::uint64_t start) {
  const std::uint64_t from = std::max(start, write.offset);
  const std::uint64_t to = std::min(start + sector, write.offset + write.bytes.size());
  put_bytes(content, from, std::string_view(write.bytes).substr(from - write.offset, to - from));
}

void settle_write(std::string& content, const PendingWrite& write, std::mt19937_64& random) {
  const std::uint64_t outcome = random() % 4;
  if (outcome == 0) return;
  if (outcome == 1) return put_bytes(content, write.offset, write.bytes);
  if (outcome == 2) {
    const std::uint64_t kept = random() % (write.bytes.size() + 1);
    return put_bytes(content, write.offset, std::string_view(write.bytes).substr(0, kept));
  }
  const std::uint64_t end = write.offset + write.bytes.size();
  for (std::uint64_t at = write.offset / sector * sector; at < end; at += sector) {
    if (random() % 2 == 0) put_sector(content, write, at);
  }
}

void carry_out(Names& names, const NameChange& change) {
  if (!change.from.empty()) {
    const auto at = names.find(change.from);
    // An earlier change did not survive; the name may be that of an older file.
    if (at == names.end() || at->second != change.file) return;
    names.erase(at);
  }
  if (!change.to.empty()) names[change.to] = change.file;
}

}  // namespace

void Inode::write(std::uint64_t offset, std::string_view bytes) {
  put_bytes(seen, offset, bytes);
  pending.push_back({offset, std::string(bytes)});
}

void Inode::sync() {
  for (const PendingWrite& write : pending) put_bytes(durable, write.offset, write.bytes);
  pending.clear();
}

void Inode::settle(std::mt19937_64& random) {
  for (const PendingWrite& write : pending) settle_write(durable, write, random);
  pending.clear();
}

void SimulatedDisk::State::change(NameChange change) {
  carry_out(seen, change);
  pending.push_back(std::move(change));
}

void SimulatedDisk::State::sync_names() {
  for (const NameChange& change : pending) carry_out(durable, change);
  pending.clear();
}

void SimulatedDisk::State::crash() {
  for (const NameChange& change : pending) {
    if (random() % 2 == 0) carry_out(durable, change);
  }
  pending.clear();
  seen = durable;
  for (const auto& [name, inode] : seen) {
    inode->settle(random);
    inode->seen = inode->durable;
  }
  holder = nullptr;
  ++crashes;
}

std::uint64_t SimulatedDisk::State::used() const {
  std::uint64_t sum = 0;
  for (const auto& [name, inode] : seen) sum += inode->seen.size();
  return sum;
}

Fault SimulatedDisk::State::next(Io kind, const std::string& file, std::uint64_t offset,
                                 std::uint64_t size) {
  ++operations;
  if (!hook) return Fault::none;
  return hook({.kind = kind, .file = file, .offset = offset, .size = size, .count = operations});
}

}  // namespace pawl::store

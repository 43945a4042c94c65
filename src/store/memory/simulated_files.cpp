// SPDX-License-Identifier: Apache-2.0
#include "store/memory/simulated_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "store/memory/simulated_disk_state.hpp"

namespace pawl::store {
namespace {

using State = SimulatedDisk::State;
using StatePtr = std::shared_ptr<State>;

Error io_error(const std::string& file, const char* reason) {
  return fail(Whose::machine, Code::store_unavailable,
              fmt::format("simulated/{}: {}", file, reason));
}
Error no_simulated_space(const std::string& file) {
  return fail(Whose::machine, Code::disk_full,
              fmt::format("simulated/{}: no space left on the device", file));
}

// One operation: asks for its fault, does it or not, and says how it ended.
struct Attempt {
  State& state;
  std::uint64_t born;  // crashes before this view was made
  Io kind;
  const std::string& file;
  std::uint64_t offset{0};
  std::uint64_t size{0};

  // `act` does it; `instead` is what becomes of it when it fails.
  template <class Act, class Instead>
  Result<void> run(Act act, Instead instead) {
    if (state.crashes != born) return io_error(file, "the machine has crashed");
    const Fault fault = state.next(kind, file, offset, size);
    switch (fault) {
      case Fault::none:
        return act();
      case Fault::error_after:
        PAWL_CHECK(act());
        return io_error(file, "injected error after it was done");
      case Fault::disk_full:
        return no_simulated_space(file);
      case Fault::error:
      case Fault::torn:
        instead(fault);
        return io_error(file, "injected error");
      case Fault::crash:
        break;
    }
    // A sync that is under way may have written any part.
    if (kind != Io::sync && kind != Io::sync_names) static_cast<void>(act().has_value());
    state.crash();
    return io_error(file, "the machine has crashed");
  }
  template <class Act>
  Result<void> run(Act act) {
    return run(act, [](Fault) {});
  }
};

class SimulatedFile : public File {
 public:
  SimulatedFile(StatePtr state, std::string name, InodePtr inode)
      : state_(std::move(state)),
        name_(std::move(name)),
        inode_(std::move(inode)),
        born_(state_->crashes) {}

  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    return attempt(Io::write, offset, bytes.size())
        .run([&] { return write(offset, bytes); },
             [&](Fault fault) {
               if (fault != Fault::torn) return;
               const std::size_t part = state_->random() % (bytes.size() + 1);
               static_cast<void>(write(offset, bytes.substr(0, part)).has_value());
             });
  }
  Result<std::string> read_at(std::uint64_t offset, std::size_t size) const override {
    std::string bytes;
    PAWL_CHECK(attempt(Io::read, offset, size).run([&]() -> Result<void> {
      if (offset < inode_->seen.size()) bytes = inode_->seen.substr(offset, size);
      return {};
    }));
    return bytes;
  }
  Result<void> sync() override {
    return attempt(Io::sync, 0, 0)
        .run(
            [&]() -> Result<void> {
              inode_->sync();
              return {};
            },
            [&](Fault) { inode_->settle(state_->random); });
  }
  Result<void> allocate(std::uint64_t size) override {
    return attempt(Io::allocate, 0, size).run([&]() -> Result<void> {
      const std::uint64_t have = inode_->seen.size();
      const std::uint64_t more = size > have ? size - have : 0;
      const std::uint64_t fits = state_->space - std::min(state_->space, state_->used());
      inode_->write(0, std::string(std::min(size, have + std::min(more, fits)), '\0'));
      if (more > fits) return no_simulated_space(name_);
      return {};
    });
  }
  Result<std::uint64_t> size() const override {
    PAWL_CHECK(attempt(Io::size, 0, 0).run([] { return Result<void>(); }));
    return std::uint64_t{inode_->seen.size()};
  }

 private:
  Attempt attempt(Io kind, std::uint64_t offset, std::uint64_t size) const {
    return {*state_, born_, kind, name_, offset, size};
  }
  Result<void> write(std::uint64_t offset, std::string_view bytes) {
    const std::uint64_t end = offset + bytes.size();
    const std::uint64_t have = inode_->seen.size();
    if (end > have && state_->used() + (end - have) > state_->space)
      return no_simulated_space(name_);
    inode_->write(offset, bytes);
    return {};
  }

  const StatePtr state_;
  const std::string name_;
  const InodePtr inode_;
  const std::uint64_t born_;
};

class SimulatedFiles : public Files {
 public:
  explicit SimulatedFiles(StatePtr state) : state_(std::move(state)), born_(state_->crashes) {}
  SimulatedFiles(const SimulatedFiles&) = delete;
  SimulatedFiles& operator=(const SimulatedFiles&) = delete;
  ~SimulatedFiles() override {
    if (state_->holder == this) state_->holder = nullptr;
  }

  Result<std::unique_ptr<File>> open(const std::string& name, bool create) override {
    PAWL_CHECK(attempt(Io::open, name).run([&]() -> Result<void> {
      if (state_->seen.contains(name)) return {};
      if (!create) return io_error(name, "no such file");
      state_->change({.from = "", .to = name, .file = std::make_shared<Inode>()});
      return {};
    }));
    return std::unique_ptr<File>(
        std::make_unique<SimulatedFile>(state_, name, state_->seen.at(name)));
  }
  Result<std::vector<std::string>> list() const override {
    std::vector<std::string> names;
    const std::string directory;
    PAWL_CHECK(attempt(Io::list, directory).run([&]() -> Result<void> {
      for (const auto& [name, inode] : state_->seen) names.push_back(name);
      return {};
    }));
    return names;
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    return attempt(Io::rename, from).run([&] {
      return change({.from = from, .to = to, .file = {}});
    });
  }
  Result<void> remove(const std::string& name) override {
    return attempt(Io::remove, name).run([&] {
      return change({.from = name, .to = "", .file = {}});
    });
  }
  Result<void> sync_names() override {
    const std::string directory;
    return attempt(Io::sync_names, directory).run([&]() -> Result<void> {
      state_->sync_names();
      return {};
    });
  }
  Result<void> lock() override {
    const std::string name = "lock";
    return attempt(Io::lock, name).run([&]() -> Result<void> {
      if (state_->holder != nullptr && state_->holder != this) {
        return fail(Whose::machine, Code::store_in_use, "simulated: another view has the lock");
      }
      state_->holder = this;
      return {};
    });
  }
  std::string place() const override { return "simulated"; }

 private:
  Attempt attempt(Io kind, const std::string& file) const { return {*state_, born_, kind, file}; }
  Result<void> change(NameChange change) {
    const auto at = state_->seen.find(change.from);
    if (at == state_->seen.end()) return io_error(change.from, "no such file");
    change.file = at->second;
    state_->change(std::move(change));
    return {};
  }

  const StatePtr state_;
  const std::uint64_t born_;
};

}  // namespace

SimulatedDisk::SimulatedDisk(std::uint64_t seed) : state_(std::make_shared<State>(seed)) {}
SimulatedDisk::~SimulatedDisk() = default;

std::unique_ptr<Files> SimulatedDisk::files() { return std::make_unique<SimulatedFiles>(state_); }
void SimulatedDisk::on_operation(Hook hook) { state_->hook = std::move(hook); }
std::uint64_t SimulatedDisk::operations() const { return state_->operations; }
void SimulatedDisk::crash() { state_->crash(); }
std::uint64_t SimulatedDisk::crashes() const { return state_->crashes; }
void SimulatedDisk::limit_space(std::uint64_t bytes) { state_->space = bytes; }

std::vector<std::string> SimulatedDisk::names() const {
  std::vector<std::string> names;
  for (const auto& [name, inode] : state_->seen) names.push_back(name);
  return names;
}
std::string SimulatedDisk::content(const std::string& name) const {
  const auto at = state_->seen.find(name);
  return at == state_->seen.end() ? std::string() : at->second->seen;
}
void SimulatedDisk::put(const std::string& name, std::string content) {
  erase(name);
  const auto inode =
      std::make_shared<Inode>(Inode{.seen = content, .durable = content, .pending = {}});
  state_->seen[name] = inode;
  state_->durable[name] = inode;
}
void SimulatedDisk::erase(const std::string& name) {
  state_->seen.erase(name);
  state_->durable.erase(name);
}

}  // namespace pawl::store

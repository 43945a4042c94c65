// SPDX-License-Identifier: Apache-2.0
// A data directory: DIR/journal has the files of the journal, DIR/index.db the index. Everything
// that opens, reads, rebuilds or checks one goes through here, so that all agree on what it is.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/node.hpp"

namespace pawl::runtime {

struct LocalOptions {
  NodeOptions node{};
  std::uint64_t segment_bytes{64u << 20};  // of a journal file
};

// Makes the directory if it is missing. It gets more shards than asked for if more have worked
// there before. Errors: store_in_use (another process has it),
// store_damaged (the text says what can be done).
Result<std::unique_ptr<Node>> open_local(const std::string& directory, const Clock& clock,
                                         LocalOptions options = {});

// Copies everything to a directory that does not exist yet, while the node works: what was answered
// before the call is in it. The copy is a data directory like any other. Gives the number of its
// last record. Error already_exists: there is something at this path.
Result<std::uint64_t> backup_local(const Node& node, const std::string& directory);

// For reading beside a process that may be running there. If none is, what a crash left behind is
// applied first. Error: store_unavailable if there is no data, or it cannot be read.
Result<std::unique_ptr<store::Index>> read_local(const std::string& directory);

// Records done, of how many.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

// Makes the index anew from the journal; gives the number of records. The journal must be complete:
// records that only the old index has would be lost.
Result<std::uint64_t> reindex_local(const std::string& directory, const Progress& progress);

struct Verdict {
  std::uint64_t segments{0}, records{0}, bytes{0}, instances{0};
  bool complete{true};         // false: the journal no longer has its first records
  std::string unfinished{};    // a write that a crash cut; the next start cuts it. No problem.
  std::uint64_t unindexed{0};  // records that the index does not have yet. No problem.
  std::vector<std::string> problems{};
};

// Reads everything and changes nothing: the frames of the journal, every record, every instance
// folded from its events, and the index compared with what the journal gives. Nobody may write
// there meanwhile.
Result<Verdict> verify_local(const std::string& directory, const Progress& progress);

}  // namespace pawl::runtime

// SPDX-License-Identifier: Apache-2.0
// Survey: what is in the directory of a journal, every segment read and checked, nothing changed.
// Opening a journal refuses if there is a problem; `pawl verify` shows all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/journal/segment_scan.hpp"

namespace pawl::store {

using SegmentPtr = std::shared_ptr<Segment>;

struct SpareFile {
  std::string name{};
  std::uint64_t number{0};
  std::uint64_t size{0};
};

struct Survey {
  std::vector<SegmentPtr> segments{};  // by position
  std::vector<SpareFile> spares{};
  bool has_unfinished{false};  // a file that was being made
  std::uint64_t serial{0};     // the highest that was used
  std::uint64_t records{0};    // that are readable
  std::uint64_t bytes{0};      // of their frames

  // The end of the last segment.
  Position next{position_from(1)};  // of the record that comes next
  std::uint64_t end{frames_start};  // offset
  std::uint64_t last_frame{0};      // offset of the last whole frame; 0: none
  std::uint64_t torn{0};            // bytes of an unfinished write at `end`
  std::vector<Error> problems{};    // in the order of the files
};

// Error only if something cannot be read at all.
Result<Survey> survey(Files& files);

// For people: one line for each problem, with file and offset.
struct JournalReport {
  Position first{Position::none};
  Position last{Position::none};
  std::uint64_t segments{0};
  std::uint64_t records{0};
  std::uint64_t bytes{0};
  std::vector<std::string> problems{};
  std::string unfinished{};  // an unfinished write at the end, which opening cuts; no problem
};

// Takes no lock and changes nothing. While a server writes, the end may look unfinished.
Result<JournalReport> check_journal(Files& files);

}  // namespace pawl::store

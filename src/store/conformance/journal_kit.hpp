// SPDX-License-Identifier: Apache-2.0
// What every journal must do, as a table of named checks. A store that is added runs them with its
// own journal; a check says what is wrong in a sentence. No test framework is needed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/journal.hpp"

namespace pawl::store {

// One fresh journal for one check.
struct JournalSubject {
  // Opens it; after the journal was destroyed, opens the same one again.
  std::function<Result<std::unique_ptr<Journal>>()> open{};
  bool threads{true};  // may be read by other threads
};

class JournalTrial {
 public:
  explicit JournalTrial(const JournalSubject& subject) : subject_(subject) { reopen(); }

  Journal& journal() { return *journal_; }
  bool has_threads() const { return subject_.threads; }
  void reopen();
  // Appends and notes what must be there from now on.
  void append(const std::vector<std::string>& batch);
  void append(std::initializer_list<const char*> batch);
  // Records whose text follows from their position: `count` of them, one batch.
  void append_known(std::size_t count);
  void drop(std::uint64_t through);

  std::vector<std::string> read(std::uint64_t from);
  // Everything from first() to last() is as it was appended.
  void expect_all();
  void expect(bool holds, const std::string& sentence);
  void expect_equal(std::uint64_t is, std::uint64_t should, const std::string& what);

  std::uint64_t first() { return number(journal_->first()); }
  std::uint64_t last() { return number(journal_->last()); }
  const std::string& problems() const { return problems_; }
  bool is_open() const { return journal_ != nullptr; }

 private:
  const JournalSubject& subject_;
  std::unique_ptr<Journal> journal_{};
  std::vector<std::string> appended_{};  // from position 1
  std::string problems_{};
};

struct JournalCheck {
  std::string name{};  // a sentence, with _ for spaces
  std::function<void(JournalTrial&)> run{};
};

std::vector<JournalCheck> journal_checks();

// Empty: the journal does what the check asks.
std::string run_check(const JournalCheck& check, const JournalSubject& subject);

// The text of a record by its position; sizes differ.
std::string known_record(std::uint64_t position);

}  // namespace pawl::store

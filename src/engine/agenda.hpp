// SPDX-License-Identifier: Apache-2.0
// Agenda: the work that an instance still has to do by itself, first in, first out; what is urgent
// goes to the front. Empty, as it is in all instances that wait, it holds next to no memory.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/events.hpp"

namespace pawl::engine {

class Agenda {
 public:
  bool empty() const { return first_ == works_.size(); }
  std::size_t size() const { return works_.size() - first_; }
  const Work& front() const { return works_[first_]; }
  auto begin() const { return works_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() const { return works_.end(); }

  void push_back(const Work& work) {
    // Before it grows: those that were taken make room, if they are at least half.
    if (works_.size() == works_.capacity() && first_ > works_.size() / 2) forget_taken();
    works_.push_back(work);
  }
  void push_front(const Work& work) {
    if (first_ == 0) {  // room for as many again, so that many in a row do not move all each time
      first_ = std::max(kept, works_.size());
      works_.insert(works_.begin(), first_, Work{});
    }
    works_[--first_] = work;
  }
  void pop_front() {
    ++first_;
    if (!empty()) return;
    works_.clear();
    first_ = 0;
    if (works_.capacity() > kept) works_.shrink_to_fit();
  }
  template <class From>
  void assign(From from, From to) {
    works_.assign(from, to);
    first_ = 0;
  }

 private:
  static constexpr std::size_t kept = 4;  // places

  void forget_taken() {
    works_.erase(works_.begin(), works_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  std::vector<Work> works_;
  std::size_t first_{0};  // those before it were taken
};

}  // namespace pawl::engine

// SPDX-License-Identifier: Apache-2.0
// Descriptor: a file or an end of a pipe that is closed with its owner. Negative: it is not open.
#pragma once

#include <unistd.h>

#include <utility>

namespace pawl::cli {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace pawl::cli

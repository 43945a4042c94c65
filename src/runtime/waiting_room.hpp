// SPDX-License-Identifier: Apache-2.0
// WaitingRoom: a bounded number of requests, and of bytes in them, that wait for a turn which
// cannot be taken at once. A request has its place until it was done, wherever it is meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace pawl::runtime {

class WaitingRoom {
  struct Count {
    std::atomic<std::size_t> places{0}, bytes{0};
  };

 public:
  WaitingRoom(std::size_t most, std::size_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  // Given back when it goes, on any thread, also when the room is gone.
  class Place {
   public:
    Place(std::shared_ptr<Count> count, std::size_t bytes)
        : count_(std::move(count)), bytes_(bytes) {
      ++count_->places;
      count_->bytes += bytes_;
    }
    ~Place() {
      --count_->places;
      count_->bytes -= bytes_;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    std::shared_ptr<Count> count_;
    std::size_t bytes_;
  };

  // Null: there is none.
  std::shared_ptr<Place> enter(std::size_t bytes) {
    const bool too_many = count_->places != 0 && count_->bytes + bytes > most_bytes_;
    if (count_->places >= most_ || too_many) return nullptr;
    return std::make_shared<Place>(count_, bytes);
  }

 private:
  const std::size_t most_, most_bytes_;
  std::shared_ptr<Count> count_ = std::make_shared<Count>();
};

}  // namespace pawl::runtime

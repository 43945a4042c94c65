// SPDX-License-Identifier: Apache-2.0
// Readers: connections for queries from any thread. A file has a small pool of read-only
// connections, so that queries neither wait for each other nor for the writer; a database in memory
// has only the writer's connection, taken under its mutex.
#pragma once

#include <mutex>
#include <vector>

#include "store/sqlite/sqlite.hpp"

namespace pawl::store::sqlite {

class Readers {
 public:
  // Gives the connection back when it goes. All that is read through one lease is of one moment.
  class Lease {
   public:
    Lease(Readers& home, std::unique_ptr<Connection> own) : home_(&home), own_(std::move(own)) {}
    Lease(std::unique_lock<std::recursive_mutex> held, Connection& shared)
        : held_(std::move(held)), shared_(&shared) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Connection& operator*() const { return own_ ? *own_ : *shared_; }

   private:
    Readers* home_{nullptr};
    std::unique_ptr<Connection> own_{};
    std::unique_lock<std::recursive_mutex> held_{};
    Connection* shared_{nullptr};
  };

  Readers(std::string path, Millis patience) : path_(std::move(path)), patience_(patience) {}
  Readers(Connection& shared, std::recursive_mutex& mutex)
      : shared_(&shared), shared_mutex_(&mutex) {}

  Result<Lease> lease();
  // Of those that nobody uses now.
  void forget_cached();

 private:
  Result<std::unique_ptr<Connection>> take();
  void give_back(std::unique_ptr<Connection> connection);

  std::string path_{};
  Millis patience_{0};
  std::mutex mutex_{};
  std::vector<std::unique_ptr<Connection>> idle_{};
  Connection* shared_{nullptr};
  std::recursive_mutex* shared_mutex_{nullptr};
};

}  // namespace pawl::store::sqlite

// SPDX-License-Identifier: Apache-2.0
// Names: which instance has which id or business id. One active instance per name, whatever the
// shard; the index knows the old ones, this remembers those it does not know yet.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "store/index.hpp"

namespace pawl::runtime {

struct InstanceName {
  std::string process{};  // of a business id; empty: an instance id, unique among all
  std::string text{};

  friend auto operator<=>(const InstanceName&, const InstanceName&) = default;
};

struct NameHolder {
  Key instance{Key::none};
  bool active{true};
};

class Names {
 public:
  explicit Names(const store::Index& index) : index_(index) {}

  // Takes the name for `instance`, or gives who has it: an instance that is active or, if asked
  // for, the newest of those that have ended and are still known.
  Result<std::optional<NameHolder>> take(const InstanceName& name, Key instance,
                                         bool from_ended_too);
  // The instance has ended at this position, or its start was never committed (none). Nothing
  // happens if another one has the name.
  void release(const InstanceName& name, Key instance, store::Position at);
  // The start of the instance was committed at this position.
  void settle(const InstanceName& name, Key instance, store::Position at);

 private:
  struct Recent {
    Key instance{Key::none};
    bool active{true};
    store::Position at{store::Position::none};  // none: not committed yet
  };
  void forget_indexed();
  Result<std::optional<NameHolder>> find_indexed(const InstanceName& name, bool ended_too,
                                                 Key but) const;

  const store::Index& index_;
  std::mutex mutex_;
  std::map<InstanceName, Recent> recent_;
  std::size_t forget_at_{1'000};  // so that looking through them stays a small part of the work
};

}  // namespace pawl::runtime

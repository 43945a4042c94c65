// SPDX-License-Identifier: Apache-2.0
// What must hold for an instance after every turn, whatever a fuzzer has made of it: its
// invariants, and that it can be stored and read again as it is.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "engine/apply.hpp"
#include "store/snapshot.hpp"

namespace pawl::fuzz {

[[noreturn]] inline void complain(const std::string& about) {
  std::fprintf(stderr, "fuzz: %s\n", about.c_str());
  std::abort();
}

inline void check_state(const engine::Instance& instance) {
  if (const std::string broken = engine::broken_invariant_of(instance); !broken.empty()) {
    complain(broken);
  }
  if (instance.root == engine::Slot::none) return;
  const auto stored = store::encode_snapshot(instance);
  if (!stored) complain(stored.error().text);
  const auto read = store::decode_snapshot(instance.process, *stored);
  if (!read) complain(read.error().text);
  if (store::encode_snapshot(*read).value() != *stored) complain("it is stored in another way");
}

}  // namespace pawl::fuzz

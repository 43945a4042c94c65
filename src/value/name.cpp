// SPDX-License-Identifier: Apache-2.0
#include "value/name.hpp"

#include <sys/auxv.h>

#include <bit>
#include <cstring>

namespace pawl {
namespace {

struct HashKey {
  std::uint64_t first{0};
  std::uint64_t second{0};
};

// The 16 bytes of chance that the kernel gives every program.
HashKey key_of_this_run() {
  HashKey key;
  if (const auto* chance = reinterpret_cast<const char*>(::getauxval(AT_RANDOM))) {
    std::memcpy(&key, chance, sizeof key);
  }
  return key;
}

// SipHash-1-3 (Aumasson, Bernstein): short, quick for short texts, and made for this.
class SipHash {
 public:
  explicit SipHash(const HashKey& key)
      : a_(key.first ^ 0x736f6d6570736575u),
        b_(key.second ^ 0x646f72616e646f6du),
        c_(key.first ^ 0x6c7967656e657261u),
        d_(key.second ^ 0x7465646279746573u) {}

  void add(std::uint64_t word) {
    d_ ^= word;
    round();
    a_ ^= word;
  }
  std::uint64_t finish() {
    c_ ^= 0xff;
    for (int i = 0; i < 3; ++i) round();
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  void round() {
    a_ += b_;
    c_ += d_;
    b_ = std::rotl(b_, 13) ^ a_;
    d_ = std::rotl(d_, 16) ^ c_;
    a_ = std::rotl(a_, 32);
    c_ += b_;
    a_ += d_;
    b_ = std::rotl(b_, 17) ^ c_;
    d_ = std::rotl(d_, 21) ^ a_;
    c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
};

}  // namespace

std::uint32_t hash_of(std::string_view text) {
  static const HashKey key = key_of_this_run();
  SipHash hash(key);
  std::uint64_t word = 0;
  std::size_t at = 0;
  for (; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    hash.add(word);
  }
  word = 0;
  if (at < text.size()) std::memcpy(&word, text.data() + at, text.size() - at);
  hash.add(word | static_cast<std::uint64_t>(text.size()) << 56);
  return static_cast<std::uint32_t>(hash.finish());
}

}  // namespace pawl

// SPDX-License-Identifier: Apache-2.0
#include "feel/value_set.hpp"

#include <algorithm>

#include "feel/compare.hpp"

namespace pawl::feel {
namespace {

using Kind = Value::Kind;

// How much of a value its hash looks at: the rest must differ in its size to be told apart.
constexpr std::size_t bytes_seen = 64;
constexpr std::size_t parts_seen = 16;
constexpr int levels_seen = 2;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t with) {
  hash = (hash ^ with) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of_bytes(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

std::uint64_t hash_of_text(std::string_view text) {
  const std::uint64_t head = hash_of_bytes(text.substr(0, bytes_seen));
  if (text.size() <= bytes_seen) return mixed(head, text.size());
  const std::size_t tail = std::max(bytes_seen, text.size() - bytes_seen);
  return mixed(mixed(head, text.size()), hash_of_bytes(text.substr(tail)));
}

std::uint64_t hash_of_number(const Value& value) {
  if (value.is_int()) return mixed(1, static_cast<std::uint64_t>(value.int_unchecked()));
  const Decimal number = value.as_decimal();
  const auto coefficient = number.coefficient();
  return mixed(
      mixed(static_cast<std::uint64_t>(coefficient), static_cast<std::uint64_t>(coefficient >> 64)),
      static_cast<std::uint64_t>(number.exponent()));
}

// Two clocks that show the same moment are the same.
std::uint64_t hash_of_moment(const DateTime& moment) {
  const UtcSeconds utc = to_utc(moment);
  return mixed(static_cast<std::uint64_t>(utc.seconds), static_cast<std::uint64_t>(utc.nanos));
}

std::uint64_t hash_of(const Value& value, int levels);

std::uint64_t hash_of_list(const Value& value, int levels) {
  const List& items = value.as_list();
  std::uint64_t hash = mixed(items.size(), value.encoded_size());
  if (levels == 0) return hash;
  for (std::size_t i = 0; i < std::min(items.size(), parts_seen); ++i) {
    hash = mixed(hash, hash_of(items[i], levels - 1));
  }
  return hash;
}

// The order of the keys means nothing.
std::uint64_t hash_of_context(const Value& value, int levels) {
  const auto& entries = value.entries();
  const std::uint64_t hash = mixed(entries.size(), value.encoded_size());
  if (levels == 0 || entries.size() > parts_seen) return hash;
  std::uint64_t sum = 0;
  for (const auto& entry : entries) {
    sum += mixed(hash_of_text(entry.key), hash_of(entry.value, levels - 1));
  }
  return mixed(hash, sum);
}

std::uint64_t hash_of(const Value& value, int levels) {
  switch (value.kind()) {
    case Kind::null:
    case Kind::function:
      return 0;
    case Kind::boolean:
      return value.as_boolean() ? 1 : 2;
    case Kind::number:
      return hash_of_number(value);
    case Kind::string:
      return hash_of_text(value.as_string());
    case Kind::list:
      return hash_of_list(value, levels);
    case Kind::context:
      return hash_of_context(value, levels);
    case Kind::date:
      return static_cast<std::uint64_t>(days_from_epoch(value.as_date()));
    case Kind::time:
      return hash_of_moment(DateTime{Date{1970, 1, 1}, value.as_time()});
    case Kind::date_time:
      return hash_of_moment(value.as_date_time());
    case Kind::day_time_duration:
      return mixed(static_cast<std::uint64_t>(value.as_day_time_duration().seconds),
                   static_cast<std::uint64_t>(value.as_day_time_duration().nanos));
    case Kind::year_month_duration:
      return static_cast<std::uint64_t>(value.as_year_month_duration().months);
    case Kind::range:
      return value.encoded_size();
  }
  return 0;
}

// Steps that the hash of a value takes, at most.
std::uint64_t hash_cost(const Value& value) {
  switch (value.kind()) {
    case Kind::string:
      return 1 + std::min(value.as_string().size(), 2 * bytes_seen) / 32;
    case Kind::time:
    case Kind::date_time:
      return cost::temporal + cost::zone;
    case Kind::list:
    case Kind::context:
      return std::min<std::uint64_t>(4 + value.encoded_size() / 8, 1'500);
    default:
      return 1;
  }
}

}  // namespace

std::size_t ValueSet::place_of(const Value& value, std::uint64_t hash) const {
  const std::size_t last = places_.size() - 1;
  for (std::size_t place = mixed(0, hash) & last;; place = (place + 1) & last) {
    machine_.charge(1, cost::item);
    if (places_[place] == 0) return place;
    const Member& member = members_[places_[place] - 1];
    if (member.hash == hash && same(machine_, *member.value, value)) return place;
  }
}

void ValueSet::grow() {
  machine_.charge(places_.size(), cost::item);
  machine_.take(2 * places_.size() * (sizeof(std::uint32_t) + sizeof(Member)));
  std::vector<std::uint32_t> larger(places_.size() * 2);
  const std::size_t last = larger.size() - 1;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    std::size_t place = mixed(0, members_[i].hash) & last;
    while (larger[place] != 0) place = (place + 1) & last;
    larger[place] = static_cast<std::uint32_t>(i + 1);
  }
  places_ = std::move(larger);
}

bool ValueSet::insert(const Value& value) {
  machine_.charge(hash_cost(value));
  const std::uint64_t hash = hash_of(value, levels_seen);
  const std::size_t place = place_of(value, hash);
  if (places_[place] != 0) return false;
  members_.push_back({&value, hash});
  places_[place] = static_cast<std::uint32_t>(members_.size());
  if (members_.size() * 2 > places_.size()) grow();
  return true;
}

bool ValueSet::contains(const Value& value) const {
  machine_.charge(hash_cost(value));
  return places_[place_of(value, hash_of(value, levels_seen))] != 0;
}

}  // namespace pawl::feel

// SPDX-License-Identifier: Apache-2.0
#include "store/codec.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "value/json.hpp"

namespace pawl::store {
namespace {

Record full_record() {
  Record record{.shard = 3,
                .instance = key_from(3ull << 51 | 7),
                .execution = 2,
                .at = Instant(Millis(1'790'000'000'123)),
                .next_key = 3ull << 51 | 99,
                .more = true};
  record.events.push_back(engine::InstanceStarted{.instance = record.instance,
                                                  .process = "order",
                                                  .version = 4,
                                                  .execution = 2,
                                                  .id = "order-7"});
  std::get<engine::InstanceStarted>(record.events[0]).caller =
      engine::Caller{.instance = key_from(5),
                     .element = key_from(6),
                     .root = key_from(4),
                     .depth = 2,
                     .catches = Value(List{"E", ""}),
                     .tolerates = true};
  record.events.push_back(engine::ElementActivating{
      .key = key_from(8), .scope = key_from(7), .element = ElementIndex{0}, .flow = FlowIndex{0}});
  record.events.push_back(engine::JobFailed{.key = key_from(9), .retries = -1, .message = "no"});
  record.events.push_back(engine::CallEnded{.element = key_from(6),
                                            .child = key_from(7),
                                            .outcome = engine::CallOutcome::failed,
                                            .result = Value(1)});
  record.notices.push_back(MessagePublished{
      .key = key_from(5), .name = "paid", .variables = Value(12), .offered = {key_from(1)}});
  return record;
}

TEST(Codec, a_record_comes_back_as_it_was) {
  const Record record = full_record();
  const std::string bytes = *encode(record);
  const auto back = decode_record(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*encode(*back), bytes);
  EXPECT_EQ(back->shard, 3u);
  EXPECT_TRUE(back->more);
  const auto& activating = std::get<engine::ElementActivating>(back->events[1]);
  EXPECT_EQ(activating.element, ElementIndex{0});
  EXPECT_EQ(activating.flow, FlowIndex{0});
  EXPECT_EQ(std::get<engine::JobFailed>(back->events[2]).retries, -1);
  const auto& started = std::get<engine::InstanceStarted>(back->events[0]);
  ASSERT_TRUE(started.caller.has_value());
  EXPECT_EQ(started.caller->root, key_from(4));
  EXPECT_EQ(started.caller->catches.as_list().size(), 2u);
  EXPECT_EQ(std::get<MessagePublished>(back->notices[0]).offered.size(), 1u);
}

TEST(Codec, an_absent_place_stays_absent) {
  Record record;
  record.events.push_back(engine::ElementActivating{.key = key_from(1)});
  const auto back = decode_record(*encode(record));
  EXPECT_EQ(std::get<engine::ElementActivating>(back->events[0]).flow, FlowIndex::none);
}

TEST(Codec, values_come_back_exactly) {
  const char* rows[] = {"null",
                        "true",
                        "false",
                        "0",
                        "-1",
                        "9223372036854775807",
                        "0.1",
                        "1e40",
                        "-1.5e-40",
                        "1e6000",
                        "\"\"",
                        "[]",
                        "{}",
                        "\"a\\u0000b\"",
                        "[[],[null,{\"a\":{\"\":[1,2.50]}}]]"};
  for (const char* row : rows) {
    const Value value = *parse_json(row);
    std::string bytes;
    encode_value(bytes, value);
    const auto back = decode_value(bytes);
    ASSERT_TRUE(back.has_value()) << row;
    EXPECT_EQ(to_json(*back), to_json(value));
    EXPECT_EQ(bytes.size(), value.encoded_size()) << row;
  }
}

Value wrapped(Value value, std::size_t levels) {
  for (std::size_t i = 0; i < levels; ++i) {
    value = i % 2 == 0 ? Value::list({value, *Decimal::parse("0.5")})
                       : object({{"inner", value}, {"", "x"}});
  }
  return value;
}

// Written in one go: the longer one is not moved once per level.
TEST(Codec, deep_and_long_values_come_back_exactly) {
  for (const std::size_t length : {10u, 100u, 3'000u, 100'000u, 3'000'000u}) {
    const Value value = wrapped(std::string(length, 'x'), 400);
    std::string bytes;
    encode_value(bytes, value);
    EXPECT_EQ(*decode_value(bytes), value) << length;
    EXPECT_EQ(bytes.size(), value.encoded_size());
  }
}

TEST(Codec, A1_what_could_not_be_read_again_is_not_written) {
  const auto with_value = [](Value value) {
    Record record{.instance = key_from(7)};
    record.events.push_back(engine::VariableUpdated{.name = "x", .value = std::move(value)});
    return record;
  };
  const auto deepest = encode(with_value(wrapped(1, limits::stored_depth)));
  ASSERT_TRUE(deepest.has_value());
  EXPECT_TRUE(decode_record(*deepest).has_value());
  const auto deeper = encode(with_value(wrapped(1, limits::stored_depth + 1)));
  ASSERT_FALSE(deeper.has_value());
  EXPECT_EQ(deeper.error().code, Code::too_large);

  Value doubled(std::string(1'000'000, 'x'));
  for (int i = 0; i < 20; ++i) doubled = Value::list({doubled, doubled});
  EXPECT_FALSE(encode(with_value(doubled)).has_value()) << "a terabyte, never written";
}

TEST(Codec, no_prefix_of_a_record_is_read_as_something_that_crashes) {
  const std::string bytes = *encode(full_record());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    static_cast<void>(decode_record(std::string_view(bytes).substr(0, size)).has_value());
  }
}

TEST(Codec, every_changed_byte_gives_a_record_or_an_error) {
  const std::string bytes = *encode(full_record());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const auto back = decode_record(changed);
      EXPECT_TRUE(back.has_value() || back.error().code == Code::store_damaged);
    }
  }
}

TEST(Codec, fields_of_a_later_version_are_passed_over) {
  const std::string bytes = *encode(full_record());
  const std::string later = bytes + std::string("\xf2\x07\x02hi", 5);  // field 126
  const auto back = decode_record(later);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*encode(*back), bytes);
}

TEST(Codec, an_event_of_a_later_version_is_refused) {
  const std::string unknown("\x3a\x04\xf2\x07\x01x", 6);  // events: field 126
  EXPECT_FALSE(decode_record(unknown).has_value());
}

}  // namespace
}  // namespace pawl::store

// SPDX-License-Identifier: Apache-2.0
#include "value/value.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "base/limits.hpp"
#include "value/json.hpp"

namespace pawl {
namespace {

class Named final : public Callable {
 public:
  std::string name() const override { return "f"; }
};

Value function() { return std::shared_ptr<const Callable>(std::make_shared<const Named>()); }

TEST(Value, is_small) { EXPECT_EQ(sizeof(Value), 16u); }

TEST(Value, knows_its_kind) {
  using Kind = Value::Kind;
  const std::pair<Value, Kind> rows[] = {
      {{}, Kind::null},
      {nullptr, Kind::null},
      {true, Kind::boolean},
      {1, Kind::number},
      {*Decimal::parse("0.5"), Kind::number},
      {"a", Kind::string},
      {std::string("a"), Kind::string},
      {Value::list({1}), Kind::list},
      {Value::context({}), Kind::context},
      {Date{}, Kind::date},
      {Time{}, Kind::time},
      {DateTime{}, Kind::date_time},
      {DayTimeDuration{}, Kind::day_time_duration},
      {YearMonthDuration{}, Kind::year_month_duration},
      {Range{1, 2}, Kind::range},
      {function(), Kind::function},
  };
  for (const auto& [value, kind] : rows) {
    EXPECT_EQ(value.kind(), kind);
    EXPECT_EQ(value, Value(value)) << kind_name(kind);
  }
}

TEST(Value, a_wrong_kind_is_a_broken_invariant) {
  EXPECT_THROW((void)Value(1).as_string(), BrokenInvariant);
  EXPECT_THROW((void)Value("1").as_int(), BrokenInvariant);
  EXPECT_THROW((void)Value().as_list(), BrokenInvariant);
  EXPECT_THROW((void)Value().entries(), BrokenInvariant);
  EXPECT_THROW((void)Value(Date{}).as_time(), BrokenInvariant);
}

TEST(Value, integral_numbers_are_held_as_integers) {
  EXPECT_TRUE(Value(*Decimal::parse("12.0")).is_int());
  EXPECT_TRUE(Value(*Decimal::parse("-9223372036854775808")).is_int());
  EXPECT_FALSE(Value(*Decimal::parse("9223372036854775808")).is_int());
  EXPECT_FALSE(Value(*Decimal::parse("0.5")).is_int());
  EXPECT_EQ(Value(*Decimal::parse("0.5")).as_int(), std::nullopt);
  EXPECT_EQ(Value(1), Value(*Decimal::parse("1.0")));
}

TEST(Value, strings_hold_any_bytes) {
  const std::string text("a\0b", 3);
  EXPECT_EQ(Value(text).as_string(), text);
  EXPECT_EQ(Value("").as_string(), "");
  EXPECT_EQ(Value(std::string(100'000, 'x')).as_string().size(), 100'000u);
}

TEST(Value, of_equal_keys_the_last_value_wins_at_the_first_place) {
  EXPECT_EQ(to_json(object({{"a", 1}, {"b", 2}, {"a", 3}})), R"({"a":3,"b":2})");
  std::vector<Entry> many;
  for (int i = 0; i < 30; ++i) many.push_back({std::to_string(i % 10), i});
  EXPECT_EQ(to_json(Value::context(many)),
            R"({"0":20,"1":21,"2":22,"3":23,"4":24,"5":25,"6":26,"7":27,"8":28,"9":29})");
}

TEST(Value, finds_members_of_small_and_large_contexts) {
  for (const int count : {0, 1, 8, 9, 1000}) {
    std::vector<Entry> entries;
    for (int i = 0; i < count; ++i) entries.push_back({"k" + std::to_string(i), i});
    const Value context = Value::context(entries);
    for (int i = 0; i < count; ++i) {
      const Value* found = context.find("k" + std::to_string(i));
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(*found, Value(i));
    }
    EXPECT_EQ(context.find("k"), nullptr);
    EXPECT_EQ(context.find("z"), nullptr);
    EXPECT_EQ(context.find(""), nullptr);
  }
  EXPECT_EQ(Value(1).find("a"), nullptr);
}

TEST(Value, equals_by_content) {
  EXPECT_EQ(object({{"a", 1}, {"b", 2}}), object({{"b", 2}, {"a", 1}}));
  EXPECT_NE(object({{"a", 1}, {"b", 2}}), object({{"a", 1}, {"c", 2}}));
  EXPECT_NE(object({{"a", 1}}), object({{"a", 1}, {"b", 2}}));
  EXPECT_EQ(Value::list({1, "a"}), Value::list({1, "a"}));
  EXPECT_NE(Value::list({1, 2}), Value::list({2, 1}));
  EXPECT_NE(Value(1), Value("1"));
  EXPECT_NE(Value(false), Value());
  EXPECT_NE(Value(Range{1, 2}), Value(Range{1, 2, false, true}));
  EXPECT_NE(function(), function());
}

Value tower(int levels) {
  Value value = 1;
  for (int i = 0; i < levels; ++i) {
    value = i % 2 == 0 ? Value::list({value}) : object({{"a", value}});
  }
  return value;
}

TEST(Value, deep_values_need_no_stack) {
  const Value a = tower(200'000);
  const Value b = tower(200'000);
  EXPECT_EQ(a.depth(), 200'000u);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, tower(199'998));
  EXPECT_GT(a.encoded_size(), 400'000u);
  EXPECT_EQ(storable(a).depth(), 200'000u) << "there is nothing to change in it";
  EXPECT_TRUE(storable(Value::list({a, Date{}})).is_null()) << "but no stack is deep enough here";
  EXPECT_LE(preview(a).size(), 90u);
}

TEST(Value, knows_its_size_however_often_a_part_is_shared) {
  EXPECT_EQ(Value().encoded_size(), 0u);
  EXPECT_EQ(Value("abc").encoded_size(), 5u);
  EXPECT_EQ(Value(std::string(1'000, 'x')).encoded_size(), 1'003u);
  EXPECT_EQ(Value::list({1, "abc"}).encoded_size(), 2 + (2 + 2) + (2 + 5));
  EXPECT_EQ(Value(*Decimal::parse("0.5")).encoded_size(), 5u) << "its text, with number and length";
  Value doubled(std::string(1'000, 'x'));
  for (int i = 0; i < 20; ++i) doubled = object({{"a", doubled}, {"b", doubled}});
  EXPECT_GT(doubled.encoded_size(), 1'000'000'000u);
  for (int i = 0; i < 200; ++i) doubled = object({{"a", doubled}, {"b", doubled}});
  EXPECT_GT(doubled.encoded_size(), std::size_t{1} << 59) << "and never comes round to small again";
}

TEST(Value, knows_whether_something_inside_becomes_text) {
  EXPECT_TRUE(Value::list({1, "a", object({{"b", Value()}})}).is_storable());
  EXPECT_FALSE(Value::list({object({{"b", Date{}}})}).is_storable());
  EXPECT_FALSE(Value(Range{1, 2}).is_storable());
}

TEST(Value, copies_survive_the_original_on_other_threads) {
  const Value shared = object({{"list", Value::list({1, "two", object({{"three", 3}})})}});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([shared] {
      for (int j = 0; j < 10'000; ++j) {
        const Value copy = *shared.find("list");
        const Value item = copy.as_list().back();
        ASSERT_EQ(*item.find("three"), Value(3));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Value, assigns_from_its_own_part) {
  Value value = Value::list({Value::list({1})});
  value = Value(value.as_list().front());
  EXPECT_EQ(to_json(value), "[1]");
  Value& same = value;
  value = same;
  value = std::move(same);
  EXPECT_EQ(to_json(value), "[1]");
}

TEST(Value, with_sets_or_replaces_a_key) {
  const Value context = object({{"a", 1}, {"b", 2}});
  EXPECT_EQ(to_json(with(context, "a", "x")), R"({"a":"x","b":2})");
  EXPECT_EQ(to_json(with(context, "c", 3)), R"({"a":1,"b":2,"c":3})");
  EXPECT_EQ(to_json(with(Value(), "c", 3)), R"({"c":3})");
  EXPECT_EQ(to_json(context), R"({"a":1,"b":2})");
}

TEST(Value, storable_keeps_what_json_has) {
  const Value plain = parse_json(R"({"a":[1,"x",null,{"b":true}]})").value();
  EXPECT_EQ(&storable(plain).entries(), &plain.entries()) << "the same value, not a copy";
  const Value mixed = Value::list({*parse_date("2024-02-29"), Range{Value(), "m", false, true},
                                   Range{*parse_date("2024-01-01"), Value()}});
  EXPECT_EQ(to_json(storable(mixed)), R"(["2024-02-29","(..\"m\"]","[@\"2024-01-01\"..]"])");
}

TEST(Value, preview_is_short_and_whole_characters) {
  EXPECT_EQ(preview(object({{"a", 1}})), R"({"a":1})");
  EXPECT_EQ(preview(Value::list({1, 2, 3}), 4), "[1,2…");
  EXPECT_EQ(preview(Value("äääää"), 4), "\"ä…");
  EXPECT_LE(preview(Value(std::string(1'000'000, 'x'))).size(), 84u);
}

}  // namespace
}  // namespace pawl

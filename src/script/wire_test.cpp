// SPDX-License-Identifier: Apache-2.0
#include "script/wire.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/limits.hpp"
#include "script/messages.hpp"
#include "value/json.hpp"

namespace pawl::script {
namespace {

std::string bytes_of(const Value& value) {
  WireWriter writer;
  writer.value(value);
  return writer.take();
}

std::optional<Value> value_of(std::string_view bytes, std::size_t most_items = 1'000) {
  WireReader reader(bytes, most_items);
  Value value = reader.value();
  return reader.is_done() ? std::optional(std::move(value)) : std::nullopt;
}

// As a hostile helper may write it: a list that promises `count` items.
std::string list_of(std::uint64_t count) {
  WireWriter writer;
  writer.byte(static_cast<std::uint8_t>(bytes_of(Value::list({}))[0]));
  writer.number(count);
  return writer.take();
}

std::string nested(std::size_t levels) {
  std::string bytes;
  for (std::size_t i = 0; i < levels; ++i) bytes += list_of(1);
  return bytes + bytes_of(Value());
}

TEST(Wire, values_arrive_as_they_left) {
  for (const char* json : {
           "null",
           "true",
           "false",
           "0",
           "-9223372036854775808",
           "9223372036854775807",
           "0.1",
           "-12345678901234567890.12345678901234",
           "1E+40",
           "1e-6000",
           "\"\"",
           "\"a\\u0000b\"",
           "\"ä😀\"",
           "[]",
           "{}",
           "[1,[2,[3,null]],\"x\"]",
           R"({"b":1,"a":{"":[true]},"ä":"ö"})",
       }) {
    const Value value = parse_json(json).value();
    const auto back = value_of(bytes_of(value));
    ASSERT_TRUE(back) << json;
    EXPECT_EQ(to_json(*back), to_json(value));
    EXPECT_EQ(*back, value);
  }
}

TEST(Wire, what_json_does_not_have_arrives_as_text) {
  EXPECT_EQ(value_of(bytes_of(Value(Date{2024, 2, 29}))), Value("2024-02-29"));
}

TEST(Wire, every_part_of_a_message_is_missed) {
  const std::string whole = bytes_of(parse_json(R"({"a":[1,0.5,"text",{"b":null}]})").value());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(value_of(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(value_of(whole + '\0')) << "and so is what should not be there";
}

TEST(Wire, hostile_values_are_refused) {
  std::string not_utf8 = bytes_of("abc");
  not_utf8.back() = '\xFF';
  std::string no_number = bytes_of(Value(*Decimal::parse("0.5")));
  no_number.back() = 'x';
  const std::pair<const char*, std::string> rows[] = {
      {"an unknown kind", "\x63"},
      {"a text that is not UTF-8", not_utf8},
      {"a number that is none", no_number},
      {"a list without its items", list_of(3)},
      {"a list of more than there are bytes", list_of(UINT64_MAX)},
      {"lists that promise more and more", list_of(900) + list_of(900) + std::string(2'000, '\0')},
      {"too deep", nested(limits::json_depth + 1)},
      {"deep enough to end the stack", nested(1'000'000)},
  };
  for (const auto& [name, bytes] : rows) EXPECT_FALSE(value_of(bytes, 1'000)) << name;
  EXPECT_TRUE(value_of(nested(limits::json_depth)));
  EXPECT_TRUE(value_of(list_of(900) + std::string(900, '\0'), 1'000));
  EXPECT_FALSE(value_of(list_of(900) + std::string(900, '\0'), 800));
}

TEST(Wire, random_bytes_are_never_more_than_an_error) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 60, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % (i % 2 == 0 ? 9 : 256));
    report_from(bytes);
    order_from(bytes);
  }
}

TEST(Wire, reports_stay_within_the_limits_of_a_script) {
  const auto arrives = [](const Report& report) {
    return report_from(to_bytes(report)).has_value();
  };
  EXPECT_TRUE(arrives(NeedVariable{std::string(limits::script_name_bytes, 'x')}));
  EXPECT_FALSE(arrives(NeedVariable{std::string(limits::script_name_bytes + 1, 'x')}));
  EXPECT_TRUE(arrives(Ready{"no"}));
  EXPECT_FALSE(arrives(Ready{std::string(1u << 20, 'x')}));
  EXPECT_FALSE(arrives(Checked{fail(Whose::caller, Code::busy, std::string(1u << 20, 'x'))}));
  Done done;
  done.outcome.assigned.resize(limits::script_names);
  EXPECT_TRUE(arrives(done));
  done.outcome.assigned.resize(limits::script_names + 1);
  EXPECT_FALSE(arrives(done));
  EXPECT_TRUE(arrives(
      Done{.outcome = {.value = Value(List(limits::script_result_items)), .assigned = {}}}));
  EXPECT_FALSE(arrives(Done{
      .outcome = {.value = Value(List(2 * limits::script_result_items + 1)), .assigned = {}}}));
}

TEST(Wire, a_helper_does_not_decide_whose_error_it_is) {
  const auto report = report_from(
      to_bytes(Failed{{fail(Whose::machine, Code::broken_invariant, "a lie"), std::string("E1")}}));
  ASSERT_TRUE(report);
  const Failure& failure = std::get<Failed>(*report).failure;
  EXPECT_EQ(failure.error.whose, Whose::operators);
  EXPECT_EQ(failure.error.code, Code::script_failed);
  EXPECT_EQ(failure.error.text, "a lie");
  EXPECT_EQ(failure.error_code, "E1");
}

}  // namespace
}  // namespace pawl::script

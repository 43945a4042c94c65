// SPDX-License-Identifier: Apache-2.0
// No value can hurt: what becomes part of the state is bounded in depth and in bytes.
#include "engine/gate.hpp"

#include <gtest/gtest.h>

#include "testkit/draw.hpp"
#include "testkit/play.hpp"
#include "value/json.hpp"

namespace pawl::engine {
namespace {

using testkit::draw;
using testkit::Play;

constexpr std::size_t mebibyte = 1u << 20;

std::string with_text(std::size_t bytes) {
  return "{\"s\":\"" + std::string(bytes, 'x') + "\",\"n\":1}";
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

bool says(const std::string& text, std::initializer_list<std::string_view> parts) {
  return std::all_of(parts.begin(), parts.end(), [&text](std::string_view part) {
    return text.find(part) != std::string::npos;
  });
}

// --- by the model: an incident at the token
// -------------------------------------------------------

struct Growing {
  const char* name;
  const char* drawing;
  std::initializer_list<std::string_view> said;
};

// Each would make more than the machine has from a text of a megabyte.
TEST(Gate, A3_what_a_model_builds_is_bounded_in_bytes_however_much_of_it_is_shared) {
  const Growing rows[] = {
      {"input mapping",
       "start  ->  job w   in big = for i in 1..10 return s",
       {"IO_MAPPING_ERROR at w", "variable \"big\" at \"w\" takes 1048584", "the limit is 4194304",
        "--max-value"}},
      {"output mapping",
       "start  ->  task t   out big = for i in 1..10 return s\n t  ->  end",
       {"IO_MAPPING_ERROR at t", "variable \"big\""}},
      {"script in FEEL",
       "start  ->  script t   = for i in 1..10 return s   into big\n t  ->  end",
       {"EXTRACT_VALUE_ERROR at t", "variable \"big\""}},
      {"collection",
       "start  ->  job w   each for i in 1..63 return s as x",
       {"EXTRACT_VALUE_ERROR at w", "collection at \"w\" takes 66", "bytes, and the instance",
        "the limit is 67108864 (--max-instance)"}},
      {"far too large",
       "start  ->  job w   in big = for i in 1..100000 return s",
       {"IO_MAPPING_ERROR at w", "to \"big\" failed: the result has more than 67108864 bytes"}},
      {"collected output",
       "start  ->  task t   times 1   collect [s,s,s,s,s] in all\n t  ->  end",
       {"output \"all\" at \"t\" takes 52"}},
      {"all of a loop's output",
       "start  ->  task t   times 5   collect s + \"\" in all\n t  ->  end",
       {"output collection \"all\" at \"t\" takes 52"}},
      {"job type", "start  ->  job w   type =s", {"job type", "1048576 bytes; the limit is 32768"}},
  };
  for (const Growing& row : rows) {
    const Play play(std::string("dialect zeebe\n") + row.drawing, with_text(mebibyte));
    EXPECT_EQ(play.state(), "incident") << row.name << "\n" << play.story().size();
    EXPECT_TRUE(says(play.incident(), row.said)) << row.name << ": " << play.incident();
  }
}

// `=x` to `x.a` and to `x.b`: doubles with every pass.
TEST(Gate, A3_a_value_that_doubles_is_stopped_when_it_is_too_large) {
  const Play play(R"(
    start  ->  xor back
    back   ->  task t   out x.a = x   out x.b = x
    t      ->  back
  )",
                  R"({"x":{"s":"0123456789"}})");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_TRUE(says(play.incident(), {"variable \"x\" at \"t\"", "--max-value"})) << play.incident();
}

TEST(Gate, A1_a_value_that_grows_deeper_is_stopped_before_it_cannot_be_read_again) {
  const Play play(R"(
    start  ->  xor back
    back   ->  task t   out x.a.prev = x
    t      ->  back
  )",
                  R"({"x":{}})");
  EXPECT_EQ(play.state(), "incident");
  EXPECT_TRUE(says(play.incident(),
                   {"variable \"x\" at \"t\" is nested 501 levels deep", "the limit is 499"}))
      << play.incident();
}

TEST(Gate, all_of_an_instance_is_bounded_together) {
  const Play play(R"(
    start  ->  xor back
    back   ->  script t   = append(n, s)   into n
    t      ->  job w   in a = n   in b = n
  )",
                  with_text(mebibyte));
  EXPECT_EQ(play.state(), "waiting") << play.incident();
  runtime::Driver driver(draw("start  ->  job w   in a = s   in b = s   in c = s"));
  driver.allowance.instance = 3 * mebibyte;
  ASSERT_TRUE(driver.start(object({{"s", std::string(mebibyte, 'x')}})).has_value());
  ASSERT_EQ(driver.incidents().size(), 1u);
  EXPECT_TRUE(says(driver.incidents().begin()->second.message,
                   {"variable \"b\" at \"w\" takes 1048580 bytes, and the instance would hold 3",
                    "the limit is 3145728 (--max-instance)"}))
      << driver.incidents().begin()->second.message;
}

TEST(Gate, what_one_step_takes_is_bounded_also_if_each_of_it_fits) {
  std::string drawing = "dialect zeebe\nstart  ->  job w";
  for (int i = 0; i < 20; ++i) drawing += "   in v" + std::to_string(i) + " = s + \"\"";
  const Play play(drawing, with_text(mebibyte));
  EXPECT_EQ(play.state(), "incident");
  EXPECT_TRUE(says(play.incident(), {"IO_MAPPING_ERROR at w", "variable \"v15\" at \"w\"",
                                     "would enter in one step", "four times --max-value"}))
      << play.incident();
}

TEST(Gate, a_loop_stops_where_the_instance_is_full_and_goes_on_when_there_is_room) {
  runtime::Driver driver(draw("start  ->  job w   times 5000\n w  ->  end"));
  driver.allowance.instance = mebibyte;
  driver.keeps_journal = false;
  ASSERT_TRUE(driver.start().has_value());
  ASSERT_EQ(driver.incidents().size(), 1u);
  EXPECT_TRUE(says(driver.incidents().begin()->second.message,
                   {"loop \"w\" cannot start iteration", "of 5000", "pawl:concurrency"}))
      << driver.incidents().begin()->second.message;
  const std::size_t full = driver.open_jobs().size();
  EXPECT_GT(full, 1'000u);
  EXPECT_LT(full, 5'000u);
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_TRUE(driver.send(CompleteJob{*driver.open_jobs().begin()}).has_value());
  }
  ASSERT_TRUE(driver.send(ResolveIncident{driver.incidents().begin()->first}).has_value());
  EXPECT_GE(driver.open_jobs().size(), full - 10) << "as many again";
}

// --- by a command: rejected, and nothing has changed
// ----------------------------------------------

TEST(Gate, commands_with_too_much_are_rejected_and_change_nothing) {
  Play play("start  ->  job w   in own = 1\n w  ->  job x");
  const std::size_t before = play.events().size();
  const Value large = object({{"big", std::string(5 * mebibyte, 'x')}});
  const Value deep = object({{"deep", *parse_json(nested(500))}});
  const Key job = play.job_of("w");
  for (const Value& variables : {large, deep}) {
    const Command commands[] = {
        CompleteJob{job, variables}, FailJob{.job = job, .retries = 1, .variables = variables},
        ThrowError{.job = job, .code = "E", .variables = variables},
        SetVariables{.scope = play.key_of("w"), .variables = variables}, ContinueAsNew{variables}};
    for (const Command& command : commands) {
      const std::string said = play.rejection(command);
      EXPECT_TRUE(says(said, {"variable \""}) && (says(said, {"takes 5242885 bytes"}) ||
                                                  says(said, {"is nested 500 levels deep"})))
          << said;
    }
  }
  EXPECT_EQ(play.events().size(), before);
  EXPECT_TRUE(says(play.rejection(ThrowError{.job = job, .code = std::string(40'000, 'x')}),
                   {"error code", "40000 bytes"}));
  runtime::Driver driver(draw("start  ->  end"));
  EXPECT_FALSE(driver.start(large).has_value());
  EXPECT_FALSE(driver.start(deep).has_value());
}

TEST(Gate, just_within_the_limits_everything_is_taken) {
  Play play("start  ->  job w\n w  ->  job x");
  const std::string fits =
      "{\"big\":\"" + std::string(4 * mebibyte - 5, 'x') + "\",\"deep\":" + nested(499) + "}";
  play.complete("w", fits);
  EXPECT_EQ(play.waiting(), "x");
}

// --- between instances
// ----------------------------------------------------------------------------

TEST(Gate, A6_an_answer_that_is_as_deep_as_it_may_be_reaches_its_caller) {
  Play play({{"parent", "start  ->  call c   process child   take all\n c  ->  job w"},
             {"child", "start  ->  job in\n in  ->  end"}},
            "{}");
  play.complete("in", "{\"deep\":" + nested(499) + "}");
  EXPECT_EQ(play.waiting(), "w") << play.incident();
}

TEST(Gate, what_a_call_hands_over_is_bounded) {
  const Play play({{"parent", "start  ->  call c   process child   pass = [s,s,s,s,s] as big"},
                   {"child", "start  ->  end"}},
                  with_text(mebibyte));
  EXPECT_TRUE(says(play.incident(), {"IO_MAPPING_ERROR at c: ", "variable \"big\" at \"c\" takes"}))
      << play.incident();
}

TEST(Gate, A6_an_answer_that_does_not_fit_stops_the_call_activity_and_not_for_ever) {
  Play play({{"parent", "start  ->  call c   process child   pass none   take all\n c  ->  job w"},
             {"child", "start  ->  job in\n in  ->  end"}},
            with_text(mebibyte));
  runtime::Driver& driver = play.driver();
  driver.allowance.instance = 2 * mebibyte;
  const Value answer = object({{"big", std::string(mebibyte, 'x')}, {"s", Value()}});
  ASSERT_TRUE(driver.send(CompleteJob{*driver.open_jobs().begin(), answer}).has_value());
  ASSERT_EQ(driver.incidents().size(), 1u);
  EXPECT_TRUE(says(driver.incidents().begin()->second.message,
                   {"the answer of the called instance", "does not fit", "--max-instance",
                    "resolve the incident to call the process again"}))
      << driver.incidents().begin()->second.message;
  driver.allowance.instance = 64 * mebibyte;
  ASSERT_TRUE(driver.send(ResolveIncident{driver.incidents().begin()->first}).has_value());
  ASSERT_EQ(driver.open_jobs().size(), 1u);
  ASSERT_TRUE(driver.send(CompleteJob{*driver.open_jobs().begin(), answer}).has_value());
  EXPECT_EQ(driver.open_jobs().size(), 1u);
  EXPECT_TRUE(driver.incidents().empty());
}

// --- texts
// ----------------------------------------------------------------------------------------

TEST(Gate, A8_messages_are_cut_between_characters) {
  std::string euros;
  for (int i = 0; i < 4'000; ++i) euros += "€";
  Play play("start  ->  job w\n w  ->  job x");
  const Key job = play.job_of("w");
  play.fail("w", 1, euros).throw_error("w", "E", euros);
  for (const Event& event : play.events()) {
    const auto check = [&](const std::string& message) {
      EXPECT_LE(message.size(), limits::message_bytes + 3);
      const std::string_view whole = std::string_view(message).substr(0, message.size() - 3);
      EXPECT_EQ(whole.size() % 3, 0u) << "half a character";
    };
    if (const auto* failed = std::get_if<JobFailed>(&event)) check(failed->message);
    if (const auto* thrown = std::get_if<JobErrorThrown>(&event)) check(thrown->message);
  }
  EXPECT_NE(job, Key::none);
}

TEST(Gate, A11_a_number_of_retries_that_is_too_large_is_an_incident) {
  const Play play("dialect zeebe\nstart  ->  job w   retries =4294967297");
  EXPECT_TRUE(says(play.incident(), {"job retries", "gave 4294967297"})) << play.incident();
}

TEST(Gate, A3_a_command_brings_a_bounded_number_of_variables) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i <= limits::variables_at_once; ++i) {
    entries.push_back({"v" + std::to_string(i), Value(0)});
  }
  Play play("start  ->  job a");
  const std::string said =
      play.rejection(CompleteJob{play.job_of("a"), Value::context(std::vector<Entry>(entries))});
  EXPECT_TRUE(says(said, {"20001 variables at once", "20000", "one object"})) << said;
  entries.pop_back();
  EXPECT_EQ(play.rejection(CompleteJob{play.job_of("a"), Value::context(std::move(entries))}), "");
}

}  // namespace
}  // namespace pawl::engine

// SPDX-License-Identifier: Apache-2.0
// Variables, scopes, input and output mappings.
#include <gtest/gtest.h>

#include "testkit/play.hpp"

namespace pawl::engine {
namespace {

using testkit::Play;

// --- shared: to the owner, else to the root ------------------------------------------------------

TEST(SharedVariables, results_go_to_their_owner_or_to_the_root) {  // Z275, Z283, S3
  Play play("start  ->  job work\n work  ->  job next", R"({"a":1})");
  play.complete("work", R"({"a":2,"b":3})");
  EXPECT_EQ(play.variables(), R"({"a":2,"b":3})");
  EXPECT_EQ(play.told("updated"), "updated a=2 in drawn");
}

TEST(SharedVariables, a_sub_process_that_owns_the_name_keeps_the_result) {  // Z276, Z282
  Play play(R"(
    start  ->  sub box   in x = 1 {
      start  ->  job work
      work   ->  job next
    }
    box    ->  end
  )");
  play.complete("work", R"({"x":2})");
  EXPECT_EQ(play.variables("box"), R"({"x":2})");
  EXPECT_EQ(play.variables(), "{}");
}

TEST(SharedVariables, local_ones_are_dropped_when_the_sub_process_ends) {  // Z277, S3
  Play play(R"(
    start  ->  sub box   in x = 1 {
      start  ->  job work
    }
    box    ->  end
  )");
  play.complete("work");
  EXPECT_EQ(play.variables(), "{}");
}

TEST(SharedVariables, output_mappings_name_what_leaves_the_sub_process) {  // Z278, Z279
  Play play(R"(
    start  ->  sub box   in x = 1   out y = x {
      start  ->  job work
    }
    box    ->  end
  )");
  play.complete("work");
  EXPECT_EQ(play.variables(), R"({"y":1})");
}

TEST(SharedVariables, an_equal_value_is_not_written_again) {  // Z284
  Play play("start  ->  job work\n work  ->  job next", R"({"a":1})");
  play.complete("work", R"({"a":1.0})");
  EXPECT_EQ(play.told("updated"), "");
}

TEST(SharedVariables, nothing_happens_with_an_empty_result) {  // Z286
  Play play("start  ->  job work\n work  ->  job next");
  play.complete("work", "{}");
  EXPECT_EQ(play.told("created updated"), "");
}

TEST(SharedVariables, an_update_keeps_the_key_of_the_variable) {  // Z291
  Play play("start  ->  job work\n work  ->  job next", R"({"a":1})");
  const Key before = play.driver().instance().root_scope().variables.find("a")->key;
  play.complete("work", R"({"a":2})");
  EXPECT_EQ(play.driver().instance().root_scope().variables.find("a")->key, before);
  EXPECT_EQ(play.told("created updated"), "created a=1 in drawn, updated a=2 in drawn");
}

// --- isolated: in the enclosing scope, merged when it completes ----------------------------------

constexpr const char* isolated = R"(
  dialect plain
  start  ->  sub box {
    start  ->  job work
    work   ->  job second
  }
  box    ->  end normal
  box    ~>  end caught   on error E
)";

TEST(IsolatedVariables, results_stay_in_the_enclosing_scope_while_it_runs) {  // S3, S9
  Play play(isolated, R"({"a":1})");
  play.complete("work", R"({"a":2,"b":3})");
  EXPECT_EQ(play.variables(), R"({"a":1})") << "the outer value is only shadowed";
  EXPECT_EQ(play.variables("box"), R"({"a":2,"b":3})");
  EXPECT_EQ(play.visible("second"), R"({"a":2,"b":3})");
}

TEST(IsolatedVariables, are_merged_into_the_parent_when_the_scope_completes) {  // S3
  Play play(isolated, R"({"a":1})");
  play.complete("work", R"({"a":2,"b":3})").complete("second");
  EXPECT_EQ(play.variables(), R"({"a":2,"b":3})");
}

TEST(IsolatedVariables, are_dropped_when_the_scope_is_cancelled) {  // S3
  Play play(isolated, R"({"a":1})");
  play.complete("work", R"({"a":2,"b":3})").throw_error("second", "E");
  EXPECT_EQ(play.variables(), R"({"a":1})");
  EXPECT_EQ(play.state(), "completed");
}

TEST(IsolatedVariables, are_merged_once_though_what_follows_had_to_be_repaired) {
  Play play(R"(
    dialect plain
    start  ->  sub box {
      start  ->  script s   js _context.x = "wrong"
    }
    box    ->  end good   if js x == 1
  )");
  EXPECT_EQ(play.state(), "incident");
  play.set("", R"({"x":1})").resolve("box");
  EXPECT_EQ(play.state(), "completed") << "the correction is not overwritten\n" << play.trace();
}

TEST(IsolatedVariables, input_mapped_ones_do_not_leave) {
  Play play(R"(
    dialect plain
    start  ->  sub box   in mine = 1 {
      start  ->  job work
    }
    box    ->  end
  )");
  play.complete("work", R"({"b":2})");
  EXPECT_EQ(play.variables(), R"({"b":2})");
}

TEST(IsolatedVariables, with_output_mappings_only_what_they_name_leaves) {
  Play play(R"(
    dialect plain
    start  ->  sub box   out sum = b + 1 {
      start  ->  job work
    }
    box    ->  end
  )");
  play.complete("work", R"({"b":2})");
  EXPECT_EQ(play.variables(), R"({"sum":3})");
}

TEST(IsolatedVariables, the_rule_can_be_set_on_a_process_of_any_dialect) {
  Play play(R"(
    variables isolated
    start  ->  sub box {
      start  ->  job work
      work   ->  job second
    }
  )",
            R"({"a":1})");
  play.complete("work", R"({"a":2})");
  EXPECT_EQ(play.variables(), R"({"a":1})");
}

// --- set variables -------------------------------------------------------------------------------

constexpr const char* boxed = "start  ->  sub box {\n start  ->  job work   in l = 1\n}";

TEST(SetVariables, goes_to_the_owner_or_the_root) {  // Z287
  Play play(boxed, R"({"a":1})");
  play.set("work", R"({"a":2,"n":3,"l":4})");
  EXPECT_EQ(play.variables(), R"({"a":2,"n":3})");
  EXPECT_EQ(play.variables("work"), R"({"l":4})");
}

TEST(SetVariables, local_ones_stay_in_the_named_scope) {  // Z285, Z288
  Play play(boxed, R"({"a":1})");
  play.set("work", R"({"a":2})", true);
  EXPECT_EQ(play.variables(), R"({"a":1})");
  EXPECT_EQ(play.variables("work"), R"({"l":1,"a":2})");
}

TEST(SetVariables, is_rejected_for_an_unknown_scope_or_a_value_that_is_no_object) {  // Z289
  Play play(boxed);
  EXPECT_NE(play.rejection(SetVariables{key_from(999), object({}), false}), "");
  EXPECT_NE(play.rejection(SetVariables{play.key_of("work"), Value(5), false}).find("object"),
            std::string::npos);
}

TEST(SetVariables, nested_too_deep_are_rejected_wherever_they_come_from) {  // Z290
  Value deep = object({});
  for (int i = 0; i < 600; ++i) deep = object({{"a", deep}});
  Play play(boxed);
  const Key job = play.job_of("work");
  for (const Command& command : std::initializer_list<Command>{
           SetVariables{play.key_of("work"), deep, false}, CompleteJob{job, deep},
           FailJob{.job = job, .variables = deep}, ThrowError{job, "E", "", deep}}) {
    EXPECT_NE(play.rejection(command).find("deep"), std::string::npos);
  }
}

// --- input mappings ------------------------------------------------------------------------------

struct MappingCase {
  const char* what;
  const char* mappings;
  const char* given;
  const char* local;
};

TEST(InputMappings, make_local_variables_in_model_order) {
  const MappingCase rows[] = {
      {"x to y, x is not copied (Z292)", "in y = x", R"({"x":1})", R"({"y":1})"},
      {"a nested path (Z293)", "in y = x.a.b", R"({"x":{"a":{"b":7}}})", R"({"y":7})"},
      {"dates as text (Z293)", "in y = date(\"2024-02-29\")", "{}", R"({"y":"2024-02-29"})"},
      {"durations as text (Z293)", "in y = duration(\"PT90M\")", "{}", R"({"y":"PT1H30M"})"},
      {"no source (Z294)", "in y", R"({"y":1})", R"({"y":null})"},
      {"later ones see earlier ones (Z295)", "in a = 1   in b = a + 1", "{}", R"({"a":1,"b":2})"},
      {"not the other way round (Z296)", "in b = a   in a = 1", "{}", R"({"b":null,"a":1})"},
      {"shadowing is seen (Z297)", "in x = 5   in y = x", R"({"x":1})", R"({"x":5,"y":5})"},
      {"the last of equal targets wins (Z298)", "in a = 1   in b = a   in a = 2", "{}",
       R"({"a":2,"b":1})"},
      {"a name mapped whole hides the outer one (Z300)", "in x = null   in y = x.a",
       R"({"x":{"a":1}})", R"({"x":null,"y":null})"},
      {"fields one by one (Z301)", "in x.a = x.a   in x.b = x.b", R"({"x":{"a":1,"b":2,"c":3}})",
       R"({"x":{"a":1,"b":2}})"},
      {"the outer fields shine through (Z302)", "in a.b = 1   in c = a", R"({"a":{"z":99}})",
       R"({"a":{"b":1},"c":{"z":99,"b":1}})"},
      {"unless the outer value is no object (Z303)", "in a.b = 1   in c = a", R"({"a":5})",
       R"({"a":{"b":1},"c":{"b":1}})"},
      {"a fresh object after a whole one (Z304)", "in a = {}   in a.b = 1   in c = a",
       R"({"a":{"z":99}})", R"({"a":{"b":1},"c":{"b":1}})"},
      {"a missing variable is null (Z318)", "in y = nowhere", "{}", R"({"y":null})"},
  };
  for (const MappingCase& row : rows) {
    const Play play(std::string("start  ->  job work   ") + row.mappings, row.given);
    EXPECT_EQ(play.variables("work"), row.local) << row.what;
  }
}

TEST(InputMappings, only_the_nearest_outer_object_shines_through) {  // Z305
  const Play play(R"(
    start  ->  sub box   in x = {inner: 1} {
      start  ->  job work   in x.b = 2   in y = x
    }
  )",
                  R"({"x":{"outer":1}})");
  EXPECT_EQ(play.variables("work"), R"({"x":{"b":2},"y":{"inner":1,"b":2}})");
}

TEST(InputMappings, a_job_sees_everything_visible_from_its_element) {  // Z307
  const Play play(R"(
    start  ->  sub box   in b = 2 {
      start  ->  job work   in c = 3
    }
  )",
                  R"({"a":1,"b":1})");
  EXPECT_EQ(play.visible("work"), R"({"c":3,"b":2,"a":1})");
}

TEST(InputMappings, that_fail_stop_the_element_and_apply_none) {  // Z317, Z319
  Play play(
      "start  ->  job work   in a = 1   in b = assert(x, x != null)   in c = assert(y, y != null)");
  EXPECT_NE(play.incident().find("IO_MAPPING_ERROR at work"), std::string::npos) << play.incident();
  EXPECT_EQ(play.variables("work"), "{}");
  const Key first = play.driver().incidents().begin()->first;

  play.set("", R"({"x":1})").resolve("work");
  EXPECT_EQ(play.incident_count(), 1u) << "now the next mapping fails";
  EXPECT_NE(play.driver().incidents().begin()->first, first);

  play.set("", R"({"y":2})").resolve("work");
  EXPECT_EQ(play.variables("work"), R"({"a":1,"b":1,"c":2})");
  EXPECT_EQ(play.waiting(), "work");
}

TEST(InputMappings, resolving_without_mending_raises_a_new_incident) {  // Z320
  Play play("start  ->  job work   in b = assert(x, x != null)");
  play.resolve("work");
  EXPECT_EQ(play.told("incident resolved"),
            "incident IO_MAPPING_ERROR at work, resolved work, incident IO_MAPPING_ERROR at work");
}

TEST(InputMappings, cancelling_resolves_their_incident) {  // Z321
  Play play("start  ->  job work   in b = assert(x, x != null)");
  play.cancel();
  EXPECT_EQ(play.told("resolved terminated"), "resolved work, terminated work, terminated drawn");
}

TEST(InputMappings, are_not_repeated_when_what_follows_them_failed) {
  Play play("start  ->  job work   type =kind   in n = n + 1", R"({"n":1})");
  EXPECT_EQ(play.state(), "incident");
  play.set("", R"({"kind":"k"})").resolve("work");
  EXPECT_EQ(play.variables("work"), R"({"n":2})") << "mapped once, not twice";
}

// --- output mappings -----------------------------------------------------------------------------

struct OutputCase {
  const char* what;
  const char* mappings;
  const char* given;
  const char* result;
  const char* outside;
};

TEST(OutputMappings, name_what_leaves_the_element) {
  const OutputCase rows[] = {
      {"no mapping: results merge (Z308)", "", "{}", R"({"r":1})", R"({"r":1})"},
      {"only mapped ones leave (Z309)", "out y = r", "{}", R"({"r":1,"s":2})", R"({"y":1})"},
      {"from an input-mapped local (Z310)", "in z = 1   out y = z", "{}", R"({"z":5})",
       R"({"y":5})"},
      {"a local name is updated locally (Z311)", "in z = 1", "{}", R"({"z":2,"j":3})",
       R"({"j":3})"},
      {"a nested target merges (Z312)", "out z.y = r", R"({"z":{"a":1}})", R"({"r":2})",
       R"({"z":{"a":1,"y":2}})"},
      {"merging into a number gives null (Z313)", "out a.b = r", R"({"a":5})", R"({"r":1})",
       R"({"a":null})"},
      {"only that level (Z313)", "out a.b.c = r", R"({"a":{"b":5,"k":1}})", R"({"r":1})",
       R"({"a":{"b":null,"k":1}})"},
      {"into null makes an object (Z314)", "out a.b = r", R"({"a":null})", R"({"r":1})",
       R"({"a":{"b":1}})"},
      {"first whole, then a field (Z315)", "out a = r   out a.b = 2", "{}", R"({"r":1})",
       R"({"a":{"b":2}})"},
      {"first a field, then whole (Z315)", "out a.b = 2   out a = r", "{}", R"({"r":1})",
       R"({"a":1})"},
      {"with the local fields (Z316)", "in a = {l: 1}   out a.m = r", "{}", R"({"r":2})",
       R"({"a":{"l":1,"m":2}})"},
      {"a missing variable is null (Z134)", "out y = nowhere", "{}", "{}", R"({"y":null})"},
  };
  for (const OutputCase& row : rows) {
    Play play(std::string("start  ->  job work   ") + row.mappings + "\n work  ->  job next",
              row.given);
    play.complete("work", row.result);
    EXPECT_EQ(play.variables(), row.outside) << row.what << "\n" << play.trace();
  }
}

TEST(OutputMappings, that_fail_stop_the_element_and_can_be_repaired) {  // Z317, Z319
  Play play("start  ->  job work   out y = assert(x, x != null)\n work  ->  end");
  play.complete("work", R"({"r":1})");
  EXPECT_NE(play.incident().find("IO_MAPPING_ERROR at work"), std::string::npos);
  play.set("", R"({"x":1})").resolve("work");
  EXPECT_EQ(play.state(), "completed");
  EXPECT_EQ(play.variables(), R"({"x":1,"y":1})");
}

TEST(OutputMappings, are_not_repeated_when_a_condition_after_them_failed) {
  Play play(R"(
    start  ->  job work   out n = n + 1
    work   ->  end a   if flag
    work   ->  end b   otherwise
  )",
            R"({"n":1})");
  play.complete("work");
  EXPECT_EQ(play.state(), "incident");
  play.set("", R"({"flag":true})").resolve("work");
  EXPECT_EQ(play.variables(), R"({"n":2,"flag":true})");
  EXPECT_EQ(play.path(), "start work a");
}

TEST(OutputMappings, incidents_of_two_branches_are_independent) {  // Z431
  Play play(R"(
    start  ->  and fork
    fork   ->  job a   in p = assert(x, x != null)
    fork   ->  job b   in p = assert(y, y != null)
  )");
  EXPECT_EQ(play.incident_count(), 2u);
  play.set("", R"({"y":1})").resolve("b");
  EXPECT_EQ(play.incident_count(), 1u);
  EXPECT_EQ(play.waiting(), "b");
}

}  // namespace
}  // namespace pawl::engine

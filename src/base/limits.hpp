// SPDX-License-Identifier: Apache-2.0
// Every loop, queue and depth that input can drive has a limit, and the limit has its name here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pawl::limits {

// Input
inline constexpr std::size_t json_bytes = 64u << 20;
inline constexpr std::size_t json_depth = 500;
inline constexpr std::size_t xml_bytes = 64u << 20;
inline constexpr std::size_t xml_depth = 2'000;
inline constexpr std::size_t xml_tags = 5'000'000;
inline constexpr std::size_t xml_attributes = 200;  // of one element
inline constexpr std::size_t xml_namespaces = 200;  // in scope at one place
inline constexpr std::size_t elements_per_process = 200'000;
inline constexpr std::size_t scope_depth = 500;   // sub-processes inside each other
inline constexpr std::size_t mapping_depth = 20;  // lists and maps inside each other
inline constexpr std::size_t findings = 1'000;    // reported about one file

// Values that become part of the state of an instance
inline constexpr std::size_t value_bytes = 4u << 20;        // of one, as stored, unless set
inline constexpr std::size_t instance_bytes = 64u << 20;    // of all in one instance, unless set
inline constexpr std::size_t element_bytes = 256;           // that an element instance counts for
inline constexpr std::size_t loop_bytes = 2'048;            // the body of a loop, besides
inline constexpr std::size_t undoable_bytes = 256;          // and a record of what can be undone
inline constexpr std::size_t value_depth = json_depth - 1;  // they are read and written as members
inline constexpr std::size_t stored_depth = json_depth + 1;
inline constexpr std::size_t record_bytes = 256u << 20;  // of one turn
inline constexpr std::size_t name_bytes = 32'768;  // job types, message names, keys, ids, codes

// Models
inline constexpr std::size_t join_ranges = 8'000'000;  // looked at to find what leads to joins
inline constexpr std::size_t mapping_parts = 100;      // of the target of a mapping: a.b.c
inline constexpr std::size_t mappings = 1'000;         // inputs, or outputs, of one element

// FEEL
inline constexpr std::size_t feel_source_bytes = 1u << 20;
inline constexpr std::size_t feel_parse_depth = 200;
inline constexpr std::uint64_t feel_parse_steps = 8'000'000;  // tokens and names looked at
inline constexpr std::size_t feel_call_depth = 200;
inline constexpr std::uint64_t feel_steps = 2'000'000;  // about 50 ms
inline constexpr std::size_t feel_bytes = 64u << 20;    // of what one evaluation makes
inline constexpr std::size_t feel_eval_depth = 1'500;
inline constexpr std::size_t feel_name_tokens = 64;
inline constexpr std::size_t feel_name_bytes = 4'000;  // of several tokens
inline constexpr std::size_t feel_problems = 100;
inline constexpr std::size_t feel_pattern_bytes = 10'000;
inline constexpr std::size_t feel_range_text_bytes = 1'000;
inline constexpr std::uint32_t feel_regex_depth = 20'000;
inline constexpr std::uint32_t feel_regex_heap_kib = 16'384;
inline constexpr std::size_t feel_list_items = 2'000'000;
inline constexpr std::size_t feel_string_bytes = 16u << 20;

// Scripts
inline constexpr std::uint32_t script_heap_bytes = 64u << 20;
inline constexpr int script_millis = 400;
inline constexpr std::size_t script_source_bytes = 1u << 20;
inline constexpr std::size_t script_name_bytes =
    4'096;  // of a variable or function that a script asks for
inline constexpr std::size_t script_names = 10'000;            // of variables that one touches
inline constexpr std::size_t script_result_items = 1'000'000;  // of its value; of all its results
inline constexpr std::size_t script_result_bytes = 16u << 20;  // of texts, in the same
inline constexpr std::size_t script_order_bytes = 64u << 20;   // of a message to a helper process
inline constexpr std::size_t script_report_bytes = 80u << 20;  // and of one that it sends
inline constexpr std::size_t script_helper_bytes = 512u
                                                   << 20;  // of memory beyond what it begins with
inline constexpr std::uint32_t script_helper_seconds = 1'200;  // of processor time; half is used
inline constexpr std::size_t script_helpers = 16;              // at once; then scripts wait

// Engine
inline constexpr std::size_t steps_per_turn = 1'000;
inline constexpr std::uint64_t cost_per_turn = 5'000'000;   // engine/cost.hpp; then it is cut
inline constexpr std::uint64_t cost_per_step = 60'000'000;  // then what needs more is an incident
inline constexpr std::uint64_t scripts_per_step = 1'000'000'000;  // the same for scripts, in ns
inline constexpr std::size_t bytes_per_turn = 1u << 20;  // of values in events; then it is cut
inline constexpr std::uint64_t steps_without_wait = 1'000'000;  // then it is stopped, unless set
inline constexpr std::uint32_t iterations_per_step = 10;        // started in one go
inline constexpr std::uint32_t iterations = 1'000'000;          // of one loop, unless set
inline constexpr std::uint32_t iterations_settable = 100'000'000;
inline constexpr std::size_t children_per_step = 10;  // terminated in one go
inline constexpr std::size_t ad_hoc_paths = 10'000;   // in one sub-process at the same time
inline constexpr std::size_t message_bytes = 10'000;  // error and incident texts are cut here
inline constexpr std::uint32_t call_depth = 1'000;    // processes that call each other
inline constexpr std::size_t calls_per_turn = 500;    // called processes started in one turn

// Runtime
inline constexpr std::size_t timers_in_memory = 20'000;    // of one shard
inline constexpr std::size_t variables_at_once = 20'000;   // of one command, message or call
inline constexpr std::size_t jobs_in_memory = 20'000;      // of one shard and type, waiting
inline constexpr std::size_t job_answer_bytes = 4u << 20;  // of the jobs on the way to one worker
inline constexpr std::size_t timers_per_round = 1'000;     // fired before other work has its turn
inline constexpr std::size_t request_values = 250'000;     // of JSON, in one request to a server
inline constexpr std::size_t requests_per_shard = 20'000;  // waiting; then "busy"
inline constexpr std::size_t requests_per_round = 1'000;
inline constexpr std::size_t drafts_in_flight = 8'000;  // turns of a shard that are not durable yet
inline constexpr std::size_t bytes_in_flight = 32u << 20;  // of the values in them
inline constexpr std::size_t own_bytes_in_flight =
    4u << 20;  // then instances do not go on by themselves
inline constexpr std::uint64_t own_cost_per_round =
    10'000'000;  // engine/cost.hpp; then others come
inline constexpr std::uint64_t slow_turn =
    2'000'000;                                    // cost; the next ones are taken beside the shard
inline constexpr std::uint32_t slow_for = 1'000;  // turns of the definition, from then on
inline constexpr std::size_t turns_away = 256;    // of a shard that go on by themselves
inline constexpr std::size_t turns_waiting = 2'000;  // beside a shard, asked for; then "busy"
inline constexpr std::size_t turns_waiting_bytes = 64u << 20;
inline constexpr std::uint64_t keys_at_once = 256;        // drawn for turns, here and beside
inline constexpr std::size_t resident_bytes = 64u << 20;  // of instances in memory, estimated
inline constexpr std::size_t snapshot_bytes = 4'096;      // a shorter tail is simply folded again
inline constexpr std::size_t index_lag = 200'000;  // records; then commits wait for the index
inline constexpr std::size_t index_lag_bytes = 96u << 20;  // the same, of memory
inline constexpr std::size_t own_lag = 25'000;  // then instances do not go on by themselves
inline constexpr std::size_t own_lag_bytes = 16u << 20;
inline constexpr std::size_t index_window = 16'384;  // records per transaction of the index
inline constexpr std::size_t index_window_bytes = 32u << 20;
inline constexpr std::uint32_t tries = 3;  // of work that fails by a mistake of ours
inline constexpr std::uint32_t shards = 4'096;

// Command line
inline constexpr std::size_t hint_bytes = 64;  // longer words get no "did you mean"

}  // namespace pawl::limits

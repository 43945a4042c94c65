// SPDX-License-Identifier: Apache-2.0
// record DIRECTORY: records the journal that a release adds to tests/replay (see README.md there).
// Ends with 1 if a kind of event or notice does not stand in it.
// record --freeze DIRECTORY: writes what is missing beside a journal that is there.
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "chance.hpp"
#include "describe.hpp"
#include "recorder.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/memory/memory_index.hpp"
#include "value/json.hpp"

namespace pawl::replay {
namespace {

using namespace std::chrono_literals;

void tell_of_jobs(Recorder& to) {
  const Key repaired = to.start("jobs", "repaired");
  to.fail_job(repaired, "work", 1, 10s);
  to.pass(10s);
  to.fail_job(repaired, "work", 0);
  to.resolve(repaired);
  to.complete(repaired, "work", R"({"receipt": "r-1", "two": 0.2})");
  to.set(repaired, R"({"total": 5})");  // the gateway had nowhere to go
  to.resolve(repaired);

  to.throw_error(to.start("jobs", "refused"), "work", "DECLINED");
  to.throw_error(to.start("jobs", "nobody catches"), "work", "OTHER");
  to.fail_job(to.start("jobs", "backs off"), "work", 1, 720h);
  to.fail_job(to.start("jobs", "out of retries"), "work", 0);
  to.command(to.start("jobs", "cancelled"), engine::CancelInstance{});
  const Key again = to.start("jobs", "again", R"({"round": 1})");
  to.command(again, engine::ContinueAsNew{.variables = *parse_json(R"({"round": 2})")});
  to.command(again, engine::ContinueAsNew{});
  to.start("jobs", "open", R"({"deep": {"list": [null, true, -1, 0.1, 1e30, "ü"]}})");
}

void tell_of_loops(Recorder& to) {
  const char* given = R"({"items": ["a", "b", null], "who": "eve"})";
  const Key whole = to.start("loops", "whole", given);
  for (const char* lenient : {"collect", "tolerate"}) {
    to.throw_error(whole, lenient, "BAD");
    to.complete(whole, lenient, R"({"result": 2})");
    to.complete(whole, lenient, R"({"result": {"x": 3}})");
  }
  to.complete(whole, "strict", R"({"result": 1})");
  to.throw_error(whole, "strict", "BAD");
  to.resolve(whole);
  for (int i = 0; i < 3; ++i) to.complete(whole, "strict", R"({"result": 1})");
  const Key beside = to.body_of(whole, "beside");
  to.command(beside, engine::AddIterations{.body = beside, .items = *parse_json(R"(["d"])")});
  to.complete(whole, "beside");

  const Key half = to.start("loops", "half", given);
  to.complete(half, "collect", R"({"result": 1})");

  const Key ended = to.start("loops", "ended", given);
  to.complete(ended, "collect", R"({"result": 1})");
  const Key body = to.body_of(ended, "collect");
  to.command(body, engine::EndLoop{.body = body});
  to.start("long", "long");
}

void tell_of_joins(Recorder& to) {
  const Key waits = to.start("joins", "waits for b", R"({"n": 2})");
  to.complete(waits, "a", R"({"from": "a"})");
  to.complete(to.start("joins", "waits for c", R"({"n": 1})"), "a");
  const Key done = to.start("joins", "joined", R"({"n": 2})");
  for (const char* type : {"a", "b", "c"}) to.complete(done, type);
}

void tell_of_times(Recorder& to) {
  const Key day = to.start("waits", "day", R"({"order": "day"})");
  to.complete(day, "slow");
  to.start("waits", "hour", R"({"order": "hour"})");
  to.pass(61s);
  to.pass(3600s);
  to.pass(24h);
}

void tell_of_mail(Recorder& to) {
  to.publish({.name = "paid", .correlation = "early", .id = "e1", .time_to_live = 1h});
  const Key early = to.start("waits", "early", R"({"order": "early"})");
  to.publish(
      {.name = "note", .correlation = "early", .variables = *parse_json(R"({"note": "hello"})")});
  to.complete(early, "slow");

  to.start("waits", "stopped", R"({"order": "stopped"})");
  to.signal("stop", R"({"why": "storm"})");

  // The message is on its way to an instance that ends: its twin has it.
  const Key first = to.start("waits", "first", R"({"order": "twin"})");
  to.start("waits", "second", R"({"order": "twin"})");
  to.begin(runtime::PublishRequest{
      .name = "note", .correlation = "twin", .reply = [](const Result<runtime::Published>&) {}});
  to.begin(runtime::CommandRequest{.target = first, .command = engine::CancelInstance{}});
  to.settle();

  to.publish({.name = "paid", .correlation = "nobody", .time_to_live = 1s});
  to.pass(2s);
  to.publish({.name = "paid", .correlation = "kept", .id = "k1", .time_to_live = 720h});
  to.start("waits", "at work", R"({"order": 7})");
  to.complete(to.start("waits", "at the race", R"({"order": "race"})"), "slow");
  to.signal("nobody waits for it");
}

void tell_of_handlers(Recorder& to) {
  const Key done = to.start("handlers", "asked", R"({"order": "asked"})");
  to.publish({.name = "ask", .correlation = "asked", .variables = *parse_json(R"({"what": 1})")});
  to.publish({.name = "ask", .correlation = "asked"});
  to.complete(done, "answer");
  to.complete(done, "main");
  to.complete(done, "answer");

  const Key stopped = to.start("handlers", "taken over", R"({"order": "stopped"})");
  to.publish({.name = "ask", .correlation = "stopped"});
  to.publish({.name = "stop-it", .correlation = "stopped"});
  to.throw_error(stopped, "undo", "LOST");
  to.start("handlers", "waits", R"({"order": "waits"})");
}

// Jobs of the called ones are found by their type; each is taken before the next one is called.
void tell_of_calls(Recorder& to) {
  const char* given = R"({"who": "eve"})";
  to.start("caller", "answered", given);
  to.complete(Key::none, "child", R"({"answer": 42})");
  to.start("caller", "declined", given);
  to.throw_error(Key::none, "child", "DECLINED");
  to.start("caller", "fails in another way", given);
  to.throw_error(Key::none, "child", "OTHER");
  to.command(to.start("caller", "cancelled", given), engine::CancelInstance{});
  to.start("caller7", "answered in the way of Camunda 7", given);
  to.complete(Key::none, "child", R"({"answer": [1, 2]})");
  to.start("caller", "is not answered", given);
}

void tell_of_turns(Recorder& to) {
  to.complete(to.start("circle", "counts", R"({"n": 0, "most": 25})"), "counted");
  const Key endless = to.start("circle", "endless", R"({"n": 1, "most": 0})");
  to.resolve(endless);
  to.command(endless, engine::CancelInstance{});
  to.start("circle", "halted", R"({"n": 1, "most": 0})");
  to.complete(to.start("everywhere", "everywhere"), "one");
  to.start("everywhere", "at one place");
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void tell_of_changes(Recorder& to, const std::filesystem::path& models) {
  const Key less = to.start("loops", "one less", R"({"items": [1, 2, 3], "who": "eve"})");
  const Key iteration = to.iteration_of(less, "collect");
  to.command(iteration, engine::RemoveIteration{.iteration = iteration});

  const Key moved = to.start("jobs", "migrated");
  to.deploy("jobs.bpmn", text_of(models / "jobs.bpmn") + "<!-- the second version -->\n");
  to.migrate(moved, "jobs");
  to.complete(moved, "work", R"({"receipt": "r-2", "total": 500})");
}

void tell(Recorder& to, const std::filesystem::path& models) {
  for (const char* model :
       {"jobs", "loops", "long", "joins", "waits", "handlers", "calls", "calls7", "turns"}) {
    to.deploy(models / (std::string(model) + ".bpmn"));
  }
  tell_of_jobs(to);
  tell_of_loops(to);
  tell_of_joins(to);
  tell_of_times(to);
  tell_of_mail(to);
  tell_of_handlers(to);
  tell_of_calls(to);
  tell_of_turns(to);
  tell_of_changes(to, models);
  tell_at_random(to, 12);
  const Key instance = to.start("waits", "set aside", R"({"order": "aside"})");
  to.append_cut_start("long", "cut", 2);
  to.append_work_set_aside(instance);
}

void write_new(const std::filesystem::path& file, const std::string& text) {
  if (!std::filesystem::exists(file)) std::ofstream(file) << text;
}

int freeze(const std::filesystem::path& directory) {
  const auto files = store::PosixFiles::open(directory.string());
  const auto journal = store::SegmentJournal::open(**files, {.segment_bytes = 16u << 10});
  std::filesystem::remove(directory / "lock");
  runtime::Definitions definitions;
  store::MemoryIndex index(names_from(definitions));
  const auto reading = read_journal(**journal, index, definitions);
  if (!reading) {
    fmt::print(stderr, "{}\n", reading.error().text);
    return 1;
  }
  write_new(directory / "expected.txt", reading->text);
  write_new(directory / "states.txt", reading->states);
  write_new(directory / "elements.txt", reading->elements);
  for (const std::string& kind : reading->missing) fmt::print(stderr, "missing: {}\n", kind);
  return reading->missing.empty() ? 0 : 1;
}

int record(const std::filesystem::path& directory) {
  if (std::filesystem::exists(directory)) {
    fmt::print(stderr, "{} is there already; a recording is never changed\n", directory.string());
    return 1;
  }
  {
    Recorder recorder(directory.string());
    tell(recorder, std::filesystem::path(PAWL_SOURCE_DIR) / "tests/replay/models");
  }
  return freeze(directory);
}

}  // namespace
}  // namespace pawl::replay

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  if (given.size() == 1) return pawl::replay::record(given[0]);
  if (given.size() == 2 && given[0] == "--freeze") return pawl::replay::freeze(given[1]);
  fmt::print(stderr, "usage: record [--freeze] DIRECTORY\n");
  return 2;
}

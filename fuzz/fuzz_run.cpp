// SPDX-License-Identifier: Apache-2.0
// Whole models: a random process as a file, with some of its bytes changed, or any bytes as a file.
// What can be deployed is run for a thousand steps by workers, mail and time that the input
// decides. Every turn ends in a state that can be, and that is stored and read back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bpmn/read.hpp"
#include "check_state.hpp"
#include "engine/support.hpp"
#include "runtime/driver.hpp"
#include "testkit/as_xml.hpp"
#include "testkit/draw.hpp"
#include "testkit/random_process.hpp"

namespace {

using namespace pawl;
using testkit::Dice;

// The first bytes are the seed of the process; each three after it change one byte of the file.
std::string random_file(std::string_view bytes) {
  std::uint64_t seed = 0;
  for (; !bytes.empty() && seed < (1u << 24); bytes.remove_prefix(1)) {
    seed = seed << 8 | static_cast<std::uint8_t>(bytes.front());
  }
  Dice dice(seed);
  std::string drawing = testkit::random_process(dice);
  if (drawing.starts_with("dialect")) drawing.erase(0, drawing.find('\n') + 1);
  std::string file = testkit::as_xml(*testkit::draw(drawing));
  for (; bytes.size() >= 3; bytes.remove_prefix(3)) {
    const auto at =
        static_cast<std::uint8_t>(bytes[0]) * 256u + static_cast<std::uint8_t>(bytes[1]);
    file[at % file.size()] = bytes[2];
  }
  return file;
}

void something_happens(runtime::Driver& driver, Dice& dice) {
  const auto& jobs = driver.open_jobs();
  const auto& mail = driver.subscriptions();
  const auto due = driver.next_due();
  const unsigned what = dice.below(10);
  if (!jobs.empty() && what < 6) {
    const Key job = testkit::any_of(dice, jobs);
    const Value said = object({{"v1", static_cast<int>(dice.below(3))}});
    if (what == 0) return static_cast<void>(driver.send(engine::FailJob{.job = job, .retries = 1}));
    if (what == 1) return static_cast<void>(driver.send(engine::ThrowError{job, "E", "", {}}));
    return static_cast<void>(driver.send(engine::CompleteJob{job, said}));
  }
  if (!mail.empty() && what < 8) {
    const runtime::OpenSubscription one = testkit::any_of(dice, mail).second;
    const bool signal = one.kind == engine::MailKind::signal;
    if (signal) return static_cast<void>(driver.broadcast(one.name.text()));
    return static_cast<void>(driver.publish(one.name.text(), one.correlation));
  }
  if (!driver.incidents().empty() && what < 9) {
    return static_cast<void>(
        driver.send(engine::ResolveIncident{driver.incidents().begin()->first}));
  }
  if (due) return static_cast<void>(driver.advance_to(*due));
  if (what == 9) static_cast<void>(driver.send(engine::CancelInstance{}));
}

void run(const model::ProcessPtr& process, Dice dice) {
  runtime::Driver driver(process);
  driver.allowance.steps = 1'000;
  driver.allowance.instance = 1u << 20;
  driver.allowance.value = 1u << 18;
  driver.steps_per_turn = 1 + dice.below(100);
  driver.keeps_journal = false;
  driver.after_turn = [](const engine::Instance& one, const engine::Events&) {
    fuzz::check_state(one);
  };
  if (!driver.start()) return;
  for (int i = 0; i < 100 && !driver.has_ended(); ++i) something_happens(driver, dice);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string file = data[0] % 2 == 0 ? random_file(bytes) : std::string(bytes);
  const bpmn::Definitions read = bpmn::read(file, "fuzz.bpmn");
  for (const model::ProcessPtr& process : read.processes) {
    if (engine::unsupported(*process).empty()) run(process, Dice(data[0]));
  }
  return 0;
}

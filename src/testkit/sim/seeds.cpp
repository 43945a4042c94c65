// SPDX-License-Identifier: Apache-2.0
// What one seed means: the processes, the shape of the node, the faults and their rates.
#include <fmt/format.h>

#include "testkit/sim/world.hpp"

namespace pawl::testkit::sim {
namespace {

constexpr const char* fixed[] = {
    "start  ->  job a   type work\n a  ->  end\n",
    "start  ->  receive w   on message m   key 1\n w  ->  end\n",
    "start  ->  catch t   after PT5S\n t  ->  job b   type work\n b  ->  end\n",
    "start  ->  script s   = [1,2,3,4,5,6,7,8]   into items\n"
    "s  ->  job each1   type work   each items as item\n each1  ->  end\n",
    "start  ->  catch sig   on signal s\n sig  ->  end\n",
    "start  ->  script s   = for i in 1..250 return i   into items\n"
    "s  ->  script twice   = item * 2   into r   each items as item\n twice  ->  end\n",
    "start  ->  job slow   type work\n slow  ->  end\n slow  ~>  end late   after PT8S\n",
    "start  ->  job slow   type work\n slow  ->  end\n"
    "slow  ~>  end ping   on message m  key 2   beside\n",
    "start  ->  events g\n g  ->  catch m1   on message m   key 0\n g  ->  catch t1   after PT4S\n"
    "m1  ->  end one\n t1  ->  end two\n",
    "start  ->  job a   type work\n a  ->  end\n"
    "handler h   on message m   key 1 {\n start  ->  job b   type work\n b  ->  end\n }\n"
    "handler i   every R3/PT3S   beside {\n start  ->  job c   type work\n c  ->  end\n }\n",
    "start  ->  script s   = [1,2,3]   into items\n s  ->  sub box   each items as item {\n"
    "start  ->  job a   type work\n a  ->  end\n"
    "handler h   on message m   key item {\n start  ->  job b   type work\n b  ->  end\n }\n"
    "}\n box  ->  end\n",
    "start  ->  throw up   escalates E\n up  ->  job a   type work\n"
    "a  ->  throw more   escalates F\n more  ->  end last   escalates E\n",
    "dialect plain\nstart  ->  transaction box   times 2 {\n"
    "start  ->  job a   type work   times 3\n a  ->  job b   type work\n b  ->  xor x\n"
    "x  ->  end fine   if loopCounter = 0\n x  ->  end not   otherwise   cancels\n"
    "a  =>  job undo_a   type work\n b  =>  job undo_b   type work\n}\n"
    "box  ->  end\n box  ~>  end cancelled   on cancel\n",
};

// Calls the process before it: so no process calls itself.
std::string calling(Dice& dice, unsigned before) {
  static constexpr const char* calls[] = {
      "start  ->  call c   process p{0}\n c  ->  end\n",
      "start  ->  call c   process p{0}   times 3\n c  ->  end\n",
      "start  ->  call c   process p{0}   times 3   sequential\n c  ->  end\n",
      "start  ->  call c   process p{0}\n c  ->  end\n c  ~>  end late   after PT6S\n",
      "start  ->  call c   process p{0}   times 2\n c  ->  end\n"
      "c  ~>  job n   on escalation   beside   type work\n n  ->  end noted\n",
      "start  ->  call c   process p{0}\n c  ->  end\n c  ~>  end given_up   on escalation E\n",
      "start  ->  and split\n split  ->  call c   process p{0}   times 2\n c  ->  end one\n"
      "split  ->  job a   type work\n a  ->  terminate two\n",
  };
  return fmt::format(fmt::runtime(calls[dice.below(std::size(calls))]), dice.below(before));
}

}  // namespace

Setting setting_for(std::uint64_t seed) {
  Dice dice(seed);
  Setting setting{.seed = seed};
  setting.shards = 1 + dice.below(3);
  setting.resident_bytes = dice.chance(50) ? 1 : 64u << 20;  // 1: everything leaves when it can
  setting.segment_bytes = dice.chance(50) ? 4'096 : 64u << 10;
  setting.sqlite = dice.chance(8);
  const auto rate = [&](unsigned most) { return dice.chance(50) ? 0 : dice.below(most + 1); };
  setting.faults = {.crash_per_mille = rate(20),
                    .io_error_per_mille = rate(60),
                    .torn_per_mille = rate(30),
                    .full_disk_per_mille = rate(60),
                    .crash_in_io_per_mille = rate(20),
                    .late_worker_percent = rate(40),
                    .silent_worker_percent = rate(40),
                    .twice_worker_percent = rate(40),
                    .failing_worker_percent = rate(40)};
  const unsigned count = 1 + dice.below(4);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0 && dice.chance(40)) {
      setting.drawings.push_back(calling(dice, i));
      continue;
    }
    setting.drawings.push_back(dice.chance(70) ? std::string(fixed[dice.below(std::size(fixed))])
                                               : random_process(dice));
  }
  // Turns that are cut many times, so that crashes fall between their parts.
  if (dice.chance(25)) setting.steps_per_turn = 1 + dice.below(5);
  if (dice.chance(25)) setting.slow_turn = dice.below(2) == 0 ? 0 : 10'000;
  return setting;
}

std::string run_seed(std::uint64_t seed, std::size_t steps) {
  World world(setting_for(seed));
  for (std::size_t i = 0; i < steps && world.trouble().empty(); ++i) world.step();
  world.stop_faults();
  if (const std::string problem = world.check(); !problem.empty())
    return "after the run: " + problem;
  world.heal();
  if (const std::string problem = world.check(); !problem.empty())
    return "after healing: " + problem;
  return world.check_all_ended();
}

}  // namespace pawl::testkit::sim

// SPDX-License-Identifier: Apache-2.0
#include "testkit/sim/world.hpp"

#include <fmt/format.h>

#include "store/codec.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/sqlite/sqlite_index.hpp"
#include "testkit/draw.hpp"

namespace pawl::testkit::sim {

using namespace runtime;  // NOLINT: the world is made of it

namespace {

// A stored "file" is a drawing; its process is called as the file.
bpmn::Definitions read_drawing(std::string_view content, std::string file) {
  auto process = std::make_shared<model::Process>(*draw(content));
  process->id = file;
  bpmn::Definitions read;
  read.file = std::move(file);
  read.processes.push_back(std::move(process));
  return read;
}

}  // namespace

World::World(Setting setting)
    : setting_(std::move(setting)), dice_(setting_.seed * 7919 + 1), disk_(setting_.seed) {
  disk_.on_operation([this](const store::Operation& operation) { return fault_for(operation); });
  open();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < setting_.drawings.size(); ++i) names.push_back(fmt::format("p{}", i));
  deploy(names, setting_.drawings);
}

void World::deploy(const std::vector<std::string>& names,
                   const std::vector<std::string>& drawings) {
  const bool had_faults = faults_on_;
  faults_on_ = false;
  DeployRequest request{.reply = [this](Result<Deployment> done) {
    if (!done) trouble_ = "deployment failed: " + done.error().text;
  }};
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto read = read_drawing(drawings[i], names[i]);
    request.resources.push_back({.name = names[i],
                                 .content = drawings[i],
                                 .checksum = drawings[i],
                                 .processes = std::move(read.processes)});
  }
  node_->ask(std::move(request));
  run_quietly();
  faults_on_ = had_faults;
}

World::~World() {
  ++incarnation_;  // what the node still has to say is not heard
  node_.reset();
}

store::Fault World::fault_for(const store::Operation& operation) {
  using store::Fault;
  const Faults& faults = setting_.faults;
  if (!faults_on_) return Fault::none;
  if (faults.crash_at_io != 0) {
    if (operation.count != faults.crash_at_io) return Fault::none;
    wants_crash_ = true;
    return Fault::crash;
  }
  const unsigned roll = dice_.below(1'000);
  unsigned limit = faults.crash_in_io_per_mille;
  if (roll < limit) {
    wants_crash_ = true;
    return Fault::crash;
  }
  if (roll < (limit += faults.io_error_per_mille)) {
    return dice_.chance(50) ? Fault::error : Fault::error_after;
  }
  if (roll < (limit += faults.torn_per_mille)) return Fault::torn;
  if (roll < limit + faults.full_disk_per_mille) return Fault::disk_full;
  return Fault::none;
}

// --- the node -----------------------------------------------------------------------------------

// Tries until it works: an error while opening is a fault like any other.
void World::open() {
  for (int tries = 0; tries < 1'000; ++tries) {
    Stores stores;
    stores.files = disk_.files();
    auto journal = store::SegmentJournal::open(
        *stores.files, {.segment_bytes = setting_.segment_bytes, .spares = 1});
    if (!journal) {
      if (!faults_on_ || journal.error().code == Code::store_damaged) {
        trouble_ = "the journal cannot be opened: " + journal.error().text;
        return;
      }
      if (wants_crash_) disk_.crash();
      wants_crash_ = false;
      stores = {};
      if (tries > 50) faults_on_ = false;
      continue;
    }
    stores.journal = std::move(*journal);
    stores.definitions = std::make_unique<Definitions>(read_drawing);
    Definitions* definitions = stores.definitions.get();
    const auto names = [definitions](Key definition, ElementIndex element) {
      return definitions->element_id(definition, element);
    };
    if (setting_.sqlite) {
      auto index = store::SqliteIndex::open({.element_names = names, .image = kept_image_});
      if (!index) {
        trouble_ = index.error().text;
        return;
      }
      stores.index = std::move(*index);
    } else {
      auto index = std::make_unique<store::MemoryIndex>(names);
      index->restore(kept_index_);
      stores.index = std::move(index);
    }
    index_ = stores.index.get();
    definitions->load_with([this](Key resource) { return index_->resource(resource); });
    auto node = Node::open(std::move(stores), clock_,
                           {.shards = setting_.shards,
                            .resident_bytes = setting_.resident_bytes,
                            .steps_per_turn = setting_.steps_per_turn,
                            .slow_turn = setting_.slow_turn,
                            .scripts_beside = setting_.scripts_beside,
                            .allowance = setting_.allowance,
                            .seed = setting_.seed});
    if (node) {
      node_ = std::move(*node);
      ++incarnation_;
      return;
    }
    if (!faults_on_ || node.error().code == Code::store_damaged) {
      trouble_ = "the node cannot be opened: " + node.error().text;
      return;
    }
    if (wants_crash_) disk_.crash();
    wants_crash_ = false;
    if (tries > 50) faults_on_ = false;
  }
}

void World::crash() {
  ++crashes_;
  // What the index had: all, what it had at an earlier moment, or nothing at all.
  if (setting_.sqlite) {
    const auto& index = static_cast<store::SqliteIndex&>(*index_);
    if (dice_.chance(60)) kept_image_ = index.image();
  } else if (dice_.chance(50)) {
    kept_index_ = static_cast<store::MemoryIndex&>(*index_).state();
  } else if (dice_.chance(20)) {
    kept_index_ = {};
  }
  ++incarnation_;  // answers to what the dead node was asked are not heard any more
  node_.reset();
  disk_.crash();
  wants_crash_ = false;
  held_.clear();  // the workers lived in the same process
  newest_fence_.clear();
  for (Asked& one : asked_) {
    if (one.told == Told::nothing) one.told = Told::unknown;
  }
  open();
}

bool World::move_node() {
  bool moved = false;
  for (std::uint32_t i = 0; i < node_->shards(); ++i) moved |= node_->step_shard(i);
  moved |= node_->step_lanes();
  moved |= node_->step_committer();
  moved |= node_->step_indexer();
  return moved;
}

void World::run_quietly() {
  for (int i = 0; i < 100'000 && trouble_.empty(); ++i) {
    const bool moved = move_node();
    if (wants_crash_) {
      crash();
      continue;
    }
    if (!moved) return;
  }
  if (trouble_.empty()) trouble_ = "the node never comes to rest";
}

void World::pass(Millis time) {
  clock_.advance(time);
  run_quietly();
}

void World::step() {
  if (!trouble_.empty()) return;
  const unsigned what = dice_.below(100);
  if (what < 30) {
    node_->step_shard(dice_.below(node_->shards()));
  } else if (what < 50) {
    node_->step_committer();
  } else if (what < 56) {
    node_->step_indexer();
  } else if (what < 60) {
    node_->step_lanes();
  } else if (what < 68) {
    clock_.advance(Millis(dice_.below(dice_.chance(10) ? 200'000 : 2'000)));
  } else if (what < 84) {
    work();
  } else if (what < 90) {
    start(
        fmt::format("p{}", dice_.below(setting_.drawings.size())),
        fmt::format("i{}", dice_.chance(15) && next_id_ > 0 ? dice_.below(next_id_) : next_id_++));
  } else if (what < 94) {
    publish(fmt::format("m"), fmt::format("{}", dice_.below(3)),
            dice_.chance(50) ? Millis(0) : Millis(dice_.below(100'000)));
  } else if (what < 95) {
    signal("s");
  } else {
    const std::vector<Key> active = active_instances();
    if (active.empty()) return;
    const Key one = active[dice_.below(active.size())];
    const unsigned which = dice_.below(10);
    if (which < 5) {
      set_variable(one);
    } else if (which < 7) {
      change_loop(one);
    } else if (which < 8) {
      cancel(one);
    } else if (which < 9) {
      continue_as_new(one);
    } else if (const auto past = index_->past_of(one); past && *past) {
      migrate(one, (*past)->row.process);  // to where it is: everything else goes on as before
    }
  }
  if (wants_crash_ || (faults_on_ && dice_.below(1'000) < setting_.faults.crash_per_mille)) crash();
}

// --- clients ------------------------------------------------------------------------------------

std::size_t World::note(Asked asked) {
  asked_.push_back(std::move(asked));
  return asked_.size() - 1;
}

Told World::told(const Error& error) const {
  return error.whose == Whose::caller || error.code == Code::busy ? Told::no : Told::unknown;
}

void World::start(const std::string& process, const std::string& id, Value variables) {
  const auto definition = node_->definitions().latest(process);
  if (!definition) return;
  const std::size_t place = note({.what = "start", .name = id});
  node_->ask(StartRequest{.definition = *definition,
                          .variables = std::move(variables),
                          .id = id,
                          .reply = [this, place, when = incarnation_](Result<Started> done) {
                            if (when != incarnation_) return;
                            asked_[place].told = done ? Told::yes : told(done.error());
                            if (done) asked_[place].key = done->instance;
                          }});
}

void World::publish(const std::string& name, const std::string& correlation, Millis time_to_live) {
  const std::size_t place = note({.what = "publish"});
  node_->ask(PublishRequest{.name = name,
                            .correlation = correlation,
                            .time_to_live = time_to_live,
                            .variables = object({{fmt::format("mail{}", place), Value(1)}}),
                            .reply = [this, place, when = incarnation_](Result<Published> done) {
                              if (when != incarnation_) return;
                              asked_[place].told = done ? Told::yes : told(done.error());
                              if (!done) return;
                              asked_[place].key = done->key;
                              asked_[place].kept = done->kept;
                            }});
}

void World::signal(const std::string& name) {
  const std::size_t place = note({.what = "signal"});
  node_->ask(SignalRequest{.name = name,
                           .variables = {},
                           .reply = [this, place, when = incarnation_](Result<Published> done) {
                             if (when != incarnation_) return;
                             asked_[place].told = done ? Told::yes : told(done.error());
                             if (done) asked_[place].key = done->key;
                           }});
}

void World::set_variable(Key instance) {
  const std::size_t place = note({.what = "set", .key = instance});
  asked_[place].name = fmt::format("set{}", place);
  node_->ask(CommandRequest{
      .target = instance,
      .command = engine::SetVariables{.scope = instance,
                                      .variables = object({{asked_[place].name, Value(1)}})},
      .reply = [this, place, when = incarnation_](Result<Done> done) {
        if (when == incarnation_) asked_[place].told = done ? Told::yes : told(done.error());
      }});
}

void World::cancel(Key instance) {
  const std::size_t place = note({.what = "cancel", .key = instance});
  node_->ask(CommandRequest{.target = instance,
                            .command = engine::CancelInstance{},
                            .reply = [this, place, when = incarnation_](Result<Done> done) {
                              if (when != incarnation_) return;
                              asked_[place].told = done ? Told::yes : told(done.error());
                            }});
}

void World::continue_as_new(Key instance) {
  const std::size_t place = note({.what = "continue", .key = instance});
  node_->ask(CommandRequest{.target = instance,
                            .command = engine::ContinueAsNew{},
                            .reply = [this, place, when = incarnation_](Result<Done> done) {
                              if (when != incarnation_) return;
                              asked_[place].told = done ? Told::yes : told(done.error());
                            }});
}

void World::migrate(Key instance, const std::string& process,
                    std::vector<MigrateRequest::Move> moves) {
  const auto definition = node_->definitions().latest(process);
  if (!definition) return;
  const std::size_t place = note({.what = "migrate", .key = instance, .name = process});
  node_->ask(MigrateRequest{.instance = instance,
                            .target = *definition,
                            .moves = std::move(moves),
                            .same_ids = true,
                            .reply = [this, place, when = incarnation_](Result<Done> done) {
                              if (when != incarnation_) return;
                              asked_[place].told = done ? Told::yes : told(done.error());
                            }});
}

void World::change_loop(Key instance) {
  const auto rows = index_->elements(instance);
  if (!rows) return;
  Key body = Key::none;
  Key iteration = Key::none;
  for (const store::ElementRow& row : *rows) {
    if (row.body) body = row.key;
    if (row.iteration != 0) iteration = row.key;
  }
  if (body == Key::none) return;
  const unsigned what = dice_.below(6);
  // One of the two is refused: nobody here knows what the loop goes by.
  engine::Command command = engine::AddIterations{.body = body, .count = 2};
  if (dice_.chance(50)) command = engine::AddIterations{.body = body, .items = Value::list({7, 8})};
  if (what < 2 && iteration != Key::none) {
    command = engine::RemoveIteration{iteration, what == 0};
  } else if (what == 2) {
    command = engine::EndLoop{body, dice_.chance(50)};
  }
  const std::size_t place = note({.what = "loop", .key = instance});
  node_->ask(CommandRequest{.target = instance,
                            .command = std::move(command),
                            .reply = [this, place, when = incarnation_](Result<Done> done) {
                              if (when != incarnation_) return;
                              asked_[place].told = done ? Told::yes : told(done.error());
                            }});
}

std::vector<Key> World::active_instances() {
  std::vector<Key> keys;
  const auto rows = index_->instances({.state = store::InstanceState::active, .limit = 50});
  if (rows) {
    for (const auto& row : *rows) keys.push_back(row.key);
  }
  return keys;
}

// --- workers ------------------------------------------------------------------------------------

void World::work() {
  const Faults& faults = setting_.faults;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (held_[i].answer_at > clock_.now()) continue;
    HeldJob held = std::move(held_[i]);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    if (--held.answers > 0) held_.push_back(held);
    return answer(std::move(held));
  }
  const auto types = index_->offerable_types();
  if (!types || types->empty()) return;
  const std::string type = (*types)[dice_.below(types->size())];
  node_->ask(ActivateRequest{
      .type = type,
      .most = 1 + dice_.below(5),
      .lease = Millis(10'000),
      .reply = [this, &faults, when = incarnation_](Result<std::vector<ActivatedJob>> jobs) {
        if (when != incarnation_ || !jobs) return;
        for (ActivatedJob& job : *jobs) {
          newest_fence_[job.key] = std::max(newest_fence_[job.key], job.fence);
          if (faults_on_ && dice_.chance(faults.silent_worker_percent)) continue;
          HeldJob held{.job = std::move(job), .answer_at = clock_.now()};
          if (faults_on_ && dice_.chance(faults.late_worker_percent)) {
            held.answer_at += Millis(dice_.below(30'000));
          }
          if (faults_on_ && dice_.chance(faults.twice_worker_percent)) held.answers = 2;
          held_.push_back(std::move(held));
        }
      }});
}

void World::answer(HeldJob held) {
  const bool fails = faults_on_ && dice_.chance(setting_.faults.failing_worker_percent);
  const Key job = held.job.key;
  const std::size_t place = note({.what = fails ? "fail" : "complete", .key = job});
  CommandRequest request{.target = job, .fence = held.job.fence};
  if (fails) {
    request.command = engine::FailJob{.job = job,
                                      .retries = held.job.retries - 1,
                                      .backoff = Millis(dice_.chance(50) ? 0 : 5'000),
                                      .message = "no"};
  } else {
    request.command = engine::CompleteJob{.job = job, .variables = {}};
  }
  const bool ends = !fails;
  request.reply = [this, place, ends, job, fence = held.job.fence,
                   when = incarnation_](Result<Done> done) {
    if (when != incarnation_) return;
    asked_[place].told = done ? Told::yes : told(done.error());
    if (done && ends && fence < newest_fence_[job]) {
      trouble_ = fmt::format("a late answer to job {} counted", number(job));
    }
  };
  node_->ask(std::move(request));
}

// --- healing ------------------------------------------------------------------------------------

void World::stop_faults() { faults_on_ = false; }

// Nothing fails any more: what is due has fired.
void World::check_timers() {
  const auto next = index_->timers_after({}, Key::none, 1);
  if (!next || next->empty() || !trouble_.empty()) return;
  const Millis late = clock_.now() - next->front().due;
  if (late > Millis(10'000)) {
    trouble_ = fmt::format("timer {} is {} ms late", number(next->front().key), late.count());
  }
}

void World::heal() {
  stop_faults();
  if (wants_crash_) crash();
  for (int round = 0; round < 400 && trouble_.empty(); ++round) {
    run_quietly();
    if (auto caught_up = node_->catch_up(); !caught_up) {
      trouble_ = "the index does not catch up: " + caught_up.error().text;
      return;
    }
    if (round > 1) check_timers();
    const auto active = index_->instances({.state = store::InstanceState::active});
    if (!active || active->empty()) return;
    for (int i = 0; i < 50; ++i) {
      work();
      run_quietly();
    }
    const auto subscriptions = index_->subscriptions();
    std::set<std::pair<std::string, std::string>> wanted;
    for (const auto& row : *subscriptions) {
      if (row.kind == engine::MailKind::signal) {
        if (wanted.emplace("signal " + row.name, "").second) signal(row.name);
      } else if (wanted.emplace(row.name, row.correlation).second) {
        publish(row.name, row.correlation, Millis(1'000));
      }
    }
    const auto incidents = index_->incidents(Key::none);
    for (const auto& row : *incidents) {
      if (row.job != Key::none) {
        node_->ask(CommandRequest{.target = row.job, .command = engine::UpdateRetries{row.job, 3}});
      }
      node_->ask(CommandRequest{.target = row.key, .command = engine::ResolveIncident{row.key}});
    }
    const auto next = index_->timers_after({}, Key::none, 1);
    const bool far = next && !next->empty() && next->front().due > clock_.now() + Millis(20'000);
    pass(far ? next->front().due - clock_.now() : Millis(20'000));
  }
}

}  // namespace pawl::testkit::sim

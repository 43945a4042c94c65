// SPDX-License-Identifier: Apache-2.0
#include "recorder.hpp"

#include <fstream>
#include <sstream>

#include "store/codec.hpp"
#include "store/journal/posix_files.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/memory/memory_index.hpp"
#include "value/json.hpp"

namespace pawl::replay {
namespace {

using namespace runtime;  // NOLINT: the recorder is a shell around it

template <class T>
T good(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text);
  return std::move(*result);
}
void good(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().text);
}

Value json(const std::string& text) { return good(parse_json(text)); }

// Keeps what the index has passed: a recording begins at the beginning.
class KeptJournal final : public store::Journal {
 public:
  explicit KeptJournal(std::unique_ptr<store::Journal> inner) : inner_(std::move(inner)) {}
  Result<Position> append(std::span<const std::string> records) override {
    return inner_->append(records);
  }
  Position last() const override { return inner_->last(); }
  Position first() const override { return inner_->first(); }
  Result<void> read(Position from,
                    const std::function<bool(Position, std::string_view)>& visit) const override {
    return inner_->read(from, visit);
  }
  Result<void> drop_through(Position) override { return {}; }
  std::string mended() const override { return inner_->mended(); }
  void prepare() override {}

 private:
  std::unique_ptr<store::Journal> inner_;
};

}  // namespace

Recorder::Recorder(const std::string& directory) {
  Stores stores;
  stores.files = good(store::PosixFiles::open(directory));
  stores.journal = std::make_unique<KeptJournal>(
      good(store::SegmentJournal::open(*stores.files, {.segment_bytes = 16u << 10, .spares = 0})));
  journal_ = stores.journal.get();
  stores.definitions = std::make_unique<Definitions>();
  Definitions* definitions = stores.definitions.get();
  auto index = std::make_unique<store::MemoryIndex>([definitions](Key key, ElementIndex element) {
    return definitions->element_id(key, element);
  });
  definitions->load_with([asked = index.get()](Key resource) { return asked->resource(resource); });
  stores.index = std::move(index);
  // Small, so that turns are cut and a circle ends soon.
  NodeOptions options{.steps_per_turn = 40, .seed = 1};
  options.allowance.steps = 100;
  node_ = good(Node::open(std::move(stores), clock_, options));
}

void Recorder::settle() {
  for (bool moved = true; moved;) {
    moved = node_->step_shard(0);
    moved |= node_->step_committer();
    moved |= node_->step_indexer();
  }
}

template <class Answer>
Reply<Answer> Recorder::must(Answer& answer, bool& done) {
  return [&](Result<Answer> result) {
    answer = good(std::move(result));
    done = true;
  };
}

const store::Index& Recorder::index() {
  good(node_->catch_up());
  return node_->index();
}

void Recorder::deploy(const std::filesystem::path& file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  deploy(file.filename().string(), content.str());
}

void Recorder::deploy(const std::string& name, const std::string& content) {
  Deployment deployed;
  bool done = false;
  DeployRequest request{.reply = must(deployed, done)};
  request.resources.push_back(good(read_resource(name, content)));
  begin(std::move(request));
  settle();
  if (!done) throw std::runtime_error("a deployment was not answered");
}

Key Recorder::start(const std::string& process, const std::string& id,
                    const std::string& variables) {
  Started started;
  bool done = false;
  begin(StartRequest{.definition = good(node_->definitions().latest(process)),
                     .variables = json(variables),
                     .id = id,
                     .business_id = "business " + id,
                     .reply = must(started, done)});
  settle();
  if (!done) throw std::runtime_error("a start was not answered");
  return started.instance;
}

void Recorder::command(Key target, engine::Command command) {
  Done answer;
  bool done = false;
  begin(
      CommandRequest{.target = target, .command = std::move(command), .reply = must(answer, done)});
  settle();
  if (!done) throw std::runtime_error("a command was not answered");
}

void Recorder::try_command(Key target, engine::Command command) {
  begin(CommandRequest{.target = target, .command = std::move(command)});
  settle();
}

std::vector<store::JobRow> Recorder::jobs_of(Key instance) {
  return good(
      index().jobs({.instance = instance, .availability = store::JobAvailability::activatable}));
}

store::JobRow Recorder::job_of(Key instance, const std::string& type) {
  store::JobQuery query{.type = type, .instance = instance, .limit = 1};
  if (instance == Key::none) query.availability = store::JobAvailability::activatable;
  const auto rows = good(index().jobs(query));
  if (rows.empty()) throw std::runtime_error("there is no job of type " + type);
  return rows.front();
}

void Recorder::complete(Key instance, const std::string& type, const std::string& variables) {
  const Key job = job_of(instance, type).key;
  command(job, engine::CompleteJob{.job = job, .variables = json(variables)});
}

void Recorder::fail_job(Key instance, const std::string& type, int retries, Millis backoff) {
  const Key job = job_of(instance, type).key;
  command(job, engine::FailJob{.job = job,
                               .retries = retries,
                               .backoff = backoff,
                               .message = "the worker said no",
                               .variables = json(R"({"tried": true})")});
}

void Recorder::throw_error(Key instance, const std::string& type, const std::string& code) {
  const Key job = job_of(instance, type).key;
  command(job, engine::ThrowError{
                   .job = job, .code = code, .message = "thrown", .variables = json("{}")});
}

void Recorder::set(Key instance, const std::string& variables) {
  command(instance, engine::SetVariables{.scope = instance, .variables = json(variables)});
}

void Recorder::resolve(Key instance) {
  if (good(index().incidents(instance)).empty()) throw std::runtime_error("there is no incident");
  resolve_all(instance);
}

void Recorder::resolve_all(Key instance) {
  for (const store::IncidentRow& row : good(index().incidents(instance))) {
    if (row.job != Key::none) try_command(row.job, engine::UpdateRetries{row.job, 1});
    try_command(row.key, engine::ResolveIncident{row.key});
  }
}

void Recorder::publish(PublishRequest request) {
  Published published;
  bool done = false;
  request.reply = must(published, done);
  begin(std::move(request));
  settle();
  if (!done) throw std::runtime_error("a message was not answered");
}

void Recorder::signal(const std::string& name, const std::string& variables) {
  Published published;
  bool done = false;
  begin(SignalRequest{.name = name, .variables = json(variables), .reply = must(published, done)});
  settle();
  if (!done) throw std::runtime_error("a signal was not answered");
}

void Recorder::pass(Millis time) {
  clock_.advance(time);
  settle();
}

Key Recorder::body_of(Key instance, const std::string& element) {
  for (const store::ElementRow& row : good(index().elements(instance))) {
    if (row.body && row.element_id == element) return row.key;
  }
  throw std::runtime_error("there is no loop " + element);
}

Key Recorder::iteration_of(Key instance, const std::string& element) {
  for (const store::ElementRow& row : good(index().elements(instance))) {
    if (!row.body && row.element_id == element) return row.key;
  }
  throw std::runtime_error("there is no iteration of " + element);
}

void Recorder::migrate(Key instance, const std::string& process) {
  Done answer;
  bool done = false;
  begin(MigrateRequest{.instance = instance,
                       .target = good(node_->definitions().latest(process)),
                       .same_ids = true,
                       .reply = must(answer, done)});
  settle();
  if (!done) throw std::runtime_error("a migration was not answered");
}

// A turn that stopped half way: the next start goes on with it.
void Recorder::append_cut_start(const std::string& process, const std::string& id,
                                std::size_t steps) {
  next_key_ = good(index().next_key(0));
  const DefinitionPtr definition = good(node_->definitions().latest(process));
  const Key instance = key_from(next_key_++);
  engine::Instance state(definition->process);
  auto turn = good(engine::take_turn(
      state, engine::StartInstance{.instance = instance, .definition = definition->key, .id = id},
      {.now = clock_.now(), .next_key = next_key_, .max_steps = steps}));
  if (!turn.more) throw std::runtime_error("the turn was not cut");
  next_key_ = turn.next_key;
  append({.instance = instance, .execution = 1, .more = true, .events = std::move(turn.events)});
}

void Recorder::append_work_set_aside(Key instance) {
  const auto aside = [&] {
    return store::WorkSetAside{.key = key_from(next_key_++),
                               .instance = instance,
                               .work = "command",
                               .reason = "a mistake",
                               .at = clock_.now()};
  };
  const store::WorkSetAside resumed = aside();
  const store::WorkSetAside open = aside();
  append({.notices = {resumed, open, store::WorkResumed{resumed.key}}});
}

void Recorder::append(store::Record record) {
  record.at = clock_.now();
  record.next_key = next_key_;
  const std::string bytes = *store::encode(record);
  static_cast<void>(good(journal_->append(std::span(&bytes, 1))));
}

}  // namespace pawl::replay

// SPDX-License-Identifier: Apache-2.0
#include "embed/job_worker.hpp"

#include <algorithm>

#include "model/headers.hpp"
#include "pawl/failure.hpp"
#include "value/json.hpp"

namespace pawl::embed {

using runtime::ActivatedJob;

namespace {

// Several shards serve one stream and each takes all of its credit for a moment; one that came in
// that moment is asked again.
constexpr Millis ask_again_after{100};
constexpr std::size_t remembered_failures = 10'000;

WorkItem item_of(const ActivatedJob& job, std::shared_ptr<const std::atomic<bool>> gone) {
  const model::Element& element = job.definition->process->at(job.element);
  WorkItem item{.key = number(job.key),
                .type = job.type,
                .instance = number(job.instance),
                .process = job.definition->id,
                .element = element.id,
                .variables = to_json(job.variables),
                .details = to_json(job.details),
                .retries = job.retries,
                .deadline = job.deadline,
                .gone = std::move(gone)};
  const model::Headers& headers = model::headers_of(element);
  item.headers.insert(headers.begin(), headers.end());
  return item;
}

}  // namespace

JobWorker::JobWorker(runtime::Node& node, Handler handler, WorkerOptions options)
    : node_(node), handler_(std::move(handler)), options_(options) {}

std::shared_ptr<JobWorker> JobWorker::start(runtime::Node& node, std::string type, Handler handler,
                                            WorkerOptions options) {
  std::shared_ptr<JobWorker> worker(new JobWorker(node, std::move(handler), options));
  worker->begin(std::move(type));
  return worker;
}

void JobWorker::begin(std::string type) {
  stream_->type = std::move(type);
  stream_->lease = options_.lease;
  stream_->credit = std::max(options_.max_active, 1u);
  stream_->push = [self = weak_from_this()](std::vector<ActivatedJob> jobs) {
    if (const auto worker = self.lock()) worker->push(std::move(jobs));
  };
  watch_ = node_.watch(
      [this](const runtime::RecordPtr& record, store::Position) { note_cancelled(*record); });
  for (unsigned i = 0; i < std::max(options_.threads, 1u); ++i) {
    threads_.emplace_back([this] { run(); });
  }
  ask_again();
}

void JobWorker::ask_again() { node_.ask(runtime::StreamRequest{stream_}); }

// On a thread of the runtime: it must not wait.
void JobWorker::push(std::vector<ActivatedJob> jobs) {
  bool late = false;
  {
    const std::lock_guard lock(mutex_);
    late = closed_;
    for (ActivatedJob& job : jobs) {
      if (!late) queue_.push_back(std::move(job));
    }
  }
  if (!late) return changed_.notify_all();
  for (const ActivatedJob& job : jobs) node_.ask(runtime::ReturnJobRequest{job.key, job.fence});
}

void JobWorker::note_cancelled(const store::Record& record) {
  for (const engine::Event& event : record.events) {
    const auto* canceled = std::get_if<engine::JobCanceled>(&event);
    if (!canceled) continue;
    const std::lock_guard lock(mutex_);
    const auto found = running_.find(canceled->key);
    if (found != running_.end()) *found->second = true;
  }
}

// False: the worker closes.
bool JobWorker::take(ActivatedJob& job) {
  std::unique_lock lock(mutex_);
  while (queue_.empty() && !closed_) {
    const bool woken =
        changed_.wait_for(lock, ask_again_after, [&] { return closed_ || !queue_.empty(); });
    if (woken || node_.shards() == 1 || stream_->credit <= 0) continue;
    lock.unlock();
    ask_again();
    lock.lock();
  }
  if (closed_) return false;
  job = std::move(queue_.front());
  queue_.pop_front();
  running_[job.key] = std::make_shared<std::atomic<bool>>(false);
  return true;
}

void JobWorker::run() {
  ActivatedJob job;
  while (take(job)) do_job(job);
}

void JobWorker::do_job(const ActivatedJob& job) {
  Gone gone;
  {
    const std::lock_guard lock(mutex_);
    gone = running_[job.key];
  }
  engine::Command command = outcome_of(job, item_of(job, gone));
  {
    const std::lock_guard lock(mutex_);
    running_.erase(job.key);
  }
  answer(job, std::move(command));
}

engine::Command JobWorker::outcome_of(const ActivatedJob& job, const WorkItem& item) {
  try {
    const auto variables = parse_json_object(handler_(item));
    if (variables) {
      const std::lock_guard lock(mutex_);
      failures_.erase(job.key);
      return engine::CompleteJob{job.key, *variables};
    }
    return failed(job, "the handler's result is no JSON object: " + variables.error().text);
  } catch (const BpmnError& error) {
    const auto variables = parse_json_object(error.variables());
    if (!variables) return failed(job, "the error's variables are no JSON object");
    return engine::ThrowError{job.key, error.code(), error.what(), *variables};
  } catch (const std::exception& error) {
    return failed(job, error.what());
  } catch (...) {
    return failed(job, "the handler threw something that is no std::exception");
  }
}

// The pause doubles with each failure in a row; half of it is chance, so that what failed together
// does not come back together.
engine::Command JobWorker::failed(const ActivatedJob& job, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (failures_.size() > remembered_failures) failures_.clear();
  const int before = std::min(failures_[job.key]++, 30);
  const std::int64_t pause = std::min<std::int64_t>(options_.first_pause.count() << before,
                                                    options_.longest_pause.count());
  std::uniform_int_distribution<std::int64_t> chance(0, std::max<std::int64_t>(pause / 2, 0));
  return engine::FailJob{.job = job.key,
                         .retries = std::max(job.retries - 1, 0),
                         .backoff = Millis(pause - chance(random_)),
                         .message = why};
}

// A refused answer needs nothing more: the job has ended, or somebody else has it. One that could
// not be stored is offered again by the runtime.
void JobWorker::answer(const ActivatedJob& job, engine::Command command) {
  node_.ask(runtime::CommandRequest{.target = job.key,
                                    .command = std::move(command),
                                    .reply =
                                        [self = weak_from_this()](Result<runtime::Done>) {
                                          if (const auto worker = self.lock())
                                            worker->give_credit();
                                        },
                                    .fence = job.fence});
}

void JobWorker::give_credit() {
  if (++stream_->credit <= 1 || node_.shards() > 1) ask_again();
}

void JobWorker::close() {
  std::deque<ActivatedJob> unbegun;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = true;
    unbegun.swap(queue_);
  }
  stream_->closed = true;
  changed_.notify_all();
  for (const ActivatedJob& job : unbegun) node_.ask(runtime::ReturnJobRequest{job.key, job.fence});
  for (std::thread& thread : threads_) thread.join();
  node_.unwatch(watch_);
}

}  // namespace pawl::embed

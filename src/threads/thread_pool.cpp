#include "trueasync/thread_pool.hpp"

#include <algorithm>

#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"
#include "threads/thread_pool_core.hpp"

namespace trueasync {

namespace detail {

// Fires when a job that found the queue full has a place; never counts as its end.
class QueueSpaceEvent final : public RemoteEvent {
 public:
  explicit QueueSpaceEvent(InboxReceiver& port) noexcept : RemoteEvent(port) {}
  std::string describe() const override { return "room in the queue of a thread pool"; }
};

class JobEvent final : public RemoteEvent {
 public:
  JobEvent(InboxReceiver& port, std::shared_ptr<ThreadPoolCore> core, SubmitOptions options,
           SourceLocation location) noexcept
      : RemoteEvent(port), core_(std::move(core)), options_(options), location_(location) {}
  std::string describe() const override { return "a job submitted at " + format_location(location_); }

  void attach(std::shared_ptr<ThreadPoolJob> job) noexcept { job_ = std::move(job); }
  void wait_for_room(Ref<QueueSpaceEvent> admission) noexcept { admission_ = std::move(admission); }
  bool cancel() noexcept {
    mark_error_observed();  // nobody wants to know any more
    if (is_done() || !core_->cancel(*job_)) return false;
    settle_cancelled();
    return true;
  }
  void on_parcel(ThreadPoolJob& job) noexcept {
    if (admission_) std::exchange(admission_, nullptr)->settle(nullptr);
    if (job.state == ThreadPoolJob::State::finished) settle(job.call->error());
    if (job.state == ThreadPoolJob::State::cancelled) settle_cancelled();
  }

 protected:
  ~JobEvent() override {
    if (job_) job_->job_event = nullptr;
  }
  // CA-09: whoever awaited it has left.
  void on_stop() noexcept override {
    RemoteEvent::on_stop();
    if (options_.on_abandoned == OnAbandoned::cancel && !is_done() && !is_closed()) cancel();
  }

 private:
  std::shared_ptr<ThreadPoolCore> core_;
  std::shared_ptr<ThreadPoolJob> job_;
  Ref<QueueSpaceEvent> admission_;
  SubmitOptions options_;
  SourceLocation location_;
};

void ThreadPoolJob::deliver() noexcept {
  if (!job_event) return;
  Ref<JobEvent> hold(job_event);
  hold->on_parcel(*this);
}

bool cancel_job(Event& job) noexcept {
  Ref<Event> hold(&job);
  return static_cast<JobEvent&>(job).cancel();
}

namespace {

class Idle final : public RemoteEvent {
 public:
  explicit Idle(InboxReceiver& port) noexcept : RemoteEvent(port) {}
  std::string describe() const override { return "a thread pool with nothing to do"; }
};

class IdleParcel final : public InboxMessage {
 public:
  explicit IdleParcel(Idle& idle) noexcept : idle_(idle) {}
  void deliver() noexcept override { idle_.settle(nullptr); }

 private:
  Idle& idle_;
};

}  // namespace

}  // namespace detail

ThreadPoolClosedError::~ThreadPoolClosedError() = default;

ThreadPool::ThreadPool(ThreadPoolOptions options) {
  const unsigned workers = options.workers ? options.workers : std::max(1u, std::thread::hardware_concurrency());
  core_ = std::make_shared<detail::ThreadPoolCore>(options.queue_capacity ? options.queue_capacity
                                                                          : std::size_t{4} * workers);
  core_->start(core_, workers);
}

ThreadPool::~ThreadPool() {
  core_->cancel_all();
  core_->join();
}

Ref<Event> ThreadPool::submit_call(std::shared_ptr<detail::RemoteCall> call, SubmitOptions options, WaitOptions wait,
                                   SourceLocation location) {
  detail::InboxReceiver& port = detail::InboxReceiver::of(detail::require_scheduler("ThreadPool::submit").reactor());
  auto event = Ref<detail::JobEvent>::adopt(new detail::JobEvent(port, core_, options, location));
  auto job = std::make_shared<detail::ThreadPoolJob>(std::move(call), port.inbox(), *event);
  event->attach(job);
  if (!core_->add(job)) {
    event->settle_cancelled();
    throw ThreadPoolClosedError("this thread pool takes no more jobs: it was closed");
  }
  if (job->state != detail::ThreadPoolJob::State::submit_blocked) return event;
  // A parcel that is on its way already arrives in a later turn of the loop: nothing is missed here.
  auto admission = Ref<detail::QueueSpaceEvent>::adopt(new detail::QueueSpaceEvent(port));
  event->wait_for_room(admission);
  try {
    detail::join_remote(*admission, wait, location);
  } catch (...) {
    admission->settle_cancelled();
    event->cancel();  // R1: the place, if it has one by now, goes to the next
    throw;
  }
  return event;
}

void ThreadPool::close() noexcept { core_->close(); }

void ThreadPool::cancel() noexcept { core_->cancel_all(); }

void ThreadPool::drain(WaitOptions options, SourceLocation location) {
  detail::InboxReceiver& port = detail::InboxReceiver::of(detail::require_scheduler("ThreadPool::drain").reactor());
  auto idle = Ref<detail::Idle>::adopt(new detail::Idle(port));
  core_->post_when_idle(port.inbox(), std::make_shared<detail::IdleParcel>(*idle));
  detail::join_remote(*idle, options, location);
}

unsigned ThreadPool::workers() const noexcept { return core_->alive(); }
std::size_t ThreadPool::queued() const noexcept { return core_->queued(); }
std::size_t ThreadPool::running() const noexcept { return core_->running(); }

}  // namespace trueasync

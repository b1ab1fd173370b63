#include "trueasync/threads/thread_pool.hpp"

#include <algorithm>

#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"
#include "threads/thread_pool_core.hpp"

namespace trueasync {

namespace detail {

// QueueSpaceEvent: a submitter waits here while the queue is full. Fires when its job is queued, or cancelled.
class QueueSpaceEvent final : public RemoteEvent {
 public:
  explicit QueueSpaceEvent(InboxReceiver& receiver) noexcept : RemoteEvent(receiver) {}
  std::string describe() const override { return "space in the queue of a thread pool"; }
};

class JobEvent final : public RemoteEvent {
 public:
  JobEvent(InboxReceiver& receiver, std::shared_ptr<ThreadPoolCore> core, SubmitOptions options,
           SourceLocation location) noexcept
      : RemoteEvent(receiver), core_(std::move(core)), options_(options), location_(location) {}
  std::string describe() const override { return "a job submitted at " + format_location(location_); }

  void attach(std::shared_ptr<ThreadPoolJob> job) noexcept { job_ = std::move(job); }
  void set_queue_space(Ref<QueueSpaceEvent> event) noexcept { queue_space_ = std::move(event); }
  bool cancel() noexcept {
    mark_error_observed();  // the error of a cancelled job is not an unhandled error
    if (is_done() || !core_->cancel(*job_)) return false;
    settle_cancelled();
    return true;
  }
  void on_state_change(ThreadPoolJob& job) noexcept {
    if (queue_space_) std::exchange(queue_space_, nullptr)->settle(nullptr);
    if (job.state == ThreadPoolJob::State::finished) settle(job.call->error());
    if (job.state == ThreadPoolJob::State::cancelled) settle_cancelled();
  }

 protected:
  ~JobEvent() override {
    if (job_) job_->job_event = nullptr;
  }
  // The last awaiter was interrupted.
  void on_stop() noexcept override {
    RemoteEvent::on_stop();
    if (options_.on_abandoned == OnAbandoned::cancel && !is_done() && !is_closed()) cancel();
  }

 private:
  std::shared_ptr<ThreadPoolCore> core_;
  std::shared_ptr<ThreadPoolJob> job_;
  Ref<QueueSpaceEvent> queue_space_;
  SubmitOptions options_;
  SourceLocation location_;
};

void ThreadPoolJob::deliver() noexcept {
  if (!job_event) return;
  Ref<JobEvent> keep_alive(job_event);
  keep_alive->on_state_change(*this);
}

bool cancel_job(Event& job) noexcept {
  Ref<Event> keep_alive(&job);
  return static_cast<JobEvent&>(job).cancel();
}

namespace {

class IdleEvent final : public RemoteEvent {
 public:
  explicit IdleEvent(InboxReceiver& receiver) noexcept : RemoteEvent(receiver) {}
  std::string describe() const override { return "a thread pool to become idle"; }
};

class IdleMessage final : public InboxMessage {
 public:
  explicit IdleMessage(IdleEvent& event) noexcept : event_(event) {}
  void deliver() noexcept override { event_.settle(nullptr); }

 private:
  IdleEvent& event_;
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
  detail::InboxReceiver& receiver =
      detail::InboxReceiver::of(detail::require_scheduler("ThreadPool::submit").reactor());
  auto event = Ref<detail::JobEvent>::adopt(new detail::JobEvent(receiver, core_, options, location));
  auto job = std::make_shared<detail::ThreadPoolJob>(std::move(call), receiver.inbox(), *event);
  event->attach(job);
  if (!core_->add(job)) {
    event->settle_cancelled();
    throw ThreadPoolClosedError("ThreadPool::submit: the pool is closed");
  }
  if (job->state != detail::ThreadPoolJob::State::submit_blocked) return event;
  // A message that is already posted is delivered in a later loop iteration, so it cannot be missed here.
  auto queue_space = Ref<detail::QueueSpaceEvent>::adopt(new detail::QueueSpaceEvent(receiver));
  event->set_queue_space(queue_space);
  try {
    detail::join_remote(*queue_space, wait, location);
  } catch (...) {
    queue_space->settle_cancelled();
    event->cancel();  // if the job was queued concurrently, its position goes to the next blocked job
    throw;
  }
  return event;
}

void ThreadPool::close() noexcept { core_->close(); }

void ThreadPool::cancel() noexcept { core_->cancel_all(); }

void ThreadPool::drain(WaitOptions options, SourceLocation location) {
  detail::InboxReceiver& receiver = detail::InboxReceiver::of(detail::require_scheduler("ThreadPool::drain").reactor());
  auto idle = Ref<detail::IdleEvent>::adopt(new detail::IdleEvent(receiver));
  core_->post_when_idle(receiver.inbox(), std::make_shared<detail::IdleMessage>(*idle));
  detail::join_remote(*idle, options, location);
}

unsigned ThreadPool::workers() const noexcept { return core_->live_workers(); }
std::size_t ThreadPool::queued() const noexcept { return core_->queued(); }
std::size_t ThreadPool::running() const noexcept { return core_->running(); }

}  // namespace trueasync

#include "trueasync/thread_pool.hpp"

#include <algorithm>

#include "scheduler/face.hpp"
#include "scheduler/report.hpp"
#include "threads/pool_core.hpp"

namespace trueasync {

namespace detail {

// Fires when a job that found the queue full has a place; never counts as its end.
class Admission final : public RemoteEvent {
 public:
  explicit Admission(InboxPort& port) noexcept : RemoteEvent(port) {}
  std::string describe() const override { return "room in the queue of a thread pool"; }
};

class JobEvent final : public RemoteEvent {
 public:
  JobEvent(InboxPort& port, std::shared_ptr<PoolCore> core, SubmitOptions options, Place place) noexcept
      : RemoteEvent(port), core_(std::move(core)), options_(options), place_(place) {}
  std::string describe() const override { return "a job submitted at " + place_text(place_); }

  void attach(std::shared_ptr<PoolJob> job) noexcept { job_ = std::move(job); }
  void wait_for_room(Ref<Admission> admission) noexcept { admission_ = std::move(admission); }
  bool cancel() noexcept {
    error_taken();  // nobody wants to know any more
    if (is_done() || !core_->cancel(*job_)) return false;
    settle_cancelled();
    return true;
  }
  void on_parcel(PoolJob& job) noexcept {
    if (admission_) std::exchange(admission_, nullptr)->settle(nullptr);
    if (job.state == PoolJob::State::over) settle(job.call->error());
    if (job.state == PoolJob::State::cancelled) settle_cancelled();
  }

 protected:
  ~JobEvent() override {
    if (job_) job_->home = nullptr;
  }
  // CA-09: whoever awaited it has left.
  void on_stop() noexcept override {
    RemoteEvent::on_stop();
    if (options_.fate == WhenNobodyAwaits::cancel && !is_done() && !is_closed()) cancel();
  }

 private:
  std::shared_ptr<PoolCore> core_;
  std::shared_ptr<PoolJob> job_;
  Ref<Admission> admission_;
  SubmitOptions options_;
  Place place_;
};

void PoolJob::arrive() noexcept {
  if (!home) return;
  Ref<JobEvent> hold(home);
  hold->on_parcel(*this);
}

bool cancel_job(Event& job) noexcept {
  Ref<Event> hold(&job);
  return static_cast<JobEvent&>(job).cancel();
}

namespace {

class Idle final : public RemoteEvent {
 public:
  explicit Idle(InboxPort& port) noexcept : RemoteEvent(port) {}
  std::string describe() const override { return "a thread pool with nothing to do"; }
};

class IdleParcel final : public Parcel {
 public:
  explicit IdleParcel(Idle& idle) noexcept : idle_(idle) {}
  void arrive() noexcept override { idle_.settle(nullptr); }

 private:
  Idle& idle_;
};

}  // namespace

}  // namespace detail

PoolClosedError::~PoolClosedError() = default;

ThreadPool::ThreadPool(ThreadPoolOptions options) {
  const unsigned workers = options.workers ? options.workers : std::max(1u, std::thread::hardware_concurrency());
  core_ = std::make_shared<detail::PoolCore>(options.queue ? options.queue : std::size_t{4} * workers);
  core_->start(core_, workers);
}

ThreadPool::~ThreadPool() {
  core_->cancel_all();
  core_->join();
}

Ref<Event> ThreadPool::submit_call(std::shared_ptr<detail::RemoteCall> call, SubmitOptions options, Place place) {
  detail::InboxPort& port = detail::InboxPort::of(detail::this_scheduler("ThreadPool::submit").reactor());
  auto event = Ref<detail::JobEvent>::adopt(new detail::JobEvent(port, core_, options, place));
  auto job = std::make_shared<detail::PoolJob>(std::move(call), port.inbox(), *event);
  event->attach(job);
  if (!core_->add(job)) {
    event->settle_cancelled();
    throw PoolClosedError("this thread pool takes no more jobs: it was closed");
  }
  if (job->state != detail::PoolJob::State::held) return event;
  // A parcel that is on its way already arrives in a later turn of the loop: nothing is missed here.
  auto admission = Ref<detail::Admission>::adopt(new detail::Admission(port));
  event->wait_for_room(admission);
  try {
    detail::join_remote(*admission, nullptr, place);
  } catch (...) {
    admission->settle_cancelled();
    event->cancel();  // R1: the place, if it has one by now, goes to the next
    throw;
  }
  return event;
}

void ThreadPool::close() noexcept { core_->close(); }

void ThreadPool::cancel() noexcept { core_->cancel_all(); }

void ThreadPool::drain(Place place) {
  detail::InboxPort& port = detail::InboxPort::of(detail::this_scheduler("ThreadPool::drain").reactor());
  auto idle = Ref<detail::Idle>::adopt(new detail::Idle(port));
  core_->when_idle(port.inbox(), std::make_shared<detail::IdleParcel>(*idle));
  detail::join_remote(*idle, nullptr, place);
}

unsigned ThreadPool::workers() const noexcept { return core_->alive(); }
std::size_t ThreadPool::queued() const noexcept { return core_->queued(); }
std::size_t ThreadPool::running() const noexcept { return core_->running(); }

}  // namespace trueasync

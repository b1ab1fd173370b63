#include "interpose/helper_threads.hpp"

#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <deque>
#include <thread>

namespace trueasync::detail::interpose {

namespace {

constexpr std::chrono::seconds kMaxIdleTime{5};

class HelperEvent final : public RemoteEvent {
 public:
  HelperEvent(InboxReceiver& receiver, const char* call) noexcept : RemoteEvent(receiver), call_(call) {}
  std::string describe() const override { return std::string(call_) + " on a worker thread"; }

 private:
  const char* call_;
};

// The job queue and the threads of one family.
class HelperPool {
 public:
  explicit HelperPool(unsigned max_threads) noexcept : max_threads_(max_threads) {}

  void submit(std::shared_ptr<HelperJob> job) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(job));
    if (idle_ >= queue_.size() || threads_ == max_threads_) {
      job_available_.notify_one();
      return;
    }
    try {
      start_thread();
    } catch (...) {
      if (threads_ != 0) return;  // a running thread will take the job
      queue_.pop_back();
      throw;
    }
  }

 private:
  void start_thread() {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    struct Restore {
      sigset_t& mask;
      ~Restore() { ::pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
    } restore{before};
    std::thread([this] { run_jobs(); }).detach();
    ++threads_;
  }

  void run_jobs() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      const bool has_job = job_available_.wait_for(lock, kMaxIdleTime, [this] { return !queue_.empty(); });
      --idle_;
      if (!has_job) break;
      const std::shared_ptr<HelperJob> job = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      job->run_and_post();
      lock.lock();
    }
    --threads_;
  }

  std::mutex mutex_;
  std::condition_variable job_available_;
  std::deque<std::shared_ptr<HelperJob>> queue_;
  std::size_t idle_ = 0;
  unsigned threads_ = 0;
  unsigned max_threads_;
};

struct HelperPools {
  const int process = ::getpid();
  HelperPool lookup{16};
  HelperPool process_waits{64};
};

// Never destroyed, because a thread may block in a call indefinitely. The child of a fork has no threads and gets new
// pools.
HelperPool& helper_pool(HelperFamily family) {
  static std::mutex mutex;
  static HelperPools* pools = nullptr;
  const std::lock_guard lock(mutex);
  if (!pools || pools->process != ::getpid()) pools = new HelperPools;
  return family == HelperFamily::lookup ? pools->lookup : pools->process_waits;
}

}  // namespace

void HelperJob::run_and_post() noexcept {
  errno = 0;
  if (always_runs() || !abandoned_.load(std::memory_order_relaxed)) run();
  error_ = errno;
  if (!inbox_) return;
  try {
    inbox_->post(shared_from_this());
  } catch (...) {
    std::terminate();  // the waiter would never be woken
  }
}

void HelperJob::deliver() noexcept {
  if (RemoteEvent* event = std::exchange(event_, nullptr)) event->settle(nullptr);
}

// Submits a job without a waiter. Only a job that always_runs() is started.
WaitResult submit_detached(HelperFamily family, const std::shared_ptr<HelperJob>& job) noexcept {
  const ErrnoGuard errno_guard;
  try {
    if (job->always_runs()) helper_pool(family).submit(job);
  } catch (...) {
    return WaitResult::unsupported;
  }
  errno_guard.restore();
  return WaitResult::interrupted;
}

WaitResult run_on_helper(Scheduler& scheduler, const char* call, HelperFamily family,
                         const std::shared_ptr<HelperJob>& job) noexcept {
  if (fail_if_interrupting(scheduler)) return submit_detached(family, job);
  const ErrnoGuard errno_guard;
  try {
    InboxReceiver& receiver = InboxReceiver::of(scheduler.reactor());
    job->inbox_ = receiver.inbox();
    const auto event = Ref<HelperEvent>::adopt(new HelperEvent(receiver, call));
    job->event_ = event.get();
    try {
      helper_pool(family).submit(job);
    } catch (...) {
      event->settle(nullptr);
      return WaitResult::unsupported;
    }
    WaitEntry entry(*event);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    reset_call_budget();
    const WakeReason reason = scheduler.wait(request, call_location(call));
    if (reason == WakeReason::event) {
      errno_guard.restore();
      return WaitResult::ready;
    }
    job->abandoned_.store(true, std::memory_order_relaxed);
    return interrupt_call(scheduler, call, reason, std::move(request.error));
  } catch (...) {
    return WaitResult::unsupported;
  }
}

}  // namespace trueasync::detail::interpose

#include "interpose/helper_threads.hpp"

#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <deque>
#include <thread>

namespace trueasync::detail::interpose {

namespace {

constexpr std::chrono::seconds kIdleAtMost{5};

class HelperEvent final : public RemoteEvent {
 public:
  HelperEvent(InboxReceiver& port, const char* call) noexcept : RemoteEvent(port), call_(call) {}
  std::string describe() const override { return std::string(call_) + " on a thread"; }

 private:
  const char* call_;
};

// Jobs of one family, and the threads for them.
class Helpers {
 public:
  explicit Helpers(unsigned most) noexcept : most_(most) {}

  void submit(std::shared_ptr<HelperJob> job) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(job));
    if (idle_ >= queue_.size() || threads_ == most_) {
      work_there_.notify_one();
      return;
    }
    try {
      start_thread();
    } catch (...) {
      if (threads_ != 0) return;  // one of these will come to it
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
    std::thread([this] { work(); }).detach();
    ++threads_;
  }

  void work() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      const bool is_there = work_there_.wait_for(lock, kIdleAtMost, [this] { return !queue_.empty(); });
      --idle_;
      if (!is_there) break;
      const std::shared_ptr<HelperJob> job = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      job->run_and_post();
      lock.lock();
    }
    --threads_;
  }

  std::mutex mutex_;
  std::condition_variable work_there_;
  std::deque<std::shared_ptr<HelperJob>> queue_;
  std::size_t idle_ = 0;
  unsigned threads_ = 0;
  unsigned most_;
};

struct Families {
  const int process = ::getpid();
  Helpers lookup{16};
  Helpers processes{64};
};

// Never destroyed: a thread may hang in a call for ever. In the child of a fork there are no threads: it begins anew.
Helpers& helpers_of(HelperFamily family) {
  static std::mutex mutex;
  static Families* families = nullptr;
  const std::lock_guard lock(mutex);
  if (!families || families->process != ::getpid()) families = new Families;
  return family == HelperFamily::lookup ? families->lookup : families->processes;
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
    std::terminate();  // whoever waits would wait for ever
  }
}

void HelperJob::deliver() noexcept {
  if (RemoteEvent* home = std::exchange(event_, nullptr)) home->settle(nullptr);
}

// Nobody waits for it: it begins if somebody must do it.
WaitResult submit_detached(HelperFamily family, const std::shared_ptr<HelperJob>& job) noexcept {
  const ErrnoGuard kept;
  try {
    if (job->always_runs()) helpers_of(family).submit(job);
  } catch (...) {
    return WaitResult::unsupported;
  }
  kept.restore();
  return WaitResult::interrupted;
}

WaitResult run_on_helper(Scheduler& scheduler, const char* call, HelperFamily family,
                         const std::shared_ptr<HelperJob>& job) noexcept {
  if (fail_if_interrupting(scheduler)) return submit_detached(family, job);
  const ErrnoGuard kept;
  try {
    InboxReceiver& port = InboxReceiver::of(scheduler.reactor());
    job->inbox_ = port.inbox();
    const auto event = Ref<HelperEvent>::adopt(new HelperEvent(port, call));
    job->event_ = event.get();
    try {
      helpers_of(family).submit(job);
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
      kept.restore();
      return WaitResult::ready;
    }
    job->abandoned_.store(true, std::memory_order_relaxed);
    return interrupt_call(scheduler, call, reason, std::move(request.error));
  } catch (...) {
    return WaitResult::unsupported;
  }
}

}  // namespace trueasync::detail::interpose

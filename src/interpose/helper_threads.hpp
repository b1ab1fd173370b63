// Calls that can't be waited for in the loop, made by threads with a budget of their own: a dead name server must neither
// hold up file I/O nor the end of a process that somebody waits for.
//
// Owns: the threads, which come when needed and go when idle. A job owns all the memory its call works with, results
// included: whoever waits may leave, and it goes on (R2). Threads: run() on a helper, the rest on the scheduler's.
#pragma once

#include <atomic>
#include <memory>

#include "interpose/call_context.hpp"
#include "threads/inbox.hpp"

namespace trueasync::detail::interpose {

enum class HelperFamily : std::uint8_t { lookup, process };

class HelperJob : public InboxMessage, public std::enable_shared_from_this<HelperJob> {
 public:
  // On a helper's thread, which blocks all signals. errno is kept.
  virtual void run() noexcept = 0;
  int error() const noexcept { return error_; }

  void deliver() noexcept override;
  // For helpers. One that nobody waits for any more does not begin, unless it always_runs().
  void run_and_post() noexcept;

 protected:
  virtual bool always_runs() const noexcept { return false; }

 private:
  friend WaitResult submit_detached(HelperFamily, const std::shared_ptr<HelperJob>&) noexcept;
  friend WaitResult run_on_helper(Scheduler&, const char*, HelperFamily, const std::shared_ptr<HelperJob>&) noexcept;

  std::shared_ptr<Inbox> inbox_;  // none: nobody wants to know
  RemoteEvent* event_ = nullptr;
  std::atomic<bool> abandoned_{false};
  int error_ = 0;
};

// Suspends until the job is done: ready. ended: whoever waited was cancelled, or may not wait; a job that always_runs() runs
// all the same. impossible: no thread is to be had.
WaitResult run_on_helper(Scheduler& scheduler, const char* call, HelperFamily family,
                         const std::shared_ptr<HelperJob>& job) noexcept;

// A job made of a function object that keeps what it works with, and what it finds out.
template <class Call>
class CallJob final : public HelperJob {
 public:
  explicit CallJob(Call work) : call(std::move(work)) {}
  void run() noexcept override { call(); }
  Call call;

 protected:
  bool always_runs() const noexcept override {
    return requires { Call::kAlwaysRuns; };
  }
};

template <class Call>
std::shared_ptr<CallJob<Call>> make_job(Call call) {
  return std::make_shared<CallJob<Call>>(std::move(call));
}

}  // namespace trueasync::detail::interpose

// Helper threads: worker threads that run the blocking calls that the reactor cannot poll. Each family of calls has its
// own thread limit, so that an unresponsive name server delays neither file I/O nor waits for child processes.
//
// Ownership: threads start on demand and exit when idle. A job owns all memory that its call uses, including the
// results. An interrupted waiter therefore abandons the job, and the call continues safely.
// Thread safety: run() is called on a helper thread, everything else on the scheduler's thread.
#pragma once

#include <atomic>
#include <memory>

#include "interpose/call_context.hpp"
#include "threads/inbox.hpp"

namespace trueasync::detail::interpose {

enum class HelperFamily : std::uint8_t { lookup, process };

class HelperJob : public InboxMessage, public std::enable_shared_from_this<HelperJob> {
 public:
  // Runs on a helper thread with all signals blocked. error() returns its errno.
  virtual void run() noexcept = 0;
  int error() const noexcept { return error_; }

  void deliver() noexcept override;
  // Called by helper threads. Skips run() if the waiter abandoned the job, unless always_runs() is true.
  void run_and_post() noexcept;

 protected:
  virtual bool always_runs() const noexcept { return false; }

 private:
  friend WaitResult submit_detached(HelperFamily, const std::shared_ptr<HelperJob>&) noexcept;
  friend WaitResult run_on_helper(Scheduler&, const char*, HelperFamily, const std::shared_ptr<HelperJob>&) noexcept;

  std::shared_ptr<Inbox> inbox_;  // null: no coroutine waits for the job
  RemoteEvent* event_ = nullptr;
  std::atomic<bool> abandoned_{false};
  int error_ = 0;
};

// Suspends until the job is done (ready). interrupted: the wait was interrupted or could not start; a job that
// always_runs() runs nevertheless. unsupported: no thread could be started.
WaitResult run_on_helper(Scheduler& scheduler, const char* call, HelperFamily family,
                         const std::shared_ptr<HelperJob>& job) noexcept;

// CallJob: a job that runs a function object, which holds the arguments and the results.
template <class Call>
class CallJob final : public HelperJob {
 public:
  explicit CallJob(Call function) : call(std::move(function)) {}
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

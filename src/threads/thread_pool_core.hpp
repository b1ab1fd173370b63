// What a ThreadPool's handle, its workers and its jobs share: the queue and the lock.
//
// Where a job is, and what it waits for:
//   held      its submitter is suspended: the queue is full        → queued, or out (cancelled)
//   queued    a place in the queue                                  → running, or out (cancelled)
//   running   on a worker                                           → over
// Threads: every call from any thread; jobs come back to their runtime through its inbox.
#pragma once

#include <condition_variable>
#include <list>
#include <thread>

#include "threads/inbox.hpp"
#include "trueasync/detail/remote_call.hpp"

namespace trueasync::detail {

class JobEvent;
class ThreadPoolJob;
using JobList = std::list<std::shared_ptr<ThreadPoolJob>>;

class ThreadPoolJob final : public InboxMessage, public std::enable_shared_from_this<ThreadPoolJob> {
 public:
  enum class State : std::uint8_t { submit_blocked, queued, running, finished, cancelled };

  ThreadPoolJob(std::shared_ptr<RemoteCall> remote, std::shared_ptr<Inbox> home_inbox, JobEvent& event) noexcept
      : call(std::move(remote)), inbox(std::move(home_inbox)), job_event(&event) {}
  void deliver() noexcept override;
  void post_result() { inbox->post(shared_from_this()); }

  const std::shared_ptr<RemoteCall> call;
  const std::shared_ptr<Inbox> inbox;
  JobEvent* job_event;  // the runtime's thread only; null when it has gone: of a job two parcels may be on their way
  std::atomic<State> state{State::submit_blocked};  // changed under the pool's lock
  JobList::iterator place;
};

class ThreadPoolCore {
 public:
  explicit ThreadPoolCore(std::size_t queue_limit) noexcept : limit_(queue_limit) {}

  // Throws Error when not one thread can be had.
  void start(const std::shared_ptr<ThreadPoolCore>& self, unsigned workers);
  // False: the pool is closed, or nobody is left to do it (TH-02).
  bool add(const std::shared_ptr<ThreadPoolJob>& job);
  // True: it was still waiting and will never start.
  bool cancel(ThreadPoolJob& job);
  void close() noexcept;
  void cancel_all();
  void join() noexcept;
  // Posts the parcel when nothing is queued or running: perhaps at once.
  void post_when_idle(std::shared_ptr<Inbox> inbox, std::shared_ptr<InboxMessage> parcel);

  unsigned alive() const noexcept;
  std::size_t queued() const noexcept;
  std::size_t running() const noexcept;

 private:
  void work();
  void enqueue_next_blocked();
  void notify_if_idle();

  mutable std::mutex mutex_;
  std::condition_variable work_available_;
  JobList queue_;    // at most limit_
  JobList blocked_;  // beyond it, each with a suspended submitter
  JobList running_;
  std::vector<std::pair<std::shared_ptr<Inbox>, std::shared_ptr<InboxMessage>>> idle_waiters_;
  std::vector<std::thread> threads_;
  std::size_t limit_;
  unsigned alive_ = 0;
  bool closed_ = false;
};

}  // namespace trueasync::detail

// ThreadPoolCore: the state shared by a ThreadPool, its workers and its jobs: the queue and its lock.
//
// States of a job:
//   submit_blocked  the queue is full and the submitter is suspended  → queued or cancelled
//   queued          in the queue                                      → running or cancelled
//   running         on a worker                                       → finished
// A job is posted to the inbox of its runtime when it leaves submit_blocked, and when it is finished or cancelled by
// the pool.
//
// Thread safety: any thread.
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

// ThreadPoolJob: one submitted function. It is also the message that reports a change of its state to its runtime.
class ThreadPoolJob final : public InboxMessage, public std::enable_shared_from_this<ThreadPoolJob> {
 public:
  enum class State : std::uint8_t { submit_blocked, queued, running, finished, cancelled };

  ThreadPoolJob(std::shared_ptr<RemoteCall> function, std::shared_ptr<Inbox> runtime_inbox, JobEvent& event) noexcept
      : call(std::move(function)), inbox(std::move(runtime_inbox)), job_event(&event) {}
  void deliver() noexcept override;
  void post_state() { inbox->post(shared_from_this()); }

  const std::shared_ptr<RemoteCall> call;
  const std::shared_ptr<Inbox> inbox;
  // Used on the runtime's thread only. Null after the event is destroyed: the job may be posted twice, so a message can
  // arrive later.
  JobEvent* job_event;
  std::atomic<State> state{State::submit_blocked};  // changed under the pool's lock
  JobList::iterator position;                       // in the list of its state
};

class ThreadPoolCore {
 public:
  explicit ThreadPoolCore(std::size_t queue_capacity) noexcept : capacity_(queue_capacity) {}

  // Throws Error if no thread can be created. Fewer threads than requested are not an error.
  void start(const std::shared_ptr<ThreadPoolCore>& self, unsigned workers);
  // False if the pool is closed or has no workers.
  bool add(const std::shared_ptr<ThreadPoolJob>& job);
  // True if the job will never start. A running job is asked to stop.
  bool cancel(ThreadPoolJob& job);
  void close() noexcept;
  void cancel_all();
  void join() noexcept;
  // Posts the message as soon as no job is queued or running, immediately if that is so now.
  void post_when_idle(std::shared_ptr<Inbox> inbox, std::shared_ptr<InboxMessage> message);

  unsigned live_workers() const noexcept;
  std::size_t queued() const noexcept;
  std::size_t running() const noexcept;

 private:
  void work();
  void enqueue_next_blocked();
  void notify_if_idle();

  mutable std::mutex mutex_;
  std::condition_variable work_available_;
  JobList queue_;    // at most capacity_
  JobList blocked_;  // jobs beyond the capacity, each with a suspended submitter
  JobList running_;
  std::vector<std::pair<std::shared_ptr<Inbox>, std::shared_ptr<InboxMessage>>> idle_waiters_;
  std::vector<std::thread> threads_;
  std::size_t capacity_;
  unsigned live_workers_ = 0;
  bool closed_ = false;
};

}  // namespace trueasync::detail

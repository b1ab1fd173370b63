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
class PoolJob;
using JobList = std::list<std::shared_ptr<PoolJob>>;

class PoolJob final : public Parcel, public std::enable_shared_from_this<PoolJob> {
 public:
  enum class State : std::uint8_t { held, queued, running, over, cancelled };

  PoolJob(std::shared_ptr<RemoteCall> remote, std::shared_ptr<Inbox> home_inbox, JobEvent& event) noexcept
      : call(std::move(remote)), inbox(std::move(home_inbox)), home(&event) {}
  void arrive() noexcept override;
  void send_home() { inbox->post(shared_from_this()); }

  const std::shared_ptr<RemoteCall> call;
  const std::shared_ptr<Inbox> inbox;
  JobEvent* home;  // the runtime's thread only; null when it has gone: of a job two parcels may be on their way
  std::atomic<State> state{State::held};  // changed under the pool's lock
  JobList::iterator place;
};

class PoolCore {
 public:
  explicit PoolCore(std::size_t queue_limit) noexcept : limit_(queue_limit) {}

  // Throws Error when not one thread can be had.
  void start(const std::shared_ptr<PoolCore>& self, unsigned workers);
  // False: the pool is closed, or nobody is left to do it (TH-02).
  bool add(const std::shared_ptr<PoolJob>& job);
  // True: it was still waiting and will never start.
  bool cancel(PoolJob& job);
  void close() noexcept;
  void cancel_all();
  void join() noexcept;
  // Posts the parcel when nothing is queued or running: perhaps at once.
  void when_idle(std::shared_ptr<Inbox> inbox, std::shared_ptr<Parcel> parcel);

  unsigned alive() const noexcept;
  std::size_t queued() const noexcept;
  std::size_t running() const noexcept;

 private:
  void work();
  void admit_next();
  void tell_if_idle();

  mutable std::mutex mutex_;
  std::condition_variable work_there_;
  JobList queue_;  // at most limit_
  JobList held_;   // beyond it, each with a suspended submitter
  JobList running_;
  std::vector<std::pair<std::shared_ptr<Inbox>, std::shared_ptr<Parcel>>> idle_waiters_;
  std::vector<std::thread> threads_;
  std::size_t limit_;
  unsigned alive_ = 0;
  bool closed_ = false;
};

}  // namespace trueasync::detail

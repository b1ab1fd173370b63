#include "threads/thread_pool_core.hpp"

#include <system_error>

#include "trueasync/error.hpp"

namespace trueasync::detail {

using State = ThreadPoolJob::State;

void ThreadPoolCore::start(const std::shared_ptr<ThreadPoolCore>& self, unsigned workers) {
  const std::lock_guard lock(mutex_);
  try {
    for (unsigned i = 0; i < workers; ++i) {
      threads_.emplace_back([self] { self->work(); });
      ++live_workers_;
    }
  } catch (const std::system_error& error) {
    if (live_workers_ == 0) throw Error(std::string("ThreadPool: cannot create a thread: ") + error.what());
  }
}

void ThreadPoolCore::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_available_.wait(lock, [&] { return !queue_.empty() || closed_; });
    if (queue_.empty()) break;
    const std::shared_ptr<ThreadPoolJob> job = queue_.front();
    job->state = State::running;
    running_.splice(running_.end(), queue_, job->position);
    enqueue_next_blocked();
    lock.unlock();
    job->call->run();
    lock.lock();
    running_.erase(job->position);
    job->state = State::finished;
    job->post_state();
    notify_if_idle();
  }
  --live_workers_;
}

// Call after a job was removed from the queue: queues the oldest blocked job and wakes its submitter.
void ThreadPoolCore::enqueue_next_blocked() {
  if (blocked_.empty() || queue_.size() >= capacity_) return;
  const std::shared_ptr<ThreadPoolJob>& job = blocked_.front();
  job->state = State::queued;
  job->post_state();
  queue_.splice(queue_.end(), blocked_, job->position);
  work_available_.notify_one();
}

void ThreadPoolCore::notify_if_idle() {
  if (!queue_.empty() || !blocked_.empty() || !running_.empty()) return;
  for (auto& [inbox, message] : std::exchange(idle_waiters_, {})) inbox->post(std::move(message));
}

bool ThreadPoolCore::add(const std::shared_ptr<ThreadPoolJob>& job) {
  const std::lock_guard lock(mutex_);
  if (closed_ || live_workers_ == 0) return false;
  const bool has_space = blocked_.empty() && queue_.size() < capacity_;
  JobList& list = has_space ? queue_ : blocked_;
  job->position = list.insert(list.end(), job);
  job->state = has_space ? State::queued : State::submit_blocked;
  if (has_space) work_available_.notify_one();
  return true;
}

bool ThreadPoolCore::cancel(ThreadPoolJob& job) {
  std::shared_ptr<ThreadPoolJob> keep_alive = job.shared_from_this();
  State before;
  {
    const std::lock_guard lock(mutex_);
    before = job.state;
    if (before == State::queued) queue_.erase(job.position);
    if (before == State::submit_blocked) blocked_.erase(job.position);
    if (before == State::queued || before == State::submit_blocked) {
      job.state = State::cancelled;
      enqueue_next_blocked();
      notify_if_idle();
    }
  }
  switch (before) {
    case State::submit_blocked:
    case State::queued:
      job.call->drop_function();  // after the lock is released: destructors of captures are user code
      return true;
    case State::cancelled:  // the other canceller drops the function, perhaps concurrently
      return true;
    case State::running:
      job.call->request_stop();
      return false;
    case State::finished:
      return false;
  }
  return false;
}

void ThreadPoolCore::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  work_available_.notify_all();
}

void ThreadPoolCore::cancel_all() {
  JobList cancelled;
  JobList to_stop;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    cancelled.splice(cancelled.end(), queue_);
    cancelled.splice(cancelled.end(), blocked_);
    to_stop = running_;
    for (auto& job : cancelled) job->state = State::cancelled;
    notify_if_idle();
    work_available_.notify_all();
  }
  for (auto& job : cancelled) {
    job->call->drop_function();
    job->post_state();
  }
  for (auto& job : to_stop) job->call->request_stop();
}

void ThreadPoolCore::join() noexcept {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void ThreadPoolCore::post_when_idle(std::shared_ptr<Inbox> inbox, std::shared_ptr<InboxMessage> message) {
  const std::lock_guard lock(mutex_);
  idle_waiters_.emplace_back(std::move(inbox), std::move(message));
  notify_if_idle();
}

unsigned ThreadPoolCore::live_workers() const noexcept {
  const std::lock_guard lock(mutex_);
  return live_workers_;
}

std::size_t ThreadPoolCore::queued() const noexcept {
  const std::lock_guard lock(mutex_);
  return queue_.size() + blocked_.size();
}

std::size_t ThreadPoolCore::running() const noexcept {
  const std::lock_guard lock(mutex_);
  return running_.size();
}

}  // namespace trueasync::detail

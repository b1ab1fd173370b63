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
      ++alive_;
    }
  } catch (const std::system_error& error) {
    if (alive_ == 0) throw Error(std::string("can't start a thread pool: ") + error.what());
  }
}

void ThreadPoolCore::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_available_.wait(lock, [&] { return !queue_.empty() || closed_; });
    if (queue_.empty()) break;
    const std::shared_ptr<ThreadPoolJob> job = queue_.front();
    job->state = State::running;
    running_.splice(running_.end(), queue_, job->place);
    enqueue_next_blocked();
    lock.unlock();
    job->call->run();
    lock.lock();
    running_.erase(job->place);
    job->state = State::finished;
    job->post_result();
    notify_if_idle();
  }
  --alive_;
}

// A place has become free: the first of those who wait gets it, and its submitter goes on.
void ThreadPoolCore::enqueue_next_blocked() {
  if (blocked_.empty() || queue_.size() >= limit_) return;
  const std::shared_ptr<ThreadPoolJob>& job = blocked_.front();
  job->state = State::queued;
  job->post_result();
  queue_.splice(queue_.end(), blocked_, job->place);
  work_available_.notify_one();
}

void ThreadPoolCore::notify_if_idle() {
  if (!queue_.empty() || !blocked_.empty() || !running_.empty()) return;
  for (auto& [inbox, parcel] : std::exchange(idle_waiters_, {})) inbox->post(std::move(parcel));
}

bool ThreadPoolCore::add(const std::shared_ptr<ThreadPoolJob>& job) {
  const std::lock_guard lock(mutex_);
  if (closed_ || alive_ == 0) return false;
  const bool has_room = blocked_.empty() && queue_.size() < limit_;
  JobList& list = has_room ? queue_ : blocked_;
  job->place = list.insert(list.end(), job);
  job->state = has_room ? State::queued : State::submit_blocked;
  if (has_room) work_available_.notify_one();
  return true;
}

bool ThreadPoolCore::cancel(ThreadPoolJob& job) {
  std::shared_ptr<ThreadPoolJob> hold = job.shared_from_this();
  State before;
  {
    const std::lock_guard lock(mutex_);
    before = job.state;
    if (before == State::queued) queue_.erase(job.place);
    if (before == State::submit_blocked) blocked_.erase(job.place);
    if (before == State::queued || before == State::submit_blocked) {
      job.state = State::cancelled;
      enqueue_next_blocked();
      notify_if_idle();
    }
  }
  switch (before) {
    case State::submit_blocked:
    case State::queued:
      job.call->drop_function();  // what it holds goes here, not under the lock
      return true;
    case State::cancelled:  // whoever did that drops the function, perhaps right now
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
  JobList dropped;
  JobList asked;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    dropped.splice(dropped.end(), queue_);
    dropped.splice(dropped.end(), blocked_);
    asked = running_;
    for (auto& job : dropped) job->state = State::cancelled;
    notify_if_idle();
    work_available_.notify_all();
  }
  for (auto& job : dropped) {
    job->call->drop_function();
    job->post_result();
  }
  for (auto& job : asked) job->call->request_stop();
}

void ThreadPoolCore::join() noexcept {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void ThreadPoolCore::post_when_idle(std::shared_ptr<Inbox> inbox, std::shared_ptr<InboxMessage> parcel) {
  const std::lock_guard lock(mutex_);
  idle_waiters_.emplace_back(std::move(inbox), std::move(parcel));
  notify_if_idle();
}

unsigned ThreadPoolCore::alive() const noexcept {
  const std::lock_guard lock(mutex_);
  return alive_;
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

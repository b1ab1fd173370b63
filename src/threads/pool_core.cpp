#include "threads/pool_core.hpp"

#include <system_error>

#include "trueasync/error.hpp"

namespace trueasync::detail {

using State = PoolJob::State;

void PoolCore::start(const std::shared_ptr<PoolCore>& self, unsigned workers) {
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

void PoolCore::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_there_.wait(lock, [&] { return !queue_.empty() || closed_; });
    if (queue_.empty()) break;
    const std::shared_ptr<PoolJob> job = queue_.front();
    job->state = State::running;
    running_.splice(running_.end(), queue_, job->place);
    admit_next();
    lock.unlock();
    job->call->run();
    lock.lock();
    running_.erase(job->place);
    job->state = State::over;
    job->send_home();
    tell_if_idle();
  }
  --alive_;
}

// A place has become free: the first of those who wait gets it, and its submitter goes on.
void PoolCore::admit_next() {
  if (held_.empty() || queue_.size() >= limit_) return;
  const std::shared_ptr<PoolJob>& job = held_.front();
  job->state = State::queued;
  job->send_home();
  queue_.splice(queue_.end(), held_, job->place);
  work_there_.notify_one();
}

void PoolCore::tell_if_idle() {
  if (!queue_.empty() || !held_.empty() || !running_.empty()) return;
  for (auto& [inbox, parcel] : std::exchange(idle_waiters_, {})) inbox->post(std::move(parcel));
}

bool PoolCore::add(const std::shared_ptr<PoolJob>& job) {
  const std::lock_guard lock(mutex_);
  if (closed_ || alive_ == 0) return false;
  const bool has_room = held_.empty() && queue_.size() < limit_;
  JobList& list = has_room ? queue_ : held_;
  job->place = list.insert(list.end(), job);
  job->state = has_room ? State::queued : State::held;
  if (has_room) work_there_.notify_one();
  return true;
}

bool PoolCore::cancel(PoolJob& job) {
  std::shared_ptr<PoolJob> hold = job.shared_from_this();
  State before;
  {
    const std::lock_guard lock(mutex_);
    before = job.state;
    if (before == State::queued) queue_.erase(job.place);
    if (before == State::held) held_.erase(job.place);
    if (before == State::queued || before == State::held) {
      job.state = State::cancelled;
      admit_next();
      tell_if_idle();
    }
  }
  switch (before) {
    case State::held:
    case State::queued:
      job.call->drop_function();  // what it holds goes here, not under the lock
      return true;
    case State::cancelled:  // whoever did that drops the function, perhaps right now
      return true;
    case State::running:
      job.call->request_stop();
      return false;
    case State::over:
      return false;
  }
  return false;
}

void PoolCore::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  work_there_.notify_all();
}

void PoolCore::cancel_all() {
  JobList dropped;
  JobList asked;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    dropped.splice(dropped.end(), queue_);
    dropped.splice(dropped.end(), held_);
    asked = running_;
    for (auto& job : dropped) job->state = State::cancelled;
    tell_if_idle();
    work_there_.notify_all();
  }
  for (auto& job : dropped) {
    job->call->drop_function();
    job->send_home();
  }
  for (auto& job : asked) job->call->request_stop();
}

void PoolCore::join() noexcept {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void PoolCore::when_idle(std::shared_ptr<Inbox> inbox, std::shared_ptr<Parcel> parcel) {
  const std::lock_guard lock(mutex_);
  idle_waiters_.emplace_back(std::move(inbox), std::move(parcel));
  tell_if_idle();
}

unsigned PoolCore::alive() const noexcept {
  const std::lock_guard lock(mutex_);
  return alive_;
}

std::size_t PoolCore::queued() const noexcept {
  const std::lock_guard lock(mutex_);
  return queue_.size() + held_.size();
}

std::size_t PoolCore::running() const noexcept {
  const std::lock_guard lock(mutex_);
  return running_.size();
}

}  // namespace trueasync::detail

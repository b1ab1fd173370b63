#include "trueasync/detail/wait_queue.hpp"

#include <cstdlib>
#include <string>

#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/fast_path.hpp"
#include "trueasync/error.hpp"
#include "trueasync/sync/latch.hpp"

namespace trueasync::detail {

namespace {

void wait_with_options(WaiterList& queue, Event& event, void* owner, WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("waiting");
  EventWait wait(scheduler, event, options);
  WaitEntry& self = wait.entries[0];
  self.owner = owner;
  const WakeReason reason = scheduler.wait(wait.request, location, &queue);
  // `fired`: the waiter was woken while the token fired, and it keeps its grant.
  if (reason != WakeReason::event && !self.fired) throw_wait_error(scheduler, reason, &wait.request);
}

}  // namespace

void wait_in_queue(WaiterList& queue, Event& event, void* owner, WaitOptions options, SourceLocation location) {
  if (__builtin_expect(options.token() || options.has_time(), 0))
    return wait_with_options(queue, event, owner, options, location);
  Scheduler& scheduler = require_scheduler("waiting");
  WaitEntry entry;
  entry.event = &event;
  entry.owner = owner;
  const WakeReason reason = scheduler.wait_queued(queue, entry, location);
  if (__builtin_expect(reason != WakeReason::event, 0)) throw_wait_error(scheduler, reason, nullptr);
}

void wake_waiter(WaitEntry& waiter) noexcept {
  Waker* waker = waiter.waker;
  if (__builtin_expect(waker && waker->grant(waiter), 1)) {
    return static_cast<ControlBlock&>(*waker).scheduler->enqueue(*waker);
  }
  // The waiter is not a coroutine, is not suspended yet, or has a token.
  waiter.callback(waiter, Notification{});
}

void LockQueue::lock(WaitOptions options, SourceLocation location) {
  wait(options, location);
  owner_ = this_thread_coroutine.stamp();
}

const Event* LockQueue::blocking_coroutine() const noexcept {
  return available() == 0 && current_scheduler ? current_scheduler->find_live(owner_) : nullptr;
}

void fail_unlock() noexcept {
  TRUEASYNC_CHECK(false, "unlock of a mutex that is not locked");
  std::abort();
}

WaitQueue::~WaitQueue() {
  TRUEASYNC_CHECK(references() == 1, "mutex, semaphore, condition or latch destroyed with waiters");
}

void WaitQueue::wait(WaitOptions options, SourceLocation location, void* owner) {
  wait_in_queue(waiters_, *this, owner, options, location);
}

bool WaitQueue::wake_one() noexcept {
  WaitEntry* waiter = waiters_.pop_front();
  if (!waiter) return false;
  wake_waiter(*waiter);
  return true;
}

void WaitQueue::wake_all() noexcept {
  WaiterList current;
  current.splice_back(waiters_);
  while (WaitEntry* waiter = current.pop_front()) wake_waiter(*waiter);
}

}  // namespace trueasync::detail

namespace trueasync {

void Latch::count_down(std::size_t by) {
  if (by > count_) {
    throw MisuseError("count_down: cannot count a latch or wait group of " + std::to_string(count_) + " down by " +
                      std::to_string(by));
  }
  count_ -= by;
  if (count_ == 0) queue_.wake_all();
}

}  // namespace trueasync

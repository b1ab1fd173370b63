#include "trueasync/detail/wait_queue.hpp"

#include <cstdlib>

#include "base/check.hpp"
#include "reactor/deadline_after.hpp"
#include "scheduler/face.hpp"
#include "scheduler/wait_queued.hpp"

namespace trueasync::detail {

namespace {

void wait_with_limits(WaiterList& queue, Event& event, void* owner, const WaitLimits& limits, Place place) {
  Scheduler& scheduler = this_scheduler("waiting");
  WaitEntry entries[2];
  WaitEntry& self = entries[0];
  self.event = &event;
  self.owner = owner;
  WaitRequest request;
  request.entries = std::span(entries, limits.token ? 2 : 1);
  if (limits.token) {
    entries[1].event = limits.token;
    entries[1].is_token = true;
  }
  if (limits.limit) request.deadline = deadline_after(scheduler.reactor().now(), *limits.limit);
  const WakeReason reason = scheduler.wait(request, place, &queue);
  // Fired: it was served while the token fired, and that can't be undone.
  if (reason != WakeReason::event && !self.fired) raise_unless_well(scheduler, reason, &request);
}

}  // namespace

void wait_in(WaiterList& queue, Event& event, void* owner, const WaitLimits& limits, Place place) {
  if (__builtin_expect(limits.token || limits.limit, 0)) return wait_with_limits(queue, event, owner, limits, place);
  Scheduler& scheduler = this_scheduler("waiting");
  WaitEntry entry;
  entry.event = &event;
  entry.owner = owner;
  const WakeReason reason = scheduler.wait_queued(queue, entry, place);
  if (__builtin_expect(reason != WakeReason::event, 0)) raise_unless_well(scheduler, reason, nullptr);
}

void serve(WaitEntry& waiter) noexcept {
  Waker* waker = waiter.waker;
  if (__builtin_expect(waker && waker->grant(waiter), 1)) {
    return static_cast<ControlBlock&>(*waker).scheduler->enqueue(*waker);
  }
  // No coroutine, one that is just on its way into the wait, or one with a token.
  waiter.callback(waiter, Notification{});
}

TimeLeft::TimeLeft(Limit limit) {
  if (limit) end_ = deadline_after(this_scheduler("waiting").reactor().now(), *limit);
}

TimeLeft::Limit TimeLeft::now() const {
  if (!end_) return std::nullopt;
  return *end_ - this_scheduler("waiting").reactor().now();
}

void LockQueue::lock(const WaitLimits& limits, Place place) {
  wait(limits, place);
  owner_ = this_running.mark();
}

const Event* LockQueue::holder() const noexcept {
  return free() == 0 && this_thread ? this_thread->find_living(owner_) : nullptr;
}

void fail_unlock() noexcept {
  TRUEASYNC_CHECK(false, "a mutex was unlocked that was not locked");
  std::abort();
}

WaitQueue::~WaitQueue() {
  TRUEASYNC_CHECK(references() == 1, "a mutex, semaphore, condition or latch died while somebody waited for it");
}

void WaitQueue::wait(const WaitLimits& limits, Place place, void* owner) {
  wait_in(waiters_, *this, owner, limits, place);
}

bool WaitQueue::serve_one() noexcept {
  WaitEntry* waiter = waiters_.pop_front();
  if (!waiter) return false;
  serve(*waiter);
  return true;
}

void WaitQueue::serve_all() noexcept {
  WaiterList round;
  round.splice_back(waiters_);
  while (WaitEntry* waiter = round.pop_front()) serve(*waiter);
}

}  // namespace trueasync::detail

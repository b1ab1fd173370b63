#include "interpose/fd_retry_wait.hpp"

#include <unistd.h>

#include "interpose/call_event.hpp"
#include "interpose/descriptor_table.hpp"
#include "scheduler/wait_queued.hpp"

namespace trueasync::detail::interpose {

namespace {

IntrusiveList<FdRetryWait>& waits() noexcept {
  thread_local IntrusiveList<FdRetryWait> of_thread;
  return of_thread;
}

}  // namespace

FdRetryWait::FdRetryWait(int fd) noexcept
    : fd_(fd),
      process_(::getpid()),
      closings_(close_count(fd).load(std::memory_order_relaxed)),
      identity_(FileIdentity::of(fd)) {
  waits().push_back(*this);
}

// Numbers that are far apart share a count: it proves nothing alone.
bool FdRetryWait::was_closed() noexcept {
  if (is_closed_) return true;
  const std::uint32_t count = close_count(fd_).load(std::memory_order_relaxed);
  if (count == closings_) return false;
  closings_ = count;
  return is_closed_ = !identity_.matches(fd_);
}

WaitResult FdRetryWait::sleep(Scheduler& scheduler, const char* call, TimePoint when) noexcept {
  if (fail_if_interrupting(scheduler)) return WaitResult::interrupted;
  const ErrnoGuard kept;
  reset_call_budget();
  CallEvent name(call, fd_);
  WaitEntry entry(name);
  const WakeReason reason = scheduler.wait_queued(waiting_, entry, call_location(call), when);
  if (was_closed()) {
    errno = EBADF;
    return WaitResult::interrupted;
  }
  if (reason != WakeReason::timed_out) {
    return interrupt_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
  }
  kept.restore();
  return WaitResult::timed_out;
}

void FdRetryWait::close_range(unsigned first, unsigned last) noexcept {
  IntrusiveList<FdRetryWait>& all = waits();
  for (FdRetryWait* one = all.front(); one; one = all.next_of(*one)) {
    const auto fd = static_cast<unsigned>(one->fd_);
    // A child that has not called exec() yet closes descriptors of its own, perhaps in our memory (vfork).
    if (fd < first || fd > last || one->process_ != ::getpid()) continue;
    one->is_closed_ = true;
    while (WaitEntry* entry = one->waiting_.pop_front()) entry->waker->grant_and_enqueue(*entry);
  }
}

bool FdRetryWait::is_waited_for(int fd) noexcept {
  IntrusiveList<FdRetryWait>& all = waits();
  for (FdRetryWait* one = all.front(); one; one = all.next_of(*one)) {
    if (one->fd_ == fd && !one->is_closed_) return true;
  }
  return false;
}

}  // namespace trueasync::detail::interpose

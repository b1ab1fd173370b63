#include "interpose/fd_retry_wait.hpp"

#include <unistd.h>

#include "interpose/call_event.hpp"
#include "interpose/descriptor_table.hpp"
#include "scheduler/fast_path.hpp"

namespace trueasync::detail::interpose {

namespace {

IntrusiveList<FdRetryWait>& thread_waits() noexcept {
  thread_local IntrusiveList<FdRetryWait> waits;
  return waits;
}

}  // namespace

FdRetryWait::FdRetryWait(int fd) noexcept
    : fd_(fd),
      pid_(::getpid()),
      seen_close_count_(close_count(fd).load(std::memory_order_relaxed)),
      identity_(FileIdentity::of(fd)) {
  thread_waits().push_back(*this);
}

// Distant numbers share a counter, so a changed count alone does not prove a close.
bool FdRetryWait::was_closed() noexcept {
  if (is_closed_) return true;
  const std::uint32_t count = close_count(fd_).load(std::memory_order_relaxed);
  if (count == seen_close_count_) return false;
  seen_close_count_ = count;
  return is_closed_ = !identity_.matches(fd_);
}

WaitResult FdRetryWait::sleep(Scheduler& scheduler, const char* call, TimePoint deadline) noexcept {
  if (fail_if_interrupting(scheduler)) return WaitResult::interrupted;
  const ErrnoGuard errno_guard;
  reset_call_budget();
  CallEvent event(call, fd_);
  WaitEntry entry(event);
  const WakeReason reason = scheduler.wait_queued(waiters_, entry, call_location(call), deadline);
  if (was_closed()) {
    errno = EBADF;
    return WaitResult::interrupted;
  }
  if (reason != WakeReason::timed_out) {
    return interrupt_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
  }
  errno_guard.restore();
  return WaitResult::timed_out;
}

void FdRetryWait::close_range(unsigned first, unsigned last) noexcept {
  IntrusiveList<FdRetryWait>& waits = thread_waits();
  for (FdRetryWait* wait = waits.front(); wait; wait = waits.next_of(*wait)) {
    const auto fd = static_cast<unsigned>(wait->fd_);
    // Before exec() a child closes its own descriptors, after vfork() even in the parent's memory.
    if (fd < first || fd > last || wait->pid_ != ::getpid()) continue;
    wait->is_closed_ = true;
    while (WaitEntry* entry = wait->waiters_.pop_front()) entry->waker->grant_and_enqueue(*entry);
  }
}

bool FdRetryWait::is_waited_for(int fd) noexcept {
  IntrusiveList<FdRetryWait>& waits = thread_waits();
  for (FdRetryWait* wait = waits.front(); wait; wait = waits.next_of(*wait)) {
    if (wait->fd_ == fd && !wait->is_closed_) return true;
  }
  return false;
}

}  // namespace trueasync::detail::interpose

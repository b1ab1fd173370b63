#include "interpose/number_wait.hpp"

#include <unistd.h>

#include "interpose/call_event.hpp"
#include "interpose/descriptor_table.hpp"
#include "scheduler/wait_queued.hpp"

namespace trueasync::detail::interpose {

namespace {

IntrusiveList<NumberWait>& waits() noexcept {
  thread_local IntrusiveList<NumberWait> of_thread;
  return of_thread;
}

}  // namespace

NumberWait::NumberWait(int fd) noexcept
    : fd_(fd),
      process_(::getpid()),
      closings_(closings_of(fd).load(std::memory_order_relaxed)),
      identity_(Identity::of(fd)) {
  waits().push_back(*this);
}

// Numbers that are far apart share a count: it proves nothing alone.
bool NumberWait::is_gone() noexcept {
  if (is_closed_) return true;
  const std::uint32_t count = closings_of(fd_).load(std::memory_order_relaxed);
  if (count == closings_) return false;
  closings_ = count;
  return is_closed_ = !identity_.is_of(fd_);
}

Waited NumberWait::sleep(Scheduler& scheduler, const char* call, TimePoint when) noexcept {
  if (is_refused(scheduler)) return Waited::ended;
  const KeepErrno kept;
  has_waited();
  CallEvent name(call, fd_);
  WaitEntry entry(name);
  const WakeReason reason = scheduler.wait_queued(waiting_, entry, place_of(call), when);
  if (is_gone()) {
    errno = EBADF;
    return Waited::ended;
  }
  if (reason != WakeReason::timed_out) {
    return end_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
  }
  kept.restore();
  return Waited::timed_out;
}

void NumberWait::close_range(unsigned first, unsigned last) noexcept {
  IntrusiveList<NumberWait>& all = waits();
  for (NumberWait* one = all.front(); one; one = all.next_of(*one)) {
    const auto fd = static_cast<unsigned>(one->fd_);
    // A child that has not called exec() yet closes descriptors of its own, perhaps in our memory (vfork).
    if (fd < first || fd > last || one->process_ != ::getpid()) continue;
    one->is_closed_ = true;
    while (WaitEntry* entry = one->waiting_.pop_front()) entry->waker->serve(*entry);
  }
}

bool NumberWait::is_waited_for(int fd) noexcept {
  IntrusiveList<NumberWait>& all = waits();
  for (NumberWait* one = all.front(); one; one = all.next_of(*one)) {
    if (one->fd_ == fd && !one->is_closed_) return true;
  }
  return false;
}

}  // namespace trueasync::detail::interpose

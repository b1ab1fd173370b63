#include "interpose/blocking_wait.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "interpose/call_event.hpp"
#include "interpose/nonblocking.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/fast_path.hpp"

namespace trueasync::detail::interpose {

namespace {

constexpr std::chrono::milliseconds kMaxBackoff{16};

WakeReason wait_once(Scheduler& scheduler, ReadinessQueue& queue, CallEvent& event, SourceLocation location,
                     TimePoint deadline) noexcept {
  struct ForegroundGuard {
    std::size_t& count;
    ~ForegroundGuard() { --count; }
  } guard{queue.liveness().foreground};
  ++guard.count;
  WaitEntry entry(event);
  return scheduler.wait_queued(queue.waiters(), entry, location, deadline);
}

}  // namespace

WaitResult wait_ready(Scheduler& scheduler, TrackedDescriptor& descriptor, Side side, const char* call,
                      TimePoint deadline) noexcept {
  if (fail_if_interrupting(scheduler)) return WaitResult::interrupted;
  if (!descriptor.ensure_registered(scheduler.reactor())) return WaitResult::unsupported;
  const Ref<TrackedDescriptor> keep_alive(&descriptor);
  const ErrnoGuard errno_guard;
  CallEvent event(call, descriptor.number());
  ReadinessQueue& queue = descriptor.side(side);
  const SourceLocation location = call_location(call);
  // The descriptor may have been closed by a call that is not replaced, or another waiter may have consumed the edge.
  // The reactor would then never report readiness, so a wait longer than kRevalidateAfter checks the descriptor once.
  TimePoint revalidate_at = scheduler.reactor().now() + kRevalidateAfter;
  reset_call_budget();
  for (;;) {
    if (queue.take_pending()) return WaitResult::ready;
    const WakeReason reason = wait_once(scheduler, queue, event, location, std::min(deadline, revalidate_at));
    if (descriptor.is_closed()) {
      errno = EBADF;
      return WaitResult::interrupted;
    }
    if (reason == WakeReason::event) {
      errno_guard.restore();
      return WaitResult::ready;
    }
    if (reason != WakeReason::timed_out) {
      return interrupt_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
    }
    errno_guard.restore();
    if (deadline <= revalidate_at) return WaitResult::timed_out;
    auto* table = DescriptorTable::existing();
    if (has_stable_identity(descriptor.kind()) && (!table || !table->revalidate(descriptor))) return WaitResult::ready;
    if (is_ready_now(descriptor.number(), side)) return WaitResult::ready;
    revalidate_at = TimePoint::max();
  }
}

bool is_ready_now(int fd, Side side) noexcept {
  pollfd entry{fd, static_cast<short>(side == Side::in ? POLLIN : POLLOUT), 0};
  return ::poll(&entry, 1, 0) != 0;
}

TimePoint BlockingWait::socket_deadline() const noexcept {
  timeval timeout = {};
  socklen_t size = sizeof timeout;
  const int option = side_ == Side::in ? SO_RCVTIMEO : SO_SNDTIMEO;
  if (!is_socket(descriptor_->kind()) || ::getsockopt(fd_, SOL_SOCKET, option, &timeout, &size) != 0) {
    return TimePoint::max();
  }
  const auto duration = std::chrono::seconds(timeout.tv_sec) + std::chrono::microseconds(timeout.tv_usec);
  return duration.count() == 0 ? TimePoint::max() : deadline_after(scheduler_.reactor().now(), duration);
}

ssize_t fail_would_block(Scheduler& scheduler, int fd) noexcept {
  const bool would_wait = errno == EAGAIN || errno == EWOULDBLOCK;
  if (would_wait) errno = is_interrupting(scheduler) && is_nonblocking(fd) ? ECANCELED : EAGAIN;
  return -1;
}

bool BlockingWait::may_wait() noexcept {
  if (is_tracked_) return true;
  const ErrnoGuard errno_guard;
  try {
    DescriptorKind kind = DescriptorKind::bad;
    if (!is_nonblocking(fd_)) descriptor_ = DescriptorTable::of(scheduler_.reactor()).get(fd_, kind);
  } catch (...) {
  }
  if (descriptor_) deadline_ = socket_deadline();
  is_tracked_ = static_cast<bool>(descriptor_);
  errno_guard.restore();
  return is_tracked_;
}

WaitResult BlockingWait::wait_for_peer() noexcept {
  const TimePoint next = deadline_after(scheduler_.reactor().now(), backoff_);
  backoff_ = std::min(backoff_ * 2, kMaxBackoff);
  if (next >= deadline_) return sleep_until(scheduler_, call_, deadline_);
  const WaitResult waited = sleep_until(scheduler_, call_, next);
  return waited == WaitResult::timed_out ? WaitResult::ready : waited;
}

WaitResult BlockingWait::wait() noexcept {
  if (side_ == Side::out && descriptor_->kind() == DescriptorKind::datagram) return wait_for_peer();
  const WaitResult waited = wait_ready(scheduler_, *descriptor_, side_, call_, deadline_);
  if (waited == WaitResult::ready && has_stable_identity(descriptor_->kind())) {
    // The number may refer to another file now: may_wait() must look it up again.
    auto* table = DescriptorTable::existing();
    TrackedDescriptor* current = table ? table->find(fd_) : nullptr;
    if (current != descriptor_.get()) is_tracked_ = false;
  }
  return waited;
}

}  // namespace trueasync::detail::interpose

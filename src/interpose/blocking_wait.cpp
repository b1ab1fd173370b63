#include "interpose/blocking_wait.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "interpose/call_event.hpp"
#include "interpose/nonblocking.hpp"
#include "reactor/deadline_after.hpp"
#include "scheduler/wait_queued.hpp"

namespace trueasync::detail::interpose {

namespace {

constexpr std::chrono::milliseconds kLongestPause{16};

WakeReason wait_once(Scheduler& scheduler, ReadinessQueue& direct, CallEvent& name, SourceLocation location,
                     TimePoint deadline) noexcept {
  struct Alive {
    std::size_t& count;
    ~Alive() { --count; }
  } alive{direct.liveness().foreground};
  ++alive.count;
  WaitEntry entry(name);
  return scheduler.wait_queued(direct.waiters(), entry, location, deadline);
}

}  // namespace

WaitResult wait_ready(Scheduler& scheduler, TrackedDescriptor& descriptor, Side side, const char* call,
                      TimePoint deadline) noexcept {
  if (fail_if_interrupting(scheduler)) return WaitResult::interrupted;
  if (!descriptor.ensure_registered(scheduler.reactor())) return WaitResult::unsupported;
  const Ref<TrackedDescriptor> keep(&descriptor);
  const ErrnoGuard kept;
  CallEvent name(call, descriptor.number());
  ReadinessQueue& direct = descriptor.side(side);
  const SourceLocation location = call_location(call);
  // It may have been closed where nobody saw it, or what the loop once said was not meant for us: then it would never speak
  // of it again. A wait that lasts is worth a second look.
  TimePoint doubt = scheduler.reactor().now() + kRevalidateAfter;
  reset_call_budget();
  for (;;) {
    if (direct.take_pending()) return WaitResult::ready;
    const WakeReason reason = wait_once(scheduler, direct, name, location, std::min(deadline, doubt));
    if (descriptor.is_closed()) {
      errno = EBADF;
      return WaitResult::interrupted;
    }
    if (reason == WakeReason::event) {
      kept.restore();
      return WaitResult::ready;
    }
    if (reason != WakeReason::timed_out) {
      return interrupt_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
    }
    kept.restore();
    if (deadline <= doubt) return WaitResult::timed_out;
    auto* table = DescriptorTable::existing();
    if (has_stable_identity(descriptor.kind()) && (!table || !table->revalidate(descriptor))) return WaitResult::ready;
    if (is_ready_now(descriptor.number(), side)) return WaitResult::ready;
    doubt = TimePoint::max();
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
  const auto length = std::chrono::seconds(timeout.tv_sec) + std::chrono::microseconds(timeout.tv_usec);
  return length.count() == 0 ? TimePoint::max() : deadline_after(scheduler_.reactor().now(), length);
}

ssize_t fail_would_block(Scheduler& scheduler, int fd) noexcept {
  const bool would_wait = errno == EAGAIN || errno == EWOULDBLOCK;
  if (would_wait) errno = is_interrupting(scheduler) && is_nonblocking(fd) ? ECANCELED : EAGAIN;
  return -1;
}

bool BlockingWait::may_wait() noexcept {
  if (is_known_) return true;
  const ErrnoGuard kept;
  try {
    DescriptorKind kind = DescriptorKind::bad;
    if (!is_nonblocking(fd_)) descriptor_ = DescriptorTable::of(scheduler_.reactor()).get(fd_, kind);
  } catch (...) {
  }
  if (descriptor_) deadline_ = socket_deadline();
  is_known_ = static_cast<bool>(descriptor_);
  kept.restore();
  return is_known_;
}

WaitResult BlockingWait::wait_for_peer() noexcept {
  const TimePoint next = deadline_after(scheduler_.reactor().now(), pause_);
  pause_ = std::min(pause_ * 2, kLongestPause);
  if (next >= deadline_) return sleep_in(scheduler_, call_, deadline_);
  const WaitResult waited = sleep_in(scheduler_, call_, next);
  return waited == WaitResult::timed_out ? WaitResult::ready : waited;
}

WaitResult BlockingWait::wait() noexcept {
  if (side_ == Side::out && descriptor_->kind() == DescriptorKind::datagram) return wait_for_peer();
  const WaitResult waited = wait_ready(scheduler_, *descriptor_, side_, call_, deadline_);
  if (waited == WaitResult::ready && has_stable_identity(descriptor_->kind())) {
    // In case that the number means another one by now.
    auto* table = DescriptorTable::existing();
    TrackedDescriptor* now = table ? table->find(fd_) : nullptr;
    if (now != descriptor_.get()) is_known_ = false;
  }
  return waited;
}

}  // namespace trueasync::detail::interpose

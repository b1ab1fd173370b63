#include "interpose/readiness.hpp"

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

WakeReason wait_once(Scheduler& scheduler, DirectWait& direct, CallEvent& name, Place place,
                     TimePoint deadline) noexcept {
  struct Alive {
    std::size_t& count;
    ~Alive() { --count; }
  } alive{direct.liveness().visible};
  ++alive.count;
  WaitEntry entry(name);
  return scheduler.wait_queued(direct.waiting(), entry, place, deadline);
}

}  // namespace

Waited wait_ready(Scheduler& scheduler, Descriptor& descriptor, Side side, const char* call,
                  TimePoint deadline) noexcept {
  if (is_refused(scheduler)) return Waited::ended;
  if (!descriptor.watch_in(scheduler.reactor())) return Waited::impossible;
  const Ref<Descriptor> keep(&descriptor);
  const KeepErrno kept;
  CallEvent name(call, descriptor.number());
  DirectWait& direct = descriptor.side(side);
  const Place place = place_of(call);
  // It may have been closed where nobody saw it, or what the loop once said was not meant for us: then it would never speak
  // of it again. A wait that lasts is worth a second look.
  TimePoint doubt = scheduler.reactor().now() + kDoubtAfter;
  has_waited();
  for (;;) {
    if (direct.take_kept()) return Waited::ready;
    const WakeReason reason = wait_once(scheduler, direct, name, place, std::min(deadline, doubt));
    if (descriptor.is_closed()) {
      errno = EBADF;
      return Waited::ended;
    }
    if (reason == WakeReason::event) {
      kept.restore();
      return Waited::ready;
    }
    if (reason != WakeReason::timed_out) {
      return end_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
    }
    kept.restore();
    if (deadline <= doubt) return Waited::timed_out;
    auto* table = DescriptorTable::existing();
    if (is_lasting(descriptor.kind()) && (!table || !table->is_still(descriptor))) return Waited::ready;
    if (is_ready_now(descriptor.number(), side)) return Waited::ready;
    doubt = TimePoint::max();
  }
}

bool is_ready_now(int fd, Side side) noexcept {
  pollfd entry{fd, static_cast<short>(side == Side::in ? POLLIN : POLLOUT), 0};
  return ::poll(&entry, 1, 0) != 0;
}

TimePoint BlockingWait::socket_deadline() const noexcept {
  timeval limit = {};
  socklen_t size = sizeof limit;
  const int option = side_ == Side::in ? SO_RCVTIMEO : SO_SNDTIMEO;
  if (!is_socket(descriptor_->kind()) || ::getsockopt(fd_, SOL_SOCKET, option, &limit, &size) != 0) {
    return TimePoint::max();
  }
  const auto length = std::chrono::seconds(limit.tv_sec) + std::chrono::microseconds(limit.tv_usec);
  return length.count() == 0 ? TimePoint::max() : deadline_after(scheduler_.reactor().now(), length);
}

ssize_t say_nothing_now(Scheduler& scheduler, int fd) noexcept {
  const bool would_wait = errno == EAGAIN || errno == EWOULDBLOCK;
  if (would_wait) errno = is_ending(scheduler) && is_nonblocking(fd) ? ECANCELED : EAGAIN;
  return -1;
}

bool BlockingWait::may_wait() noexcept {
  if (is_known_) return true;
  const KeepErrno kept;
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

Waited BlockingWait::wait_for_peer() noexcept {
  const TimePoint next = deadline_after(scheduler_.reactor().now(), pause_);
  pause_ = std::min(pause_ * 2, kLongestPause);
  if (next >= deadline_) return sleep_in(scheduler_, call_, deadline_);
  const Waited waited = sleep_in(scheduler_, call_, next);
  return waited == Waited::timed_out ? Waited::ready : waited;
}

Waited BlockingWait::wait() noexcept {
  if (side_ == Side::out && descriptor_->kind() == DescriptorKind::datagram) return wait_for_peer();
  const Waited waited = wait_ready(scheduler_, *descriptor_, side_, call_, deadline_);
  if (waited == Waited::ready && is_lasting(descriptor_->kind())) {
    // In case that the number means another one by now.
    auto* table = DescriptorTable::existing();
    Descriptor* now = table ? table->find(fd_) : nullptr;
    if (now != descriptor_.get()) is_known_ = false;
  }
  return waited;
}

}  // namespace trueasync::detail::interpose

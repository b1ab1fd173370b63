// poll, ppoll and epoll_wait. A call polls the kernel without waiting. If no descriptor is ready, the coroutine waits
// in the reactor. For a single drained connection the first poll is skipped, and the event of the reactor is the
// result.
#include <dlfcn.h>
#include <poll.h>

#include <string_view>

#include "interpose/blocking_wait.hpp"
#include "interpose/c_time.hpp"
#include "interpose/calls.hpp"
#include "interpose/fortified.hpp"
#include "interpose/poll_set.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

constexpr short kInputEvents = POLLIN | POLLRDNORM | POLLPRI | POLLRDBAND | POLLRDHUP;
constexpr short kOutputEvents = POLLOUT | POLLWRNORM | POLLWRBAND;
// The events of a wait for input only. The kernel reports the error events whether requested or not.
constexpr short kInputOnlyEvents = POLLIN | POLLPRI | POLLERR | POLLHUP | POLLNVAL;

bool waits_for_input_only(short events) noexcept { return (events & POLLIN) && !(events & ~kInputOnlyEvents); }

struct PollCall {
  Scheduler& scheduler;
  const char* name;
  pollfd* entries;
  nfds_t count;
  TimePoint deadline;
  const sigset_t* mask;

  // Polls the kernel without waiting.
  int poll_now() const noexcept {
    const timespec zero = {};
    return mask ? ::ppoll(entries, count, &zero, mask) : ::poll(entries, count, 0);
  }
  // Blocks in the original call until the deadline.
  int block() const noexcept {
    const TimePoint now = scheduler.reactor().now();
    if (!mask) return ::poll(entries, count, remaining_ms(now, deadline));
    const timespec remaining = to_timespec(deadline - now);
    return ::ppoll(entries, count, deadline == TimePoint::max() ? nullptr : &remaining, mask);
  }
};

int poll_none(const PollCall& call) noexcept {
  const TimePoint deadline = std::min(call.deadline, kMaxDeadline);
  for (nfds_t i = 0; i < call.count; ++i) call.entries[i].revents = 0;
  return sleep_until(call.scheduler, call.name, deadline) == WaitResult::timed_out ? 0 : -1;
}

int poll_one(const PollCall& call, Ref<TrackedDescriptor> descriptor) noexcept {
  pollfd& entry = call.entries[0];
  const Side side = (entry.events & kOutputEvents) && !(entry.events & kInputEvents) ? Side::out : Side::in;
  for (;;) {
    if (!descriptor->ensure_registered(call.scheduler.reactor())) return call.block();
    const std::uint32_t ready_count_before = descriptor->side(side).ready_count();
    switch (wait_ready(call.scheduler, *descriptor, side, call.name, call.deadline)) {
      case WaitResult::ready:
        break;
      case WaitResult::timed_out:
        return call.poll_now();
      case WaitResult::interrupted:
        if (!descriptor->is_closed()) return -1;
        entry.revents = POLLNVAL;
        return 1;
      case WaitResult::unsupported:
        return call.block();
    }
    ReadinessQueue& queue = descriptor->side(side);
    if (waits_for_input_only(entry.events) && queue.ready_count() != ready_count_before && !queue.has_hung_up() &&
        !descriptor->is_drained()) {
      entry.revents = POLLIN;
      return 1;
    }
    if (const int result = call.poll_now(); result != 0) return result;
    if (!has_stable_identity(descriptor->kind())) continue;
    if (find_tracked(entry.fd) == descriptor.get()) continue;
    DescriptorKind kind = DescriptorKind::bad;
    try {
      descriptor = DescriptorTable::of(call.scheduler.reactor()).get(entry.fd, kind);
    } catch (...) {
      descriptor = nullptr;
    }
    if (!descriptor) return call.block();
  }
}

int poll_many(const PollCall& call) noexcept {
  PollSet set(call.scheduler, call.name);
  try {
    for (nfds_t i = 0; i < call.count; ++i) {
      const pollfd& entry = call.entries[i];
      const bool out = entry.events & kOutputEvents;
      set.add(entry.fd, (entry.events & kInputEvents) || !out, out);
    }
  } catch (...) {
    return call.block();
  }
  for (;;) {
    switch (set.wait(call.deadline)) {
      case WaitResult::ready:
        if (const int result = call.poll_now(); result != 0) return result;
        break;
      case WaitResult::timed_out:
        return call.poll_now();
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return call.block();
    }
  }
}

int poll_suspending(const PollCall& call) noexcept {
  if (call.count == 0) return poll_none(call);
  const pollfd& first = call.entries[0];
  if (call.count == 1 && first.fd >= 0 && waits_for_input_only(first.events)) {
    TrackedDescriptor* descriptor = find_tracked(first.fd);
    if (descriptor && descriptor->is_drained()) return poll_one(call, Ref<TrackedDescriptor>(descriptor));
  }
  if (const int result = call.poll_now(); result != 0) {
    charge_nonblocking_call(call.scheduler, call.name);
    return result;
  }
  if (call.count != 1 || ((first.events & kInputEvents) && (first.events & kOutputEvents))) return poll_many(call);
  if (first.fd < 0) return poll_none(call);
  DescriptorKind kind = DescriptorKind::bad;
  try {
    Ref<TrackedDescriptor> descriptor = DescriptorTable::of(call.scheduler.reactor()).get(first.fd, kind);
    return descriptor ? poll_one(call, std::move(descriptor)) : call.block();
  } catch (...) {
    return call.block();
  }
}

bool is_in_libpq(const void* return_address) noexcept {
  Dl_info info = {};
  if (::dladdr(return_address, &info) == 0 || !info.dli_fname) return false;
  const std::string_view path = info.dli_fname;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libpq.") || name.starts_with("libpq-");
}

// libpq treats a failed wait as the end of the query and marks the connection idle. The next query would then read the
// answer of this query. Shut the connection down and report it as ready, so that libpq detects a lost connection.
int interrupt_poll(const PollCall& call, const void* return_address) noexcept {
  const int error = errno;
  const bool was_interrupted = error == ECANCELED || error == ETIMEDOUT;
  const bool waits_for_answer = call.count == 1 && (call.entries[0].events & POLLIN);
  if (was_interrupted && waits_for_answer && is_in_libpq(return_address) &&
      ::shutdown(call.entries[0].fd, SHUT_RDWR) == 0) {
    return call.poll_now();
  }
  errno = error;
  return -1;
}

}  // namespace

int poll(const void* return_address, pollfd* entries, nfds_t count, int timeout_ms) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::poll(entries, count, timeout_ms);
  if (timeout_ms == 0) {
    const int result = ::poll(entries, count, 0);
    charge_nonblocking_call(*scheduler, "poll");
    return result;
  }
  const TimePoint deadline = deadline_after_ms(scheduler->reactor().now(), timeout_ms);
  const PollCall call{*scheduler, "poll", entries, count, deadline, nullptr};
  const int result = poll_suspending(call);
  return result < 0 ? interrupt_poll(call, return_address) : result;
}

int poll_chk(const void* return_address, pollfd* entries, nfds_t count, int timeout_ms, std::size_t size) noexcept {
  if (size / sizeof *entries < count) return __poll_chk(entries, count, timeout_ms, size);
  return calls::poll(return_address, entries, count, timeout_ms);
}

int ppoll(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool has_zero_timeout = timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
  if (!scheduler || has_zero_timeout || (timeout && !is_valid(timeout))) return ::ppoll(entries, count, timeout, mask);
  const TimePoint now = scheduler->reactor().now();
  const TimePoint deadline = timeout ? deadline_after(now, to_duration(*timeout)) : TimePoint::max();
  return poll_suspending({*scheduler, "ppoll", entries, count, deadline, mask});
}

int ppoll_chk(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask, std::size_t size) noexcept {
  if (size / sizeof *entries < count) return __ppoll_chk(entries, count, timeout, mask, size);
  return calls::ppoll(entries, count, timeout, mask);
}

int epoll_wait(int epoll_fd, epoll_event* events, int count, int timeout_ms) noexcept {
  return calls::epoll_pwait(epoll_fd, events, count, timeout_ms, nullptr);
}

int epoll_pwait(int epoll_fd, epoll_event* events, int count, int timeout_ms, const sigset_t* mask) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::epoll_pwait(epoll_fd, events, count, timeout_ms, mask);
  if (const int result = ::epoll_pwait(epoll_fd, events, count, 0, mask); result != 0 || timeout_ms == 0) {
    charge_nonblocking_call(*scheduler, "epoll_wait");
    return result;
  }
  const TimePoint deadline = deadline_after_ms(scheduler->reactor().now(), timeout_ms);
  TrackedDescriptor* new_descriptor = new (std::nothrow) TrackedDescriptor(epoll_fd, FileIdentity::of(epoll_fd));
  if (!new_descriptor) return ::epoll_pwait(epoll_fd, events, count, timeout_ms, mask);
  const auto descriptor = Ref<TrackedDescriptor>::adopt(new_descriptor);
  for (;;) {
    switch (wait_ready(*scheduler, *descriptor, Side::in, "epoll_wait", deadline)) {
      case WaitResult::ready:
        if (const int result = ::epoll_pwait(epoll_fd, events, count, 0, mask); result != 0) return result;
        break;
      case WaitResult::timed_out:
        return ::epoll_pwait(epoll_fd, events, count, 0, mask);
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return ::epoll_pwait(epoll_fd, events, count, remaining_ms(scheduler->reactor().now(), deadline), mask);
    }
  }
}

}  // namespace trueasync::detail::interpose::calls

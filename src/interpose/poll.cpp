// poll, ppoll, epoll_wait. The kernel is asked without waiting; while it has nothing the coroutine waits in the loop. On
// one connection that is known to be drained it is not even asked, and what the loop announces is the answer.
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

constexpr short kIn = POLLIN | POLLRDNORM | POLLPRI | POLLRDBAND | POLLRDHUP;
constexpr short kOut = POLLOUT | POLLWRNORM | POLLWRBAND;
// What a wait for input alone asks for: the rest of these is told without being asked for.
constexpr short kPlainIn = POLLIN | POLLPRI | POLLERR | POLLHUP | POLLNVAL;

bool is_plain_in(short events) noexcept { return (events & POLLIN) && !(events & ~kPlainIn); }

struct Polling {
  Scheduler& scheduler;
  const char* call;
  pollfd* entries;
  nfds_t count;
  TimePoint deadline;
  const sigset_t* mask;

  // What the kernel says now.
  int ask() const noexcept {
    const timespec none = {};
    return mask ? ::ppoll(entries, count, &none, mask) : ::poll(entries, count, 0);
  }
  // The original, for as long as is left.
  int block() const noexcept {
    const TimePoint now = scheduler.reactor().now();
    if (!mask) return ::poll(entries, count, milliseconds_until(now, deadline));
    const timespec left = to_timespec(deadline - now);
    return ::ppoll(entries, count, deadline == TimePoint::max() ? nullptr : &left, mask);
  }
};

int poll_none(const Polling& polling) noexcept {
  const TimePoint end = std::min(polling.deadline, kMaxDeadline);
  for (nfds_t i = 0; i < polling.count; ++i) polling.entries[i].revents = 0;
  return sleep_in(polling.scheduler, polling.call, end) == WaitResult::timed_out ? 0 : -1;
}

int poll_one(const Polling& polling, Ref<TrackedDescriptor> descriptor) noexcept {
  pollfd& entry = polling.entries[0];
  const Side side = (entry.events & kOut) && !(entry.events & kIn) ? Side::out : Side::in;
  for (;;) {
    if (!descriptor->ensure_registered(polling.scheduler.reactor())) return polling.block();
    const std::uint32_t told = descriptor->side(side).ready_count();
    switch (wait_ready(polling.scheduler, *descriptor, side, polling.call, polling.deadline)) {
      case WaitResult::ready:
        break;
      case WaitResult::timed_out:
        return polling.ask();
      case WaitResult::interrupted:
        if (!descriptor->is_closed()) return -1;
        entry.revents = POLLNVAL;
        return 1;
      case WaitResult::unsupported:
        return polling.block();
    }
    ReadinessQueue& direct = descriptor->side(side);
    if (is_plain_in(entry.events) && direct.ready_count() != told && !direct.has_hung_up() &&
        !descriptor->is_drained()) {
      entry.revents = POLLIN;
      return 1;
    }
    if (const int result = polling.ask(); result != 0) return result;
    if (!has_stable_identity(descriptor->kind())) continue;
    TrackedDescriptor* now = find_tracked(entry.fd);
    if (now == descriptor.get()) continue;
    DescriptorKind kind = DescriptorKind::bad;
    try {
      descriptor = DescriptorTable::of(polling.scheduler.reactor()).get(entry.fd, kind);
    } catch (...) {
      descriptor = nullptr;
    }
    if (!descriptor) return polling.block();
  }
}

int poll_many(const Polling& polling) noexcept {
  PollSet set(polling.scheduler, polling.call);
  try {
    for (nfds_t i = 0; i < polling.count; ++i) {
      const pollfd& entry = polling.entries[i];
      const bool out = entry.events & kOut;
      set.add(entry.fd, (entry.events & kIn) || !out, out);
    }
  } catch (...) {
    return polling.block();
  }
  for (;;) {
    switch (set.wait(polling.deadline)) {
      case WaitResult::ready:
        if (const int result = polling.ask(); result != 0) return result;
        break;
      case WaitResult::timed_out:
        return polling.ask();
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return polling.block();
    }
  }
}

int poll_in(const Polling& polling) noexcept {
  if (polling.count == 0) return poll_none(polling);
  const pollfd& first = polling.entries[0];
  if (polling.count == 1 && first.fd >= 0 && is_plain_in(first.events)) {
    TrackedDescriptor* descriptor = find_tracked(first.fd);
    if (descriptor && descriptor->is_drained()) return poll_one(polling, Ref<TrackedDescriptor>(descriptor));
  }
  if (const int result = polling.ask(); result != 0) {
    charge_nonblocking_call(polling.scheduler, polling.call);
    return result;
  }
  if (polling.count != 1 || ((first.events & kIn) && (first.events & kOut))) return poll_many(polling);
  if (first.fd < 0) return poll_none(polling);
  DescriptorKind kind = DescriptorKind::bad;
  try {
    Ref<TrackedDescriptor> descriptor = DescriptorTable::of(polling.scheduler.reactor()).get(first.fd, kind);
    return descriptor ? poll_one(polling, std::move(descriptor)) : polling.block();
  } catch (...) {
    return polling.block();
  }
}

bool is_in_libpq(const void* code) noexcept {
  Dl_info info = {};
  if (::dladdr(code, &info) == 0 || !info.dli_fname) return false;
  const std::string_view path = info.dli_fname;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libpq.") || name.starts_with("libpq-");
}

// libpq takes a failed wait for the end of a query, and its connection for idle: the next query would get this one's
// answer. So the connection ends, and it is told: a loss that it notices.
int interrupt_poll(const Polling& polling, const void* code) noexcept {
  const int error = errno;
  const bool was_ended = error == ECANCELED || error == ETIMEDOUT;
  const bool is_of_query = polling.count == 1 && (polling.entries[0].events & POLLIN);
  if (was_ended && is_of_query && is_in_libpq(code) && ::shutdown(polling.entries[0].fd, SHUT_RDWR) == 0) {
    return polling.ask();
  }
  errno = error;
  return -1;
}

}  // namespace

int poll(const void* code, pollfd* entries, nfds_t count, int milliseconds) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::poll(entries, count, milliseconds);
  if (milliseconds == 0) {
    const int result = ::poll(entries, count, 0);
    charge_nonblocking_call(*scheduler, "poll");
    return result;
  }
  const TimePoint deadline = deadline_of_milliseconds(scheduler->reactor().now(), milliseconds);
  const Polling polling{*scheduler, "poll", entries, count, deadline, nullptr};
  const int result = poll_in(polling);
  return result < 0 ? interrupt_poll(polling, code) : result;
}

int poll_chk(const void* code, pollfd* entries, nfds_t count, int milliseconds, std::size_t size) noexcept {
  if (size / sizeof *entries < count) return __poll_chk(entries, count, milliseconds, size);
  return calls::poll(code, entries, count, milliseconds);
}

int ppoll(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool is_quick = timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
  if (!scheduler || is_quick || (timeout && !is_valid(timeout))) return ::ppoll(entries, count, timeout, mask);
  const TimePoint now = scheduler->reactor().now();
  const TimePoint deadline = timeout ? deadline_after(now, to_duration(*timeout)) : TimePoint::max();
  return poll_in({*scheduler, "ppoll", entries, count, deadline, mask});
}

int ppoll_chk(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask, std::size_t size) noexcept {
  if (size / sizeof *entries < count) return __ppoll_chk(entries, count, timeout, mask, size);
  return calls::ppoll(entries, count, timeout, mask);
}

int epoll_wait(int epoll, epoll_event* events, int count, int milliseconds) noexcept {
  return calls::epoll_pwait(epoll, events, count, milliseconds, nullptr);
}

int epoll_pwait(int epoll, epoll_event* events, int count, int milliseconds, const sigset_t* mask) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::epoll_pwait(epoll, events, count, milliseconds, mask);
  if (const int result = ::epoll_pwait(epoll, events, count, 0, mask); result != 0 || milliseconds == 0) {
    charge_nonblocking_call(*scheduler, "epoll_wait");
    return result;
  }
  const TimePoint deadline = deadline_of_milliseconds(scheduler->reactor().now(), milliseconds);
  TrackedDescriptor* fresh = new (std::nothrow) TrackedDescriptor(epoll, FileIdentity::of(epoll));
  if (!fresh) return ::epoll_pwait(epoll, events, count, milliseconds, mask);
  const auto descriptor = Ref<TrackedDescriptor>::adopt(fresh);
  for (;;) {
    switch (wait_ready(*scheduler, *descriptor, Side::in, "epoll_wait", deadline)) {
      case WaitResult::ready:
        if (const int result = ::epoll_pwait(epoll, events, count, 0, mask); result != 0) return result;
        break;
      case WaitResult::timed_out:
        return ::epoll_pwait(epoll, events, count, 0, mask);
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return ::epoll_pwait(epoll, events, count, milliseconds_until(scheduler->reactor().now(), deadline), mask);
    }
  }
}

}  // namespace trueasync::detail::interpose::calls

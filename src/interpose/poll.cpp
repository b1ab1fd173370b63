// poll, ppoll, epoll_wait. The kernel is asked without waiting; while it has nothing the coroutine waits in the loop. On
// one connection that is known to be drained it is not even asked, and what the loop announces is the answer.
#include <dlfcn.h>
#include <poll.h>

#include <string_view>

#include "interpose/calls.hpp"
#include "interpose/fortified.hpp"
#include "interpose/readiness.hpp"
#include "interpose/ready_set.hpp"
#include "interpose/time.hpp"

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
  const TimePoint end = std::min(polling.deadline, kFarthestDeadline);
  for (nfds_t i = 0; i < polling.count; ++i) polling.entries[i].revents = 0;
  return sleep_in(polling.scheduler, polling.call, end) == Waited::timed_out ? 0 : -1;
}

int poll_one(const Polling& polling, Ref<Descriptor> descriptor) noexcept {
  pollfd& entry = polling.entries[0];
  const Side side = (entry.events & kOut) && !(entry.events & kIn) ? Side::out : Side::in;
  for (;;) {
    if (!descriptor->watch_in(polling.scheduler.reactor())) return polling.block();
    const std::uint32_t told = descriptor->side(side).told();
    switch (wait_ready(polling.scheduler, *descriptor, side, polling.call, polling.deadline)) {
      case Waited::ready:
        break;
      case Waited::timed_out:
        return polling.ask();
      case Waited::ended:
        if (!descriptor->is_closed()) return -1;
        entry.revents = POLLNVAL;
        return 1;
      case Waited::impossible:
        return polling.block();
    }
    DirectWait& direct = descriptor->side(side);
    if (is_plain_in(entry.events) && direct.told() != told && !direct.has_ended() && !descriptor->is_drained()) {
      entry.revents = POLLIN;
      return 1;
    }
    if (const int result = polling.ask(); result != 0) return result;
    if (!is_lasting(descriptor->kind())) continue;
    Descriptor* now = known(entry.fd);
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
  ReadySet set(polling.scheduler, polling.call);
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
      case Waited::ready:
        if (const int result = polling.ask(); result != 0) return result;
        break;
      case Waited::timed_out:
        return polling.ask();
      case Waited::ended:
        return -1;
      case Waited::impossible:
        return polling.block();
    }
  }
}

int poll_in(const Polling& polling) noexcept {
  if (polling.count == 0) return poll_none(polling);
  const pollfd& first = polling.entries[0];
  if (polling.count == 1 && first.fd >= 0 && is_plain_in(first.events)) {
    Descriptor* descriptor = known(first.fd);
    if (descriptor && descriptor->is_drained()) return poll_one(polling, Ref<Descriptor>(descriptor));
  }
  if (const int result = polling.ask(); result != 0) {
    went_through(polling.scheduler, polling.call);
    return result;
  }
  if (polling.count != 1 || ((first.events & kIn) && (first.events & kOut))) return poll_many(polling);
  if (first.fd < 0) return poll_none(polling);
  DescriptorKind kind = DescriptorKind::bad;
  try {
    Ref<Descriptor> descriptor = DescriptorTable::of(polling.scheduler.reactor()).get(first.fd, kind);
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
int end_poll(const Polling& polling, const void* code) noexcept {
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
  Scheduler* scheduler = caller();
  if (!scheduler) return ::poll(entries, count, milliseconds);
  if (milliseconds == 0) {
    const int result = ::poll(entries, count, 0);
    went_through(*scheduler, "poll");
    return result;
  }
  const TimePoint deadline = deadline_of_milliseconds(scheduler->reactor().now(), milliseconds);
  const Polling polling{*scheduler, "poll", entries, count, deadline, nullptr};
  const int result = poll_in(polling);
  return result < 0 ? end_poll(polling, code) : result;
}

int poll_chk(const void* code, pollfd* entries, nfds_t count, int milliseconds, std::size_t size) noexcept {
  if (size / sizeof *entries < count) return __poll_chk(entries, count, milliseconds, size);
  return calls::poll(code, entries, count, milliseconds);
}

int ppoll(pollfd* entries, nfds_t count, const timespec* limit, const sigset_t* mask) noexcept {
  Scheduler* scheduler = caller();
  const bool is_quick = limit && limit->tv_sec == 0 && limit->tv_nsec == 0;
  if (!scheduler || is_quick || (limit && !is_valid(limit))) return ::ppoll(entries, count, limit, mask);
  const TimePoint now = scheduler->reactor().now();
  const TimePoint deadline = limit ? deadline_after(now, to_duration(*limit)) : TimePoint::max();
  return poll_in({*scheduler, "ppoll", entries, count, deadline, mask});
}

int ppoll_chk(pollfd* entries, nfds_t count, const timespec* limit, const sigset_t* mask, std::size_t size) noexcept {
  if (size / sizeof *entries < count) return __ppoll_chk(entries, count, limit, mask, size);
  return calls::ppoll(entries, count, limit, mask);
}

int epoll_wait(int epoll, epoll_event* events, int count, int milliseconds) noexcept {
  return calls::epoll_pwait(epoll, events, count, milliseconds, nullptr);
}

int epoll_pwait(int epoll, epoll_event* events, int count, int milliseconds, const sigset_t* mask) noexcept {
  Scheduler* scheduler = caller();
  if (!scheduler) return ::epoll_pwait(epoll, events, count, milliseconds, mask);
  if (const int result = ::epoll_pwait(epoll, events, count, 0, mask); result != 0 || milliseconds == 0) {
    went_through(*scheduler, "epoll_wait");
    return result;
  }
  const TimePoint deadline = deadline_of_milliseconds(scheduler->reactor().now(), milliseconds);
  Descriptor* fresh = new (std::nothrow) Descriptor(epoll, Identity::of(epoll));
  if (!fresh) return ::epoll_pwait(epoll, events, count, milliseconds, mask);
  const auto descriptor = Ref<Descriptor>::adopt(fresh);
  for (;;) {
    switch (wait_ready(*scheduler, *descriptor, Side::in, "epoll_wait", deadline)) {
      case Waited::ready:
        if (const int result = ::epoll_pwait(epoll, events, count, 0, mask); result != 0) return result;
        break;
      case Waited::timed_out:
        return ::epoll_pwait(epoll, events, count, 0, mask);
      case Waited::ended:
        return -1;
      case Waited::impossible:
        return ::epoll_pwait(epoll, events, count, milliseconds_until(scheduler->reactor().now(), deadline), mask);
    }
  }
}

}  // namespace trueasync::detail::interpose::calls

// select and pselect. Sets are as large as the number says, which may be more than an fd_set has.
#include <sys/select.h>

#include <cstring>

#include "interpose/c_time.hpp"
#include "interpose/calls.hpp"
#include "interpose/poll_set.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

using Word = unsigned long;
constexpr int kWordBits = 8 * sizeof(Word);

// A copy of what was asked for: the kernel writes its answer over it.
class FdSetCopy {
 public:
  FdSetCopy(int count, const fd_set* set) : set_(set) {
    if (set) words_.assign(words(set), words(set) + (count + kWordBits - 1) / kWordBits);
  }
  bool has(int fd) const noexcept {
    return set_ && (words_[static_cast<std::size_t>(fd / kWordBits)] >> (fd % kWordBits) & 1);
  }
  void restore(fd_set* set) const noexcept {
    if (set && !words_.empty()) std::memcpy(set, words_.data(), words_.size() * sizeof(Word));
  }

 private:
  static const Word* words(const fd_set* set) noexcept { return reinterpret_cast<const Word*>(set); }

  const fd_set* set_;
  std::vector<Word> words_;
};

struct Selecting {
  Scheduler& scheduler;
  const char* call;
  int count;
  fd_set* in;
  fd_set* out;
  fd_set* special;
  TimePoint deadline;
  const sigset_t* mask;

  int ask() const noexcept {
    const timespec none = {};
    return ::pselect(count, in, out, special, &none, mask);
  }
  int block() const noexcept {
    const timespec left = to_timespec(deadline - scheduler.reactor().now());
    return ::pselect(count, in, out, special, deadline == TimePoint::max() ? nullptr : &left, mask);
  }
};

// Throws std::bad_alloc before anything is changed.
int select_in(const Selecting& selecting) {
  const FdSetCopy in(selecting.count, selecting.in);
  const FdSetCopy out(selecting.count, selecting.out);
  const FdSetCopy special(selecting.count, selecting.special);
  const auto restore = [&]() noexcept {
    in.restore(selecting.in);
    out.restore(selecting.out);
    special.restore(selecting.special);
  };
  PollSet set(selecting.scheduler, selecting.call);
  if (const int result = selecting.ask(); result != 0) {
    charge_nonblocking_call(selecting.scheduler, selecting.call);
    return result;
  }
  restore();
  for (int fd = 0; fd < selecting.count; ++fd) {
    const bool reads = in.has(fd) || special.has(fd);
    if (reads || out.has(fd)) set.add(fd, reads, out.has(fd));
  }
  for (;;) {
    switch (set.wait(selecting.deadline)) {
      case WaitResult::ready:
        if (const int result = selecting.ask(); result != 0) return result;
        restore();
        break;
      case WaitResult::timed_out:
        return selecting.ask();
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return selecting.block();
    }
  }
}

}  // namespace

int select(int count, fd_set* in, fd_set* out, fd_set* special, timeval* timeout) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool is_odd = count < 0 || (timeout && (timeout->tv_sec < 0 || timeout->tv_usec < 0));
  if (!scheduler || is_odd) return ::select(count, in, out, special, timeout);
  if (timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0) {
    const int result = ::select(count, in, out, special, timeout);
    charge_nonblocking_call(*scheduler, "select");
    return result;
  }
  TimePoint deadline = TimePoint::max();
  if (timeout) {
    // Microseconds beyond a second count as seconds.
    const timespec seconds{timeout->tv_sec, 0};
    const auto length = to_duration(seconds) + std::chrono::microseconds(timeout->tv_usec);
    deadline = deadline_after(scheduler->reactor().now(), length);
  }
  try {
    const int result = select_in({*scheduler, "select", count, in, out, special, deadline, nullptr});
    if (timeout) {  // what is left, as the kernel tells it
      const timespec left = to_timespec(deadline - scheduler->reactor().now());
      *timeout = {left.tv_sec, left.tv_nsec / 1000};
    }
    return result;
  } catch (...) {
    return ::select(count, in, out, special, timeout);
  }
}

int pselect(int count, fd_set* in, fd_set* out, fd_set* special, const timespec* timeout,
            const sigset_t* mask) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool is_quick = timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
  if (!scheduler || is_quick || count < 0 || (timeout && !is_valid(timeout))) {
    return ::pselect(count, in, out, special, timeout, mask);
  }
  const TimePoint now = scheduler->reactor().now();
  const TimePoint deadline = timeout ? deadline_after(now, to_duration(*timeout)) : TimePoint::max();
  try {
    return select_in({*scheduler, "pselect", count, in, out, special, deadline, mask});
  } catch (...) {
    return ::pselect(count, in, out, special, timeout, mask);
  }
}

}  // namespace trueasync::detail::interpose::calls

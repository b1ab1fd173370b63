// select and pselect. `count` determines the size of a set, which may exceed FD_SETSIZE.
#include <sys/select.h>

#include <cstring>

#include "interpose/c_time.hpp"
#include "interpose/calls.hpp"
#include "interpose/poll_set.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

using Word = unsigned long;
constexpr int kWordBits = 8 * sizeof(Word);

// A copy of a requested set. The kernel overwrites the original with its result.
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

struct SelectCall {
  Scheduler& scheduler;
  const char* name;
  int count;
  fd_set* in;
  fd_set* out;
  fd_set* except;
  TimePoint deadline;
  const sigset_t* mask;

  int select_now() const noexcept {
    const timespec zero = {};
    return ::pselect(count, in, out, except, &zero, mask);
  }
  int block() const noexcept {
    const timespec remaining = to_timespec(deadline - scheduler.reactor().now());
    return ::pselect(count, in, out, except, deadline == TimePoint::max() ? nullptr : &remaining, mask);
  }
};

// Throws std::bad_alloc. The sets are unchanged in that case.
int select_suspending(const SelectCall& call) {
  const FdSetCopy in(call.count, call.in);
  const FdSetCopy out(call.count, call.out);
  const FdSetCopy except(call.count, call.except);
  const auto restore = [&]() noexcept {
    in.restore(call.in);
    out.restore(call.out);
    except.restore(call.except);
  };
  PollSet set(call.scheduler, call.name);
  if (const int result = call.select_now(); result != 0) {
    charge_nonblocking_call(call.scheduler, call.name);
    return result;
  }
  restore();
  for (int fd = 0; fd < call.count; ++fd) {
    const bool wants_input = in.has(fd) || except.has(fd);
    if (wants_input || out.has(fd)) set.add(fd, wants_input, out.has(fd));
  }
  for (;;) {
    switch (set.wait(call.deadline)) {
      case WaitResult::ready:
        if (const int result = call.select_now(); result != 0) return result;
        restore();
        break;
      case WaitResult::timed_out:
        return call.select_now();
      case WaitResult::interrupted:
        return -1;
      case WaitResult::unsupported:
        return call.block();
    }
  }
}

}  // namespace

int select(int count, fd_set* in, fd_set* out, fd_set* except, timeval* timeout) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool is_invalid = count < 0 || (timeout && (timeout->tv_sec < 0 || timeout->tv_usec < 0));
  if (!scheduler || is_invalid) return ::select(count, in, out, except, timeout);
  if (timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0) {
    const int result = ::select(count, in, out, except, timeout);
    charge_nonblocking_call(*scheduler, "select");
    return result;
  }
  TimePoint deadline = TimePoint::max();
  if (timeout) {
    // The kernel accepts tv_usec of one second and more.
    const timespec seconds{timeout->tv_sec, 0};
    const auto duration = to_duration(seconds) + std::chrono::microseconds(timeout->tv_usec);
    deadline = deadline_after(scheduler->reactor().now(), duration);
  }
  try {
    const int result = select_suspending({*scheduler, "select", count, in, out, except, deadline, nullptr});
    if (timeout) {  // Linux stores the remaining time
      const timespec remaining = to_timespec(deadline - scheduler->reactor().now());
      *timeout = {remaining.tv_sec, remaining.tv_nsec / 1000};
    }
    return result;
  } catch (...) {
    return ::select(count, in, out, except, timeout);
  }
}

int pselect(int count, fd_set* in, fd_set* out, fd_set* except, const timespec* timeout,
            const sigset_t* mask) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool has_zero_timeout = timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
  if (!scheduler || has_zero_timeout || count < 0 || (timeout && !is_valid(timeout))) {
    return ::pselect(count, in, out, except, timeout, mask);
  }
  const TimePoint now = scheduler->reactor().now();
  const TimePoint deadline = timeout ? deadline_after(now, to_duration(*timeout)) : TimePoint::max();
  try {
    return select_suspending({*scheduler, "pselect", count, in, out, except, deadline, mask});
  } catch (...) {
    return ::pselect(count, in, out, except, timeout, mask);
  }
}

}  // namespace trueasync::detail::interpose::calls

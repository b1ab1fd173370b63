// select and pselect. Sets are as large as the number says, which may be more than an fd_set has.
#include <sys/select.h>

#include <cstring>

#include "interpose/calls.hpp"
#include "interpose/ready_set.hpp"
#include "interpose/time.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

using Word = unsigned long;
constexpr int kWordBits = 8 * sizeof(Word);

// A copy of what was asked for: the kernel writes its answer over it.
class Asked {
 public:
  Asked(int count, const fd_set* set) : set_(set) {
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
  const Asked in(selecting.count, selecting.in);
  const Asked out(selecting.count, selecting.out);
  const Asked special(selecting.count, selecting.special);
  const auto restore = [&]() noexcept {
    in.restore(selecting.in);
    out.restore(selecting.out);
    special.restore(selecting.special);
  };
  ReadySet set(selecting.scheduler, selecting.call);
  if (const int result = selecting.ask(); result != 0) {
    went_through(selecting.scheduler, selecting.call);
    return result;
  }
  restore();
  for (int fd = 0; fd < selecting.count; ++fd) {
    const bool reads = in.has(fd) || special.has(fd);
    if (reads || out.has(fd)) set.add(fd, reads, out.has(fd));
  }
  for (;;) {
    switch (set.wait(selecting.deadline)) {
      case Waited::ready:
        if (const int result = selecting.ask(); result != 0) return result;
        restore();
        break;
      case Waited::timed_out:
        return selecting.ask();
      case Waited::ended:
        return -1;
      case Waited::impossible:
        return selecting.block();
    }
  }
}

}  // namespace

int select(int count, fd_set* in, fd_set* out, fd_set* special, timeval* limit) noexcept {
  Scheduler* scheduler = caller();
  const bool is_odd = count < 0 || (limit && (limit->tv_sec < 0 || limit->tv_usec < 0));
  if (!scheduler || is_odd) return ::select(count, in, out, special, limit);
  if (limit && limit->tv_sec == 0 && limit->tv_usec == 0) {
    const int result = ::select(count, in, out, special, limit);
    went_through(*scheduler, "select");
    return result;
  }
  TimePoint deadline = TimePoint::max();
  if (limit) {
    // Microseconds beyond a second count as seconds.
    const timespec seconds{limit->tv_sec, 0};
    const auto length = to_duration(seconds) + std::chrono::microseconds(limit->tv_usec);
    deadline = deadline_after(scheduler->reactor().now(), length);
  }
  try {
    const int result = select_in({*scheduler, "select", count, in, out, special, deadline, nullptr});
    if (limit) {  // what is left, as the kernel tells it
      const timespec left = to_timespec(deadline - scheduler->reactor().now());
      *limit = {left.tv_sec, left.tv_nsec / 1000};
    }
    return result;
  } catch (...) {
    return ::select(count, in, out, special, limit);
  }
}

int pselect(int count, fd_set* in, fd_set* out, fd_set* special, const timespec* limit, const sigset_t* mask) noexcept {
  Scheduler* scheduler = caller();
  const bool is_quick = limit && limit->tv_sec == 0 && limit->tv_nsec == 0;
  if (!scheduler || is_quick || count < 0 || (limit && !is_valid(limit))) {
    return ::pselect(count, in, out, special, limit, mask);
  }
  const TimePoint now = scheduler->reactor().now();
  const TimePoint deadline = limit ? deadline_after(now, to_duration(*limit)) : TimePoint::max();
  try {
    return select_in({*scheduler, "pselect", count, in, out, special, deadline, mask});
  } catch (...) {
    return ::pselect(count, in, out, special, limit, mask);
  }
}

}  // namespace trueasync::detail::interpose::calls

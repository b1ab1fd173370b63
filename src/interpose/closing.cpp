// Calls after which a number means another descriptor, or none: what is known of it goes first, also on threads that run
// no scheduler. Whoever waits for it is told.
#include <fcntl.h>
#include <unistd.h>

#include "interpose/caller.hpp"
#include "interpose/calls.hpp"
#include "interpose/descriptor_table.hpp"
#include "interpose/number_wait.hpp"

namespace trueasync {

bool blocking::close_for_waiters(int descriptor) noexcept {
  auto* table = detail::interpose::DescriptorTable::existing();
  auto* known = table && descriptor >= 0 ? table->find(descriptor) : nullptr;
  const bool is_in_use = known && known->is_in_use();
  if (!is_in_use && !detail::interpose::NumberWait::is_waited_for(descriptor)) return false;
  // A pipe that nobody can write to: reading finds its end, writing fails, and polling does not wait.
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  ::close(ends[1]);
  detail::interpose::calls::dup3(ends[0], descriptor, O_CLOEXEC);
  ::close(ends[0]);
  return true;
}

}  // namespace trueasync

namespace trueasync::detail::interpose::calls {

namespace {

class Closing {
 public:
  Closing(int first, int last) noexcept : first_(first), last_(last) {
    const KeepErrno kept;
    if (auto* table = DescriptorTable::existing(); table && first >= 0) {
      table->close_range(static_cast<unsigned>(first), static_cast<unsigned>(last));
    }
    if (first >= 0) NumberWait::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last));
    kept.restore();
  }
  explicit Closing(int fd) noexcept : Closing(fd, fd) {}
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  // For those of other threads, when it has happened.
  ~Closing() {
    constexpr int kTogether = 1024;  // counts are shared by then
    for (int fd = first_; fd >= 0 && fd <= last_ && fd - first_ < kTogether; ++fd) {
      closings_of(fd).fetch_add(1, std::memory_order_relaxed);
    }
  }

 private:
  int first_;
  int last_;
};

// Who waits has left after one turn, unless it waits again.
constexpr int kTurns = 4;

void let_waiters_leave(int fd) noexcept {
  if (!waiters_leave_first()) return;
  const KeepErrno kept;
  for (int turn = 0; turn < kTurns && blocking::close_for_waiters(fd); ++turn) {
    Scheduler* scheduler = caller();
    if (!scheduler) break;
    ControlBlock& self = *scheduler->running();
    ++self.protect_depth;  // to be closed all the same
    scheduler->yield_slowly(place_of("close"));
    --self.protect_depth;
  }
  kept.restore();
}

}  // namespace

int close(int fd) noexcept {
  let_waiters_leave(fd);
  const Closing closing(fd);
  return ::close(fd);
}

int fclose(FILE* stream) noexcept {
  if (stream) let_waiters_leave(::fileno(stream));
  const Closing closing(stream ? ::fileno(stream) : -1);
  return ::fclose(stream);
}

int dup2(int from, int to) noexcept {
  if (from == to) return ::dup2(from, to);
  const Closing closing(to);
  return ::dup2(from, to);
}

int dup3(int from, int to, int flags) noexcept {
  if (from == to) return ::dup3(from, to, flags);
  const Closing closing(to);
  return ::dup3(from, to, flags);
}

int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (first > last || (flags & CLOSE_RANGE_CLOEXEC)) return ::close_range(first, last, flags);
  constexpr unsigned kMost = 0x7fffffff;
  const Closing closing(static_cast<int>(std::min(first, kMost)), static_cast<int>(std::min(last, kMost)));
  return ::close_range(first, last, flags);
}

void closefrom(int first) noexcept {
  const Closing closing(first < 0 ? 0 : first, 0x7fffffff);
  ::closefrom(first);
}

}  // namespace trueasync::detail::interpose::calls

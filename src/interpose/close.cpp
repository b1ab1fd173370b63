// Calls after which a number means another descriptor, or none: what is known of it goes first, also on threads that run
// no scheduler. Whoever waits for it is told.
#include <fcntl.h>
#include <unistd.h>

#include "interpose/call_context.hpp"
#include "interpose/calls.hpp"
#include "interpose/descriptor_table.hpp"
#include "interpose/fd_retry_wait.hpp"

namespace trueasync {

bool blocking::interrupt_waiters(int descriptor) noexcept {
  auto* table = detail::interpose::DescriptorTable::existing();
  auto* known = table && descriptor >= 0 ? table->find(descriptor) : nullptr;
  const bool is_in_use = known && known->is_in_use();
  if (!is_in_use && !detail::interpose::FdRetryWait::is_waited_for(descriptor)) return false;
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

class CloseScope {
 public:
  CloseScope(int first, int last) noexcept : first_(first), last_(last) {
    const ErrnoGuard kept;
    if (auto* table = DescriptorTable::existing(); table && first >= 0) {
      table->close_range(static_cast<unsigned>(first), static_cast<unsigned>(last));
    }
    if (first >= 0) FdRetryWait::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last));
    kept.restore();
  }
  explicit CloseScope(int fd) noexcept : CloseScope(fd, fd) {}
  CloseScope(const CloseScope&) = delete;
  CloseScope& operator=(const CloseScope&) = delete;
  // For those of other threads, when it has happened.
  ~CloseScope() {
    constexpr int kTogether = 1024;  // counts are shared by then
    for (int fd = first_; fd >= 0 && fd <= last_ && fd - first_ < kTogether; ++fd) {
      close_count(fd).fetch_add(1, std::memory_order_relaxed);
    }
  }

 private:
  int first_;
  int last_;
};

// Who waits has left after one turn, unless it waits again.
constexpr int kMaxYields = 4;

void wait_for_users(int fd) noexcept {
  if (!close_waits_for_users()) return;
  const ErrnoGuard kept;
  for (int turn = 0; turn < kMaxYields && blocking::interrupt_waiters(fd); ++turn) {
    Scheduler* scheduler = suspendable_scheduler();
    if (!scheduler) break;
    ControlBlock& self = *scheduler->running();
    ++self.protect_depth;  // to be closed all the same
    scheduler->yield_slow(call_location("close"));
    --self.protect_depth;
  }
  kept.restore();
}

}  // namespace

int close(int fd) noexcept {
  wait_for_users(fd);
  const CloseScope closing(fd);
  return ::close(fd);
}

int fclose(FILE* stream) noexcept {
  if (stream) wait_for_users(::fileno(stream));
  const CloseScope closing(stream ? ::fileno(stream) : -1);
  return ::fclose(stream);
}

int dup2(int from, int to) noexcept {
  if (from == to) return ::dup2(from, to);
  const CloseScope closing(to);
  return ::dup2(from, to);
}

int dup3(int from, int to, int flags) noexcept {
  if (from == to) return ::dup3(from, to, flags);
  const CloseScope closing(to);
  return ::dup3(from, to, flags);
}

int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (first > last || (flags & CLOSE_RANGE_CLOEXEC)) return ::close_range(first, last, flags);
  constexpr unsigned kMost = 0x7fffffff;
  const CloseScope closing(static_cast<int>(std::min(first, kMost)), static_cast<int>(std::min(last, kMost)));
  return ::close_range(first, last, flags);
}

void closefrom(int first) noexcept {
  const CloseScope closing(first < 0 ? 0 : first, 0x7fffffff);
  ::closefrom(first);
}

}  // namespace trueasync::detail::interpose::calls

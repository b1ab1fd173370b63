// Calls that close or reuse descriptor numbers. The tracked state of a number is discarded before the call, and its
// waiters are woken. Threads without a scheduler run these replacements too.
#include <fcntl.h>
#include <unistd.h>

#include "interpose/call_context.hpp"
#include "interpose/calls.hpp"
#include "interpose/descriptor_table.hpp"
#include "interpose/fd_retry_wait.hpp"

namespace trueasync {

bool blocking::interrupt_waiters(int descriptor) noexcept {
  auto* table = detail::interpose::DescriptorTable::existing();
  auto* tracked = table && descriptor >= 0 ? table->find(descriptor) : nullptr;
  const bool is_in_use = tracked && tracked->is_in_use();
  if (!is_in_use && !detail::interpose::FdRetryWait::is_waited_for(descriptor)) return false;
  // Replace the descriptor by the read end of a pipe without a writer: reads return 0, writes fail, polls do not wait.
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
    const ErrnoGuard errno_guard;
    if (auto* table = DescriptorTable::existing(); table && first >= 0) {
      table->close_range(static_cast<unsigned>(first), static_cast<unsigned>(last));
    }
    if (first >= 0) FdRetryWait::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last));
    errno_guard.restore();
  }
  explicit CloseScope(int fd) noexcept : CloseScope(fd, fd) {}
  CloseScope(const CloseScope&) = delete;
  CloseScope& operator=(const CloseScope&) = delete;
  // Schedulers of other threads detect the close by the changed count, so it must change after the close.
  ~CloseScope() {
    constexpr int kMaxCounted = 1024;  // bounds the cost of closefrom(); revalidation covers the remaining numbers
    for (int fd = first_; fd >= 0 && fd <= last_ && fd - first_ < kMaxCounted; ++fd) {
      close_count(fd).fetch_add(1, std::memory_order_relaxed);
    }
  }

 private:
  int first_;
  int last_;
};

// A woken user finishes its call after one yield, unless it waits again.
constexpr int kMaxYields = 4;

void wait_for_users(int fd) noexcept {
  if (!close_waits_for_users()) return;
  const ErrnoGuard errno_guard;
  for (int yields = 0; yields < kMaxYields && blocking::interrupt_waiters(fd); ++yields) {
    Scheduler* scheduler = suspendable_scheduler();
    if (!scheduler) break;
    ControlBlock& self = *scheduler->running();
    ++self.protect_depth;  // a cancellation must not prevent the close
    scheduler->yield_slow(call_location("close"));
    --self.protect_depth;
  }
  errno_guard.restore();
}

}  // namespace

int close(int fd) noexcept {
  wait_for_users(fd);
  const CloseScope close_scope(fd);
  return ::close(fd);
}

int fclose(FILE* stream) noexcept {
  if (stream) wait_for_users(::fileno(stream));
  const CloseScope close_scope(stream ? ::fileno(stream) : -1);
  return ::fclose(stream);
}

int dup2(int from, int to) noexcept {
  if (from == to) return ::dup2(from, to);
  const CloseScope close_scope(to);
  return ::dup2(from, to);
}

int dup3(int from, int to, int flags) noexcept {
  if (from == to) return ::dup3(from, to, flags);
  const CloseScope close_scope(to);
  return ::dup3(from, to, flags);
}

int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (first > last || (flags & CLOSE_RANGE_CLOEXEC)) return ::close_range(first, last, flags);
  constexpr unsigned kMaxFd = 0x7fffffff;
  const CloseScope close_scope(static_cast<int>(std::min(first, kMaxFd)), static_cast<int>(std::min(last, kMaxFd)));
  return ::close_range(first, last, flags);
}

void closefrom(int first) noexcept {
  const CloseScope close_scope(first < 0 ? 0 : first, 0x7fffffff);
  ::closefrom(first);
}

}  // namespace trueasync::detail::interpose::calls

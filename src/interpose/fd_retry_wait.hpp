// FdRetryWait: the waits of a call that retries an operation on a descriptor number at intervals. If the descriptor is
// closed during a wait, its number may refer to another file, which the call must not touch.
//
// Lifetime: one call, on the stack of its coroutine.
// Thread safety: the scheduler's thread. A close on another thread is detected, unless the number refers to the same
// file again.
#pragma once

#include "interpose/call_context.hpp"
#include "interpose/descriptor.hpp"
#include "trueasync/detail/intrusive_list.hpp"

namespace trueasync::detail::interpose {

class FdRetryWait : public ListHook {
 public:
  explicit FdRetryWait(int fd) noexcept;
  ~FdRetryWait() { unlink(); }
  FdRetryWait(const FdRetryWait&) = delete;
  FdRetryWait& operator=(const FdRetryWait&) = delete;

  // Suspends until `deadline`. Returns timed_out if the caller should retry, `interrupted` with EBADF after a close.
  WaitResult sleep(Scheduler& scheduler, const char* call, TimePoint deadline) noexcept;

  // Wakes the waiters of this thread on these numbers. Must precede the actual close.
  static void close_range(unsigned first, unsigned last) noexcept;
  static bool is_waited_for(int fd) noexcept;

 private:
  bool was_closed() noexcept;

  int fd_;
  int pid_;
  std::uint32_t seen_close_count_;
  FileIdentity identity_;
  IntrusiveList<WaitEntry> waiters_;
  bool is_closed_ = false;
};

}  // namespace trueasync::detail::interpose

// FdRetryWait: a call that tries a descriptor again and again, by its number. When that is closed meanwhile the number may
// mean another one, which it must leave alone.
//
// Lifetime: one call's, on the stack of its coroutine. Threads: its scheduler's; closings of others are noticed too, unless
// the number means the same file again.
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

  // Until it may be tried again: timed_out. `ended` with EBADF when it was closed.
  WaitResult sleep(Scheduler& scheduler, const char* call, TimePoint when) noexcept;

  // Before these are closed: who waits for them on this thread goes on.
  static void close_range(unsigned first, unsigned last) noexcept;
  static bool is_waited_for(int fd) noexcept;

 private:
  bool was_closed() noexcept;

  int fd_;
  int process_;
  std::uint32_t closings_;
  FileIdentity identity_;
  IntrusiveList<WaitEntry> waiting_;
  bool is_closed_ = false;
};

}  // namespace trueasync::detail::interpose

// Waits of a blocking call for the readiness of one descriptor.
//
// Thread safety: the scheduler's thread.
// Errors: reported by WaitResult and errno; nothing throws.
#pragma once

#include "interpose/call_context.hpp"
#include "interpose/descriptor_table.hpp"

namespace trueasync::detail::interpose {

// Suspends until the reactor reports readiness or `deadline` passes. Readiness may be outdated on return, so the caller
// must retry the system call. Returns `interrupted` with EBADF if the descriptor was closed during the wait.
WaitResult wait_ready(Scheduler& scheduler, TrackedDescriptor& descriptor, Side side, const char* call,
                      TimePoint deadline) noexcept;

// BlockingWait: the waits of a blocking call that retries a nonblocking system call on one descriptor.
class BlockingWait {
 public:
  BlockingWait(Scheduler& scheduler, const char* call, int fd, Side side) noexcept
      : scheduler_(scheduler), call_(call), fd_(fd), side_(side) {}

  // Returns false if O_NONBLOCK is set or the descriptor cannot be polled. The call must then return the result of its
  // attempt. Must return true before wait() or wait_for_peer() is called.
  bool may_wait() noexcept;
  // Suspends until the caller should retry. timed_out: SO_RCVTIMEO or SO_SNDTIMEO of the socket expired.
  WaitResult wait() noexcept;
  // Like wait(), but for space in the queue of the peer's socket. The kernel does not report it, so this is a backoff.
  WaitResult wait_for_peer() noexcept;

 private:
  TimePoint socket_deadline() const noexcept;

  Scheduler& scheduler_;
  const char* call_;
  int fd_;
  Side side_;
  Ref<TrackedDescriptor> descriptor_;
  TimePoint deadline_ = TimePoint::max();
  std::chrono::milliseconds backoff_{1};
  bool is_tracked_ = false;
};

// Returns -1 for a failed attempt that no wait follows. C code may ignore an interrupted wait and retry an O_NONBLOCK
// descriptor in a loop. While the coroutine is being interrupted, ECANCELED replaces EAGAIN so that such a loop ends.
// MSG_DONTWAIT on a blocking descriptor keeps EAGAIN: C code may use that descriptor later.
ssize_t fail_would_block(Scheduler& scheduler, int fd) noexcept;

// Returns the tracked state of the descriptor, or null.
inline TrackedDescriptor* find_tracked(int fd) noexcept {
  auto* table = DescriptorTable::existing();
  return table && fd >= 0 ? table->find(fd) : nullptr;
}

// Whether poll() reports an event or an error for the descriptor.
bool is_ready_now(int fd, Side side) noexcept;

}  // namespace trueasync::detail::interpose

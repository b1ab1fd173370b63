// Waiting for one descriptor, and what a blocking call must know before it may.
#pragma once

#include "interpose/call_context.hpp"
#include "interpose/descriptor_table.hpp"

namespace trueasync::detail::interpose {

// Suspends until the loop says that it is ready, which may be untrue by now: the caller tries again. `ended` with EBADF
// when it was closed meanwhile.
WaitResult wait_ready(Scheduler& scheduler, TrackedDescriptor& descriptor, Side side, const char* call,
                      TimePoint deadline) noexcept;

// The way of a blocking call on one descriptor: try, wait, try again. Made when the first try would have blocked.
class BlockingWait {
 public:
  BlockingWait(Scheduler& scheduler, const char* call, int fd, Side side) noexcept
      : scheduler_(scheduler), call_(call), fd_(fd), side_(side) {}

  // False: O_NONBLOCK is set, or it is no descriptor to wait for: what the try said stands.
  bool may_wait() noexcept;
  // Until it may be tried again. timed_out: the socket's own SO_RCVTIMEO or SO_SNDTIMEO.
  WaitResult wait() noexcept;
  // The same for room in the queue of somebody else's socket: nothing tells when there is.
  WaitResult wait_for_peer() noexcept;

 private:
  TimePoint socket_deadline() const noexcept;

  Scheduler& scheduler_;
  const char* call_;
  int fd_;
  Side side_;
  Ref<TrackedDescriptor> descriptor_;
  TimePoint deadline_ = TimePoint::max();
  std::chrono::milliseconds pause_{1};
  bool is_known_ = false;
};

// -1, for a try that failed and is not to be followed by a wait. C code that ignores how its wait ended and tries an
// O_NONBLOCK descriptor again and again must find an end: not EAGAIN then, but ECANCELED. With MSG_DONTWAIT alone it is
// EAGAIN as ever: the descriptor may be tried later.
ssize_t fail_would_block(Scheduler& scheduler, int fd) noexcept;

// What is known of the descriptor, for calls that may tell more about it; null: nothing.
inline TrackedDescriptor* find_tracked(int fd) noexcept {
  auto* table = DescriptorTable::existing();
  return table && fd >= 0 ? table->find(fd) : nullptr;
}

// Whether poll says that the descriptor is ready now, or that it is no good.
bool is_ready_now(int fd, Side side) noexcept;

}  // namespace trueasync::detail::interpose

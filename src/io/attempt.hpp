// The way of every operation on a socket that has no call of its own in StreamHandle: a turn, a try, a wait.
#pragma once

#include <cerrno>

#include "io/stream_handle.hpp"

namespace trueasync::detail {

enum class Direction : std::uint8_t { in, out };

// `attempt` tries once and returns 0 or errno. EAGAIN: it is tried again when the descriptor is ready.
template <class Attempt>
IoResult retry_until_ready(StreamHandle& handle, Direction direction, IoDeadline deadline, SourceLocation location,
                           Attempt&& attempt) {
  Ref<StreamHandle> keep(&handle);
  FifoLockRequest turn(direction == Direction::in ? handle.read_lock() : handle.write_lock());
  if (IoResult outcome = handle.acquire_lock(turn, deadline, location); !outcome.ok()) return outcome;
  for (;;) {
    int code;
    do code = attempt();
    while (code == EINTR);
    if (code != EAGAIN && code != EWOULDBLOCK) return {0, code, WakeReason::none, nullptr};
    IoResult outcome = direction == Direction::in ? handle.wait_readable(deadline, location)
                                                  : handle.wait_writable(deadline, location);
    if (!outcome.ok()) return outcome;
  }
}

}  // namespace trueasync::detail

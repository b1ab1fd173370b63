// The way of every operation on a socket that has no call of its own in StreamHandle: a turn, a try, a wait.
#pragma once

#include <cerrno>

#include "io/stream_handle.hpp"

namespace trueasync::detail {

enum class Direction : std::uint8_t { in, out };

// `attempt` tries once and returns 0 or errno. EAGAIN: it is tried again when the descriptor is ready.
template <class Attempt>
IoOutcome try_until_done(StreamHandle& handle, Direction direction, IoDeadline deadline, Place place,
                         Attempt&& attempt) {
  Ref<StreamHandle> keep(&handle);
  Turn turn(direction == Direction::in ? handle.reading() : handle.writing());
  if (IoOutcome outcome = handle.wait_turn(turn, deadline, place); !outcome.is_well()) return outcome;
  for (;;) {
    int code;
    do code = attempt();
    while (code == EINTR);
    if (code != EAGAIN && code != EWOULDBLOCK) return {0, code, WakeReason::none, nullptr};
    IoOutcome outcome =
        direction == Direction::in ? handle.wait_readable(deadline, place) : handle.wait_writable(deadline, place);
    if (!outcome.is_well()) return outcome;
  }
}

}  // namespace trueasync::detail

// poll.hpp: waiting for the readiness of a descriptor.
//
// A descriptor must not be closed while a coroutine polls it: the kernel removes it silently, and its number may be
// reused. Io::close() may be called at any time; it wakes the coroutines that poll its descriptor.
//
// Thread safety: one runtime.
#pragma once

#include <cstdint>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// Readiness: what a descriptor is ready for.
enum class Readiness : std::uint8_t { readable = 1, writable = 2, either = 3 };

// Suspends until the descriptor is ready and returns its readiness. Errors and hang-ups count as ready; the next call
// on the descriptor returns the error. Throws TimeoutError if the time of `options` expires, OperationCancelled if its
// token fires, Cancelled, and Error for a descriptor that cannot be polled.
TRUEASYNC_EXPORT Readiness poll(int descriptor, Readiness interest, WaitOptions options = {},
                                SourceLocation location = SourceLocation::current());

// The same as an event, for waiting on several events.
TRUEASYNC_EXPORT Ref<Event> poll_event(int descriptor, Readiness interest);

}  // namespace trueasync

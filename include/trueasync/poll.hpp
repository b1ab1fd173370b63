// Waiting for a descriptor.
//
// Closing a descriptor while somebody polls it is an error of the program: the kernel forgets it without a word, and its
// number may mean another one at once. Io::close() may come at any time: it tells whoever polls its descriptor.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

enum class Readiness : std::uint8_t { readable = 1, writable = 2, either = 3 };

// Suspends until the descriptor is ready; returns what it is ready for. Errors and hang-ups count as ready: the next
// call on the descriptor tells. Throws TimeoutError, Cancelled, Error (a descriptor that can't be polled).
TRUEASYNC_EXPORT Readiness poll(int descriptor, Readiness interest,
                                std::optional<std::chrono::nanoseconds> timeout = std::nullopt,
                                SourceLocation location = SourceLocation::current());

// The same as an event, for waiting on several things.
TRUEASYNC_EXPORT Ref<Event> poll_event(int descriptor, Readiness interest);

}  // namespace trueasync

// Suspends the running coroutine from a PHP function. If a call returns false, EG(exception) is set and the function
// must return. No C++ exceptions.
#pragma once

#include "support/awaitable.hpp"
#include "support/source_location.hpp"
#include "trueasync/event.hpp"

namespace trueasync::php {

// Waits for any request of the library. The caller inspects the results of its events.
bool wait_for(WaitRequest& request, SourceLocation location) noexcept;
// Waits for one event. If the token (may be null) fires first, throws OperationCanceledException.
bool wait_for(Event& event, AwaitableSource* token, Notification& result, SourceLocation location) noexcept;
// Waits until the source is ready, then stores its result or throws its error.
bool await_source(AwaitableSource& source, AwaitableSource* token, zval* result, SourceLocation location) noexcept;

bool yield_now(SourceLocation location) noexcept;
bool sleep_for(std::chrono::nanoseconds duration, SourceLocation location) noexcept;

// Throws for a wait that ended by an error, a token or a cancellation. True: it ended normally. `request` may be null
// for waits without events.
bool throw_wait_error(WakeReason reason, WaitRequest* request) noexcept;

}  // namespace trueasync::php

// Suspending the running coroutine from a PHP function. Each call returns false when EG(exception) is set: return at
// once then. Nothing here throws.
#pragma once

#include "support/awaitable.hpp"
#include "support/source_location.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::php {

// The low level, for waits of one's own: the request as the library takes it. What its events fired with is the
// caller's to look at.
bool wait_for(WaitRequest& request, SourceLocation location) noexcept;
// One event and perhaps a token, which makes it throw OperationCanceledException.
bool wait_for(Event& event, AwaitableSource* token, Notification& result, SourceLocation location) noexcept;
// await(): waits if it must, then puts the result into `result` or throws the error.
bool await_source(AwaitableSource& source, AwaitableSource* token, zval* result, SourceLocation location) noexcept;

bool yield_now(SourceLocation location) noexcept;
bool sleep_for(std::chrono::nanoseconds duration, SourceLocation location) noexcept;

// Sets EG(exception) from why a wait ended; true if it ended well. `request` may be null for waits without events.
bool throw_wait_error(WakeReason reason, WaitRequest* request) noexcept;

}  // namespace trueasync::php

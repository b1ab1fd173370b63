// AwaitableSource: the interface of objects that await() and the await_*() functions accept. The struct of every class
// that implements Async\Awaitable derives from it. PHP code cannot implement Awaitable, so every Awaitable object has a
// source.
//
// Thread safety: the engine's thread only.
// Errors: no C++ exceptions; see each call.
#pragma once

#include "support/zend.hpp"
#include "trueasync/event.hpp"

namespace trueasync::php {

class AwaitableSource {
 public:
  // True: the result is available and no wait is needed.
  virtual bool is_ready() noexcept = 0;
  // The event that fires when the result is available. Null: the object cannot be awaited and EG(exception) is set.
  virtual Event* event() noexcept = 0;
  // After is_ready() or after the event fired: stores the result, or returns the error with a reference for the caller.
  // The error counts as observed.
  virtual zend_object* take(const Notification& notification, zval* result) noexcept = 0;
  // After the event fired: whether take() would return an error. Overridden if the event's notification has no error.
  virtual bool has_failed() noexcept { return false; }
  // Requests cancellation: await_all_or_fail() cancels the remaining sources after a failure, as does iterate().
  virtual void cancel_source() noexcept {}

 protected:
  ~AwaitableSource() = default;
};

}  // namespace trueasync::php

// AwaitableSource: what await and its family know of the classes that implement Async\Awaitable. Each such class's
// struct derives from it; nobody outside Async can implement the interface, so an Awaitable object always has one.
//
// Threads: the engine's. Errors: none is thrown; see each call.
#pragma once

#include "support/zend.hpp"
#include "trueasync/event.hpp"

namespace trueasync::php {

class AwaitableSource {
 public:
  // True: there is something to take already, no wait is needed.
  virtual bool is_ready() noexcept = 0;
  // What fires when there is something to take. Null: it can't be awaited here, and EG(exception) says why.
  virtual Event* event() noexcept = 0;
  // After is_ready() or after its event has fired: puts the result into `result`, or returns the error with a reference
  // for the caller. The error counts as dealt with.
  virtual zend_object* take(const Notification& notification, zval* result) noexcept = 0;
  // After its event has fired: whether take() would return an error. For those whose event does not say so itself.
  virtual bool has_failed() noexcept { return false; }
  // Asks it to end: await_all_or_fail does that with the others when one has failed, and iterate.
  virtual void cancel_source() noexcept {}

 protected:
  ~AwaitableSource() = default;
};

}  // namespace trueasync::php

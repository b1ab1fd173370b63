// What PHP's cycle collector sees of a coroutine, and that it looks at them (GC-01).
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// At module start, and end. The collector begins with what has lost a reference since it looked last. A coroutine becomes
// garbage in another way as well, by waiting: so those that wait are shown to it.
void hook_collector() noexcept;
void unhook_collector() noexcept;
// The request is over; a fatal error may have ended a run.
void reset_collection() noexcept;

// An iterator that a loop of the running coroutine is at the beginning of. The engine has it in its hands then, where
// nobody would see it, nor what it holds.
class TrackedIterator {
 public:
  explicit TrackedIterator(zend_object_iterator& iterator) noexcept;
  TrackedIterator(const TrackedIterator&) = delete;
  TrackedIterator& operator=(const TrackedIterator&) = delete;
  ~TrackedIterator();

  zend_object* object() const noexcept { return &iterator_.std; }
  const TrackedIterator* outer() const noexcept { return outer_; }

 private:
  zend_object_iterator& iterator_;
  CoroutineObject* coroutine_;  // null: somebody else has the iterator
  TrackedIterator* outer_ = nullptr;
};

// The variables and temporaries of its frames.
void report_frames(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept;
// The callable and arguments of one that has not begun.
void report_call(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept;

}  // namespace trueasync::php::engine

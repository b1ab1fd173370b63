// Coroutines and PHP's cycle collector.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// At module start and end. The collector starts from objects that lost a reference since its last run. A coroutine can
// also become garbage by suspending, so the hook adds suspended coroutines to the collector's roots.
void hook_collector() noexcept;
void unhook_collector() noexcept;
// At the end of the request: a fatal error may have interrupted a run.
void reset_collection() noexcept;

// TrackedIterator: an iterator that a foreach loop of the running coroutine is rewinding. Only a C local of the engine
// refers to it then, so the collector would not find it and what it holds.
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
  CoroutineObject* coroutine_;  // null: not called by foreach
  TrackedIterator* outer_ = nullptr;
};

// Reports the variables and temporaries of the frames of a suspended coroutine.
void report_frames(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept;
// Reports the callable and arguments of a coroutine that has not started.
void report_call(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept;

}  // namespace trueasync::php::engine

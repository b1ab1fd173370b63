// Who waits for an event: for the collector, and for people.
//
// The collector's rule: a coroutine has one reference of the runtime's. Whoever alone could wake it reports that
// reference in its get_gc, so a circle that only itself could wake is garbage.
#pragma once

#include "coroutine.hpp"
#include "scheduler/control_block.hpp"
#include "support/object.hpp"

namespace trueasync::php {

// The PHP coroutine of a waker; null if it has none.
inline CoroutineObject* coroutine_of(const detail::Waker* waker) noexcept {
  return waker ? static_cast<CoroutineObject*>(static_cast<const detail::ControlBlock*>(waker)->host) : nullptr;
}

// The one behind it, if it waits for one thing and for nothing else, not even for a time: whoever has that could alone wake it. One that the
// collector has cancelled, and that waits again, stays: it would be freed without another word.
inline CoroutineObject* sole_wait_coroutine(const detail::Waker* waker) noexcept {
  if (!waker || waker->state() != detail::WakerState::waiting || waker->entries().size() != 1) return nullptr;
  if (static_cast<const detail::ControlBlock*>(waker)->wait_timer().is_armed()) return nullptr;
  CoroutineObject* waiting = coroutine_of(waker);
  return waiting && !(OBJ_FLAGS(object_of(*waiting)) & IS_OBJ_DESTRUCTOR_CALLED) ? waiting : nullptr;
}

// Reports such a one.
inline void report_waiter(GcBuffer& buffer, const detail::Waker* waker) noexcept {
  if (CoroutineObject* waiting = sole_wait_coroutine(waker)) buffer.add(object_of(*waiting));
}

// How many coroutines are subscribed; each of them holds the event.
std::uint32_t count_waiters(const Event& event) noexcept;
// Into a return_value: one line of text for each coroutine that waits.
void return_waiters(zval* return_value, const Event& event);

}  // namespace trueasync::php

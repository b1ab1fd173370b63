// The waiters of an event, for the cycle collector and for getAwaitingInfo().
//
// The runtime holds one reference to each coroutine. If exactly one object can wake a coroutine, that object reports
// this reference in its get_gc handler. A cycle that only its own members can wake is then garbage.
#pragma once

#include "coroutine.hpp"
#include "scheduler/control_block.hpp"
#include "support/object.hpp"

namespace trueasync::php {

// The PHP coroutine of a waker; null if there is none.
inline CoroutineObject* coroutine_of(const detail::Waker* waker) noexcept {
  return waker ? static_cast<CoroutineObject*>(static_cast<const detail::ControlBlock*>(waker)->host) : nullptr;
}

// The coroutine of the waker if it waits for exactly one event and has no timeout, so only the event can wake it. Null
// for a coroutine that the collector has already cancelled and that waits again: the collector would free it while
// suspended.
inline CoroutineObject* sole_wait_coroutine(const detail::Waker* waker) noexcept {
  if (!waker || waker->state() != detail::WakerState::waiting || waker->entries().size() != 1) return nullptr;
  if (static_cast<const detail::ControlBlock*>(waker)->wait_timer().is_armed()) return nullptr;
  CoroutineObject* waiting = coroutine_of(waker);
  return waiting && !(OBJ_FLAGS(object_of(*waiting)) & IS_OBJ_DESTRUCTOR_CALLED) ? waiting : nullptr;
}

// Reports the coroutine that only this event can wake.
inline void report_waiter(GcBuffer& buffer, const detail::Waker* waker) noexcept {
  if (CoroutineObject* waiting = sole_wait_coroutine(waker)) buffer.add(object_of(*waiting));
}

// The number of coroutines subscribed to the event; each holds a reference to it.
std::uint32_t count_waiters(const Event& event) noexcept;
// Sets return_value to an array with one description for each waiting coroutine.
void return_waiters(zval* return_value, const Event& event);

}  // namespace trueasync::php

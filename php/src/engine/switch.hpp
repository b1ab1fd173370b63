// Switching the engine's state together with the coroutine.
#pragma once

#include "coroutine.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::php::engine {

extern const detail::HostHooks kSwitchHooks;

// Whether profilers or debuggers observe fibers. Each coroutine is reported to them as a fiber.
inline TRUEASYNC_PHP_LOCAL bool is_observed = false;
void find_observers() noexcept;
// Reports a switch from EG(current_fiber_context) to `to`.
void notify_observers(zend_fiber_context* to) noexcept;

// Saves the state of one coroutine and loads the state of another. The scheduler's own coroutine has no state. A
// coroutine that has not started gets its state when it starts.
struct SwitchEngineState {
  static constexpr bool kIsHost = true;

  [[gnu::always_inline]] void operator()(detail::ControlBlock& from, detail::ControlBlock& to) const noexcept {
    if (auto* previous = static_cast<CoroutineObject*>(from.host)) previous->state.save();
    auto* next = static_cast<CoroutineObject*>(to.host);
    if (!next || !next->state.vm_stack) return;
    if (__builtin_expect(is_observed, 0)) notify_observers(next->state.current_fiber_context);
    next->state.load();
  }
};

}  // namespace trueasync::php::engine

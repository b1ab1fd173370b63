// How the engine's state follows the coroutines.
#pragma once

#include "coroutine.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::php::engine {

extern const detail::HostHooks kSwitchHooks;

// Profilers and debuggers follow the engine's fibers; to them each coroutine is one.
inline TRUEASYNC_PHP_LOCAL bool is_observed = false;
void find_observers() noexcept;
// From EG(current_fiber_context), which is left, to this one.
void notify_observers(zend_fiber_context* to) noexcept;

// One is left, another goes on. Neither need be ours: the scheduler has no state here, and one that has not begun gets
// its state when it does.
struct SwitchEngineState {
  static constexpr bool kIsHost = true;

  [[gnu::always_inline]] void operator()(detail::ControlBlock& from, detail::ControlBlock& to) const noexcept {
    if (auto* left = static_cast<CoroutineObject*>(from.host)) left->state.save();
    auto* next = static_cast<CoroutineObject*>(to.host);
    if (!next || !next->state.vm_stack) return;
    if (__builtin_expect(is_observed, 0)) notify_observers(next->state.current_fiber_context);
    next->state.load();
  }
};

}  // namespace trueasync::php::engine

// switch_handler.hpp: switch handlers, hooks that are called when one coroutine is entered, left or finished.
// Microtasks, in contrast, run at any switch.
//
// Handlers may be added and removed from inside a handler.
//
// Ownership: the function object.
// Lifetime: until the handler returns false or the coroutine finishes.
// Thread safety: one runtime.
// Errors: a handler must not throw and must not suspend.
#pragma once

#include <cstdint>
#include <functional>

#include "trueasync/export.hpp"

namespace trueasync {

class Coroutine;

// SwitchKind: what happens to the coroutine.
enum class SwitchKind : std::uint8_t {
  enter,   // the coroutine is resumed
  leave,   // the coroutine suspends
  finish,  // the coroutine finishes
};

// SwitchHandler: returns true to stay installed.
using SwitchHandler = std::function<bool(const Coroutine& coroutine, SwitchKind kind)>;

// SwitchHandlerId: identifies a handler for remove_switch_handler().
using SwitchHandlerId = std::uint64_t;

TRUEASYNC_EXPORT SwitchHandlerId add_switch_handler(const Coroutine& coroutine, SwitchHandler handler);
// For the current coroutine.
TRUEASYNC_EXPORT SwitchHandlerId add_switch_handler(SwitchHandler handler);
// Returns false if the handler is not installed.
TRUEASYNC_EXPORT bool remove_switch_handler(const Coroutine& coroutine, SwitchHandlerId id);

}  // namespace trueasync

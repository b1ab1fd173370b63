// Switch handlers (SWH-01…03): hooks of one coroutine, called when it gets control, gives it up and finishes for good.
// Unlike microtasks, which run at any switch, they belong to "their" coroutine.
//
// Owns: the function object. Lifetime: until it returns false, or the coroutine ends. Threads: the runtime's.
// Errors: a handler must not throw and must not suspend. Adding and removing from inside a handler is safe.
#pragma once

#include <cstdint>
#include <functional>

#include "trueasync/export.hpp"

namespace trueasync {

class Coroutine;

enum class SwitchKind : std::uint8_t {
  enter,   // the coroutine gets control
  leave,   // it gives control up
  finish,  // it gives control up for good
};

// Returns whether to keep the handler.
using SwitchHandler = std::function<bool(const Coroutine& coroutine, SwitchKind kind)>;

// Names a handler for remove_switch_handler.
using SwitchHandlerId = std::uint64_t;

TRUEASYNC_EXPORT SwitchHandlerId add_switch_handler(const Coroutine& coroutine, SwitchHandler handler);
// To the current coroutine.
TRUEASYNC_EXPORT SwitchHandlerId add_switch_handler(SwitchHandler handler);
// False when there is no such handler any more.
TRUEASYNC_EXPORT bool remove_switch_handler(const Coroutine& coroutine, SwitchHandlerId id);

}  // namespace trueasync

// Microtask: a small callback that runs on the current coroutine's stack before the next coroutine switch, in FIFO
// order, without a switch or a stack.
//
// A microtask must not suspend.
//
// Ownership: reference-counted; the destructor function runs exactly once, when the last reference is released.
// Thread safety: one runtime.
// Errors: an error of a handler interrupts the processing: the remaining microtasks stay queued in order, and the error
// is unhandled.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "trueasync/export.hpp"

namespace trueasync {

// The maximum number of microtasks per tick; the rest waits for the next tick, so that microtasks that queue microtasks
// cannot starve coroutines.
inline constexpr unsigned kMicrotasksPerTick = 256;

struct Microtask {
  // Returns its error, or null.
  using Handler = std::exception_ptr (*)(Microtask& self) noexcept;
  using Destructor = void (*)(Microtask& self) noexcept;

  Handler handler = nullptr;
  Destructor destructor = nullptr;
  bool cancelled = false;  // removed from the queue without running
  std::uint32_t references = 1;
  Microtask* next = nullptr;  // link of the queue

  void retain() noexcept { ++references; }
  void release() noexcept {
    if (--references == 0 && destructor) destructor(*this);
  }
};

// Queues a microtask. The queue holds a reference until the microtask has run.
TRUEASYNC_EXPORT void queue_microtask(Microtask& task);

// Queues a callable; one allocation.
template <std::invocable F>
void queue_microtask(F function) {
  struct Boxed : Microtask {
    explicit Boxed(F f) : body(std::move(f)) {}
    F body;
  };
  auto boxed = std::make_unique<Boxed>(std::move(function));
  boxed->handler = [](Microtask& self) noexcept -> std::exception_ptr {
    try {
      static_cast<Boxed&>(self).body();
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  };
  boxed->destructor = [](Microtask& self) noexcept { delete static_cast<Boxed*>(&self); };
  queue_microtask(static_cast<Microtask&>(*boxed));
  boxed.release()->release();  // now only the queue holds a reference
}

// Switch handlers: hooks that are called when a certain coroutine is resumed, suspends or finishes. Microtasks, in
// contrast, run before the next switch of any coroutine.
//
// Handlers may be added and removed from inside a handler.
//
// Ownership: the function object.
// Lifetime: until the handler returns false or the coroutine finishes.
// Thread safety: one runtime.
// Errors: a handler must not throw and must not suspend.

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

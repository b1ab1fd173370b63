// Microtasks (MIC-01…04): small handlers that run in the current coroutine's context, first in first out, before every
// coroutine switch. No switch, no stack of their own.
//
// Owns: an intrusive microtask is owned by whoever counts it; its destructor function runs exactly once, when the last
// reference goes. Threads: the runtime's. Errors: a handler that throws interrupts the processing: the rest stay queued,
// in order, and the error goes to the runtime as an unhandled one. A microtask must not suspend.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "trueasync/export.hpp"

namespace trueasync {

// Not more than this many run in one tick; the others wait for the next one, so that microtasks which queue microtasks
// can't starve coroutines (MIC-04).
inline constexpr unsigned kMicrotasksPerTick = 256;

struct Microtask {
  // Returns the error it failed with, or null.
  using Handler = std::exception_ptr (*)(Microtask& self) noexcept;
  using Destructor = void (*)(Microtask& self) noexcept;

  Handler handler = nullptr;
  Destructor destructor = nullptr;
  bool cancelled = false;  // leaves the queue without running
  std::uint32_t references = 1;
  Microtask* next = nullptr;  // the queue's

  void retain() noexcept { ++references; }
  void release() noexcept {
    if (--references == 0 && destructor) destructor(*this);
  }
};

// Queues it: the queue takes a reference of its own and drops it after the run.
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
  boxed.release()->release();
}

}  // namespace trueasync

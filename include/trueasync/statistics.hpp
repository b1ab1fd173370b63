// Statistics: counters of one runtime.
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trueasync/export.hpp"

namespace trueasync {

struct Statistics {
  std::uint64_t spawned = 0;
  std::uint64_t finished = 0;
  std::uint64_t switches = 0;                // all context switches
  std::uint64_t direct_switches = 0;         // from coroutine to coroutine
  std::uint64_t scheduler_switches = 0;      // to or from the scheduler's own coroutine
  std::uint64_t started_without_switch = 0;  // took over the context of a coroutine that had finished
  std::uint64_t resumed_in_place = 0;        // suspended and was itself the next ready coroutine
  std::uint64_t ready_without_suspend = 0;   // waited for an event that had already fired
  std::uint64_t polls_without_wait = 0;      // polls that could not block the thread
  std::uint64_t polls_blocking = 0;          // polls that could
  std::uint64_t microtasks = 0;
  std::uint64_t deadlocks = 0;
  std::size_t alive = 0;  // live coroutines, without the main coroutine
  std::size_t ready = 0;
  std::size_t stacks_in_use = 0;
  std::size_t stacks_warm = 0;
  std::size_t stacks_mapped = 0;
  std::size_t stack_peak_bytes = 0;  // highest use by a finished coroutine, with RuntimeOptions::measure_stacks
};

// LeakReport: what a runtime still holds; empty after a clean end.
struct LeakReport {
  std::size_t coroutines = 0;
  std::size_t stacks = 0;
  std::size_t timers = 0;
  std::size_t events = 0;  // started events that fire from outside
  std::size_t microtasks = 0;

  bool empty() const noexcept { return coroutines + stacks + timers + events + microtasks == 0; }
};

}  // namespace trueasync

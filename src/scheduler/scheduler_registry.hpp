// The registry of attached schedulers: a linked list in memory that a debugger can read in a live process and in a core
// file without the thread library. Only tools/gdb reads it. It costs one lock per attach and detach.
//
// Thread safety: any thread; each thread registers and unregisters its own scheduler.
#pragma once

namespace trueasync::detail {

class Scheduler;

// A thread-local object: a thread runs at most one scheduler at a time.
struct SchedulerRegistryEntry {
  Scheduler* scheduler;
  const void* thread;  // the thread pointer: fs_base, tpidr
  SchedulerRegistryEntry* next;
  SchedulerRegistryEntry* previous;
};

// For the calling thread.
void register_scheduler(Scheduler& scheduler) noexcept;
void unregister_scheduler() noexcept;

}  // namespace trueasync::detail

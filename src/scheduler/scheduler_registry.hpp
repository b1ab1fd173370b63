// The schedulers that are attached to a thread right now, as a plain list in memory: a debugger finds them in a live
// process and in a core file without any help from the thread library. Read by tools/gdb, never by the runtime.
//
// Threads: any; each adds and removes its own. Cost: a lock per attach and detach, nothing while coroutines run.
#pragma once

namespace trueasync::detail {

class Scheduler;

// Lives in the thread's own storage: a thread runs one scheduler at a time.
struct SchedulerRegistryEntry {
  Scheduler* scheduler;
  const void* thread;  // the thread pointer: fs_base, tpidr
  SchedulerRegistryEntry* next;
  SchedulerRegistryEntry* previous;
};

// The calling thread's.
void add_running_scheduler(Scheduler& scheduler) noexcept;
void remove_running_scheduler() noexcept;

}  // namespace trueasync::detail

#include "scheduler/scheduler_registry.hpp"

#include <pthread.h>

#include <mutex>

namespace trueasync::detail {

// tools/gdb looks for this name.
extern SchedulerRegistryEntry* scheduler_registry;
[[gnu::used]] constinit SchedulerRegistryEntry* scheduler_registry = nullptr;

namespace {

constinit std::mutex list_mutex;
constinit thread_local SchedulerRegistryEntry own = {};

const void* thread_pointer() noexcept {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(pthread_self());
#else
  return __builtin_thread_pointer();
#endif
}

}  // namespace

void add_running_scheduler(Scheduler& scheduler) noexcept {
  const std::lock_guard lock(list_mutex);
  own = {&scheduler, thread_pointer(), scheduler_registry, nullptr};
  if (own.next) own.next->previous = &own;
  scheduler_registry = &own;
}

void remove_running_scheduler() noexcept {
  const std::lock_guard lock(list_mutex);
  (own.previous ? own.previous->next : scheduler_registry) = own.next;
  if (own.next) own.next->previous = own.previous;
  own = {};
}

}  // namespace trueasync::detail

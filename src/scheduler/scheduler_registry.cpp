#include "scheduler/scheduler_registry.hpp"

#include <pthread.h>

#include <mutex>

namespace trueasync::detail {

// tools/gdb reads this symbol.
extern SchedulerRegistryEntry* scheduler_registry;
[[gnu::used]] constinit SchedulerRegistryEntry* scheduler_registry = nullptr;

namespace {

constinit std::mutex registry_mutex;
constinit thread_local SchedulerRegistryEntry own_entry = {};

const void* thread_pointer() noexcept {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(pthread_self());
#else
  return __builtin_thread_pointer();
#endif
}

}  // namespace

void register_scheduler(Scheduler& scheduler) noexcept {
  const std::lock_guard lock(registry_mutex);
  own_entry = {&scheduler, thread_pointer(), scheduler_registry, nullptr};
  if (own_entry.next) own_entry.next->previous = &own_entry;
  scheduler_registry = &own_entry;
}

void unregister_scheduler() noexcept {
  const std::lock_guard lock(registry_mutex);
  (own_entry.previous ? own_entry.previous->next : scheduler_registry) = own_entry.next;
  if (own_entry.next) own_entry.next->previous = own_entry.previous;
  own_entry = {};
}

}  // namespace trueasync::detail

#include "scheduler/running_schedulers.hpp"

#include <pthread.h>

#include <mutex>

namespace trueasync::detail {

// tools/gdb looks for this name.
extern RunningScheduler* running_schedulers;
[[gnu::used]] constinit RunningScheduler* running_schedulers = nullptr;

namespace {

constinit std::mutex list_mutex;
constinit thread_local RunningScheduler own = {};

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
  own = {&scheduler, thread_pointer(), running_schedulers, nullptr};
  if (own.next) own.next->previous = &own;
  running_schedulers = &own;
}

void remove_running_scheduler() noexcept {
  const std::lock_guard lock(list_mutex);
  (own.previous ? own.previous->next : running_schedulers) = own.next;
  if (own.next) own.next->previous = own.previous;
  own = {};
}

}  // namespace trueasync::detail

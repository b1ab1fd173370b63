// Mutex: one at a time, across suspensions. First come first served; unlocking hands it straight to the oldest waiter.
// Works with std::unique_lock and std::lock_guard; guard() also remembers the place for reports. Not recursive.
//
// Owns: its state. Lifetime: outlives its waiters (checked); neither copied nor moved. Threads: one runtime's – between
// threads use std::mutex, briefly. Errors: lock throws Cancelled; TimeoutError with a limit, OperationCancelled with a
// token. Locking a free one is no suspension point. The report of a deadlock spells out a ring of mutexes.
#pragma once

#include <chrono>
#include <mutex>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/place.hpp"

namespace trueasync {

class Mutex {
 public:
  using Guard = std::unique_lock<Mutex>;

  Mutex() noexcept : queue_("a mutex") {}

  void lock(Place place = Place::here()) {
    if (!queue_.try_lock()) queue_.lock({}, place);
  }
  void lock(std::chrono::nanoseconds limit, Place place = Place::here()) {
    if (!queue_.try_lock()) queue_.lock({.limit = limit}, place);
  }
  void lock(Event& token, Place place = Place::here()) {
    if (!queue_.try_lock()) queue_.lock({.token = &token}, place);
  }
  bool try_lock() noexcept { return queue_.try_lock(); }
  // Unlocking one that is not locked ends the program: whatever it protected is not.
  void unlock() noexcept {
    if (__builtin_expect(queue_.free() != 0, 0)) detail::fail_unlock();
    queue_.give_back();
  }

  [[nodiscard]] Guard guard(Place place = Place::here()) {
    lock(place);
    return Guard(*this, std::adopt_lock);
  }

  bool is_locked() const noexcept { return queue_.free() == 0; }

 private:
  detail::LockQueue queue_;
};

}  // namespace trueasync
